"""Which kinds of expression may stand where, and the kinds of items of collections."""

from engine.recycle.syntax import Kind

NUMBER = frozenset({Kind.INTEGER})
STRING = frozenset({Kind.STRING})
CONDITION = frozenset({Kind.BOOLEAN})
CARD = frozenset({Kind.CARD})
PLAYER = frozenset({Kind.PLAYER})
TEAM = frozenset({Kind.TEAM})
CARDS = frozenset({Kind.CARDS})
LISTS = frozenset({Kind.CARDS, Kind.PILES})
COLLECTION = LISTS | {Kind.PLAYERS, Kind.TEAMS, Kind.INTEGERS, Kind.STRINGS}
COMPARED = NUMBER | STRING | CARD | PLAYER | TEAM
ANYTHING = COLLECTION | COMPARED | CONDITION


def kinds(wanted: frozenset[Kind]) -> str:
    """The wanted kinds in words."""
    if wanted >= ANYTHING:
        return "a value"
    if wanted >= COLLECTION:
        return "a list, players, teams, a range or names"
    return " or ".join(kind.value for kind in Kind if kind in wanted)


def hint(found: Kind, wanted: frozenset[Kind]) -> str:
    """A hint for making the wanted kind from what is there, where people often forget it."""
    if found is Kind.PILES and Kind.CARDS in wanted:
        return "(top X) is the first list of X"
    if found is Kind.CARDS and wanted == {Kind.PILES}:
        return "(top N X) are the top N cards of X"
    if found is Kind.CARDS and Kind.CARD in wanted:
        return "(top X) is the top card of X"
    if found is Kind.PLAYERS and Kind.PLAYER in wanted:
        return "(current player) is one of them"
    return ""
