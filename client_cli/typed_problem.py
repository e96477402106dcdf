"""What a person is told whose words are no move, in the words of the game and of their language."""

from client_cli.card_labels import CardLabels
from client_cli.names import count_text
from client_cli.tell import tell
from client_cli.text import Look, paint
from client_cli.told_moves import told_move
from engine.cards import Token
from engine.choices import Pick
from protocol.errors import TypedProblem
from protocol.mirror import TableMirror

_TOLD = 8
"""How many possible moves an answer names."""
_PLAIN = Look()


def problem_text(why: TypedProblem, table: TableMirror) -> str:
    """The reason why a typed text is no move, with moves that are possible."""
    labels = CardLabels(table.legend, _PLAIN)
    moves = [paint(told_move(action, table, labels), _PLAIN) for action in why.moves]
    picks = [_called(pick, labels) for pick in why.picks]
    pick = "; ".join(picks)
    match why.kind:
        case "moves":
            return tell("misread.moves", typed=why.typed, moves=_listed(moves))
        case "part":
            return tell("misread.part", typed=why.typed, moves=_listed(moves))
        case "card":
            return tell("misread.card", typed=why.typed, pick=pick)
        case "cards":
            either = tell("misread.or").join(_label(card, labels) for card in why.cards)
            return tell("misread.cards", typed=why.typed, either_of=either, pick=pick)
        case "twice":
            return tell("misread.twice", pick=pick)
        case "count":
            return tell("misread.count", count=why.count, pick=pick)
        case "turn":
            return tell("match.no_turn")
    return tell("misread.none", typed=why.typed, moves=_listed([*moves, *picks]))


def _called(pick: Pick, labels: CardLabels) -> str:
    """A pick in words: ``pass 3 of 2♣ 9♣ …``"""
    cards = " ".join(_label(card, labels) for card in pick.cards)
    return tell("misread.pick", verb=pick.verb, count=count_text(pick.least, pick.most), of=cards)


def _label(card: Token, labels: CardLabels) -> str:
    return labels.card(card).text


def _listed(moves: list[str]) -> str:
    told = ", ".join(moves[:_TOLD])
    more = len(moves) - _TOLD
    return tell("misread.more", moves=told, count=more) if more > 0 else told
