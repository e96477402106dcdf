"""The drawings of the page's cards, which a script makes."""

from tools import card_art


def test_art_is_what_the_script_draws() -> None:
    """The modules of card paths equal what the script writes."""
    for path, text in card_art.modules().items():
        assert path.read_text(encoding="utf-8") == text


def test_art_is_small() -> None:
    """The drawings of courts, suits and back are at most 25 kB."""
    assert sum(len(text.encode()) for text in card_art.modules().values()) <= card_art.MOST_BYTES
