"""The titles of games from files."""


def title_of(name: str) -> str:
    """The title of a game by its file name: ``CrazyEights4`` is called Crazy Eights.

    >>> title_of("CrazyEights4"), title_of("LAMA3")
    ('Crazy Eights', 'LAMA')
    """
    letters = name.rstrip("0123456789") or name
    title = "".join(
        f" {letter}" if letter.isupper() and before.islower() else letter
        for before, letter in zip(" " + letters, letters, strict=False)
    )
    return title.replace("_", " ").strip()
