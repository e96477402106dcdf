"""English grammar for words that are made: ``plays 8H``, ``for sixes``."""

_VOWELS = "aeiou"
_IRREGULAR = {"have": "has", "be": "is"}
_SPEAKING = frozenset({"ask", "bet", "bid", "call", "choose", "guess", "name", "pass", "raise"})
"""Titles of values that are verbs, too: a player bids 3, and chooses suit hearts."""


def third_person(words: str) -> str:
    """What another player does: ``lays down 9S`` for ``lay down 9S``.

    >>> third_person("lay down 9S"), third_person("pass"), third_person("carry"), third_person("go")
    ('lays down 9S', 'passes', 'carries', 'goes')
    """
    verb, blank, rest = words.partition(" ")
    said = _IRREGULAR.get(verb) or (f"{verb}es" if verb.endswith("o") else plural(verb))
    return f"{said}{blank}{rest}"


def plural(word: str) -> str:
    """The plural of a noun: ``sixes`` for ``six``; verbs take the same endings."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        return f"{word[:-1]}ies"
    return f"{word}s"


def deed(words: str) -> str:
    """What a player does who sets a value: ``bid 3``, ``choose suit hearts``."""
    return words if words.partition(" ")[0] in _SPEAKING else f"choose {words}"
