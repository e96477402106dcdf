"""A table in sentences, for people who listen: the whole table, their hand, or their moves.

The numbers before cards and moves are those that may be typed.
"""

from collections.abc import Iterator

from client_cli.card_labels import CardLabels
from client_cli.hand_view import played_by
from client_cli.menu import Menu, menu
from client_cli.names import (
    count_text,
    kind_of,
    label_of,
    seat_name,
    seat_of,
    slot_of,
    title_of,
    titled,
)
from client_cli.places import is_counted, is_hidden, is_trick, place_of
from client_cli.seats_view import score_columns, team_totals
from client_cli.sheet_view import kept_scores
from client_cli.speech import EVERYTHING, CardNames, aloud, lines_aloud
from client_cli.table_view import draw_turn, question_lines, title_words
from client_cli.tell import has_text, tell
from client_cli.text import paint
from client_cli.told_moves import told_move, told_words
from engine.choices import Action
from engine.facts import Seat, Value
from engine.layout import HAND
from engine.views import Zone
from protocol.mirror import TableMirror
from protocol.typed import told_texts


def spoken_table(table: TableMirror) -> list[str]:
    """All that lies on the table: the players, the middle, the own cards, and whose turn it is."""
    return [
        spoken_title(table),
        *(_player(table, seat) for seat in range(len(table.info.seats))),
        *_middle(table),
        *spoken_hand(table),
        *_turn(table),
        *_unnumbered(table),
    ]


def spoken_turn(table: TableMirror) -> list[str]:
    """Whose turn it is; for the player to move also the trick, and every possible move."""
    if not table.my_turn:
        return _turn(table)
    asked = lines_aloud(question_lines(table, EVERYTHING))
    return [*_turn(table), *_tricks(table), *asked, *_numbered(table), *_unnumbered(table)]


def spoken_hand(table: TableMirror) -> list[str]:
    """The player's own cards; each that can be chosen now comes after its number."""
    moves = _menu(table)
    return [
        _zone(_place(table, name, "spoken.your"), _cards(table, name, moves))
        for name, zone in table.view.zones.items()
        if table.seat is not None
        and seat_of(name) == table.seat
        and len(zone)
        and not is_counted(table, name)
        and not is_hidden(table, name)
    ]


def spoken_cards(table: TableMirror) -> list[str]:
    """The player's own cards, and the moves without a card."""
    told = [*spoken_hand(table), *_unnumbered(table)]
    return told or [tell("table.no_cards")]


def spoken_scores(table: TableMirror) -> list[str]:
    """The scores of all players and teams, and of the deals before."""
    told = [spoken_title(table)]
    told += [_with_scores(table, seat) for seat in range(len(table.info.seats))]
    for team, players, total in team_totals(table, EVERYTHING):
        told.append(aloud(tell("spoken.team", team=team, players=players, total=total)))
    names, deals = kept_scores(table)
    for deal, kept in deals.items():
        by_player = []
        for seat in range(len(table.info.seats)):
            counted = [
                f"{tell('spoken.score') if name == 'score' else titled(name, table)} {values[seat]}"
                for name in (*names, "score")
                if seat < len(values := kept.get(name, ()))
            ]
            by_player.append(f"{seat_name(table.info, seat, EVERYTHING)} {', '.join(counted)}")
        told.append(aloud(tell("spoken.deal", deal=deal, scores="; ".join(by_player))))
    return told


def spoken_title(table: TableMirror) -> str:
    """The title of a table: ``Black Queen, table K7Q2X, deal 2 of 4.``"""
    parts = (paint(part, EVERYTHING) for part in title_words(table, EVERYTHING))
    return f"{aloud(', '.join(parts))}."


def spoken_move(action: Action, table: TableMirror) -> str:
    """A move in the words of the game, or else with its cards by their names."""
    labels = CardLabels(table.legend, EVERYTHING)
    if any(told_texts(table.choices)):
        return aloud(paint(told_move(action, table, labels), EVERYTHING))
    return CardNames(table.legend).move(action)


def _menu(table: TableMirror) -> Menu:
    return menu(table.question.choices, table.view, table.seat)


def _turn(table: TableMirror) -> list[str]:
    told = lines_aloud(draw_turn(table, EVERYTHING))
    if table.my_turn and table.question.clock is not None:
        told.append(tell("spoken.seconds", seconds=f"{table.question.clock:.0f}"))
    return told


def _numbered(table: TableMirror) -> Iterator[str]:
    """The cards that may be chosen now, by their possible uses."""
    names, moves = CardNames(table.legend), _menu(table)
    actions = table.choices.actions
    by_verb: dict[str, list[str]] = {}
    for (name, token), number in moves.numbers.items():
        verb = actions[number - 1].partition(" ")[0] if actions else moves.picks[0].verb
        source = tell("spoken.from", place_name=_place(table, name)) if slot_of(name) else ""
        shown = f"{number} {names.card(token)}{source}"
        by_verb.setdefault(verb, []).append(shown)
    for verb, cards in by_verb.items():
        yield tell("spoken.may", verb=verb, cards=", ".join(cards))


def _unnumbered(table: TableMirror) -> Iterator[str]:
    """The moves without a card of their own, and how many cards to choose."""
    names, labels, moves = (
        CardNames(table.legend),
        CardLabels(table.legend, EVERYTHING),
        _menu(table),
    )
    if moves.goes and moves.numbers:
        where = paint(told_words(moves.goes, table, labels), EVERYTHING)
        yield aloud(tell("spoken.cards_go", where=where))
    for verb, amounts in moves.amounts.items():
        yield tell("spoken.may", verb=verb, cards=", ".join(amounts))
    if moves.others:
        told = [(number, spoken_move(action, table)) for number, action in moves.others]
        others = (move if moves.amounts else f"{number} {move}" for number, move in told)
        yield tell("spoken.may_choose", moves=", ".join(others))
    for pick in moves.picks:
        said: dict[str, Value] = {"count": count_text(pick.least, pick.most)}
        said |= {"most": pick.most, "verb": pick.verb}
        if moves.numbers and not table.choices.actions:
            some = " ".join(str(at) for at in range(1, pick.most + 1))
            yield tell("spoken.type_numbers", **said, numbers=some)
        else:
            yield tell("spoken.may_pick", **said, cards=names.cards(pick.cards))


def _player(table: TableMirror, seat: Seat) -> str:
    """One player: the values counted for them, and their open cards."""
    own = seat == table.seat
    told: list[str] = []
    for name, zone in table.view.zones.items():
        counted, hand = is_counted(table, name), place_of(table, name) == HAND
        if seat_of(name) != seat or is_hidden(table, name) or (own and not counted):
            continue
        if counted or (hand and not zone.cards):
            title = aloud(title_of(kind_of(name), table, EVERYTHING))
            key = "spoken.counted_in" if hand else "spoken.counted"
            told.append(tell(key, count=len(zone), title=title))
        elif len(zone):
            shown = _zone(_place(table, name), _cards(table, name, Menu()))
            told.append(shown.removesuffix("."))
    said = _with_scores(table, seat)
    return f"{said.removesuffix('.')}; {'; '.join(told)}." if told else said


def _with_scores(table: TableMirror, seat: Seat) -> str:
    """A player with scores: ``Blaise, bot 2, points 0, total minus 30.``"""
    kind, *counted = score_columns(table, EVERYTHING)
    told = [seat_name(table.info, seat, EVERYTHING), paint(kind.cells[seat], EVERYTHING)]
    told += [
        f"{column.title} {value}"
        for column in counted
        if (value := paint(column.cells[seat], EVERYTHING).strip())
    ]
    return f"{aloud(', '.join(filter(None, told)))}."


def _middle(table: TableMirror) -> Iterator[str]:
    """The cards that belong to nobody: piles, and the played cards with their players."""
    for name, zone in table.view.zones.items():
        lies = len(zone) and not is_hidden(table, name)
        if seat_of(name) is None and lies and not _is_trick(table, name):
            yield _zone(_place(table, name, "spoken.the"), _cards(table, name, Menu()))
    yield from _tricks(table)


def _tricks(table: TableMirror) -> Iterator[str]:
    names = CardNames(table.legend)
    for name in table.view.zones:
        if _is_trick(table, name):
            told = [
                f"{_owner(table, seat)}{names.card(token)}"
                for token, seat in played_by(table, name)
            ]
            cards = ", ".join(told) or tell("spoken.empty")
            yield _zone(_place(table, name, "spoken.the"), cards)


def _is_trick(table: TableMirror, name: str) -> bool:
    return is_trick(table, name) and not table.view.zones[name].backs


def _owner(table: TableMirror, seat: Seat | None) -> str:
    return "" if seat is None else f"{seat_name(table.info, seat, EVERYTHING)} "


def _cards(table: TableMirror, name: str, moves: Menu) -> str:
    """The cards of a zone; those of a hand in the order of the pack."""
    zone = table.view.zones[name]
    names, labels = CardNames(table.legend), CardLabels(table.legend, EVERYTHING)
    told: list[str] = []
    for token in labels.ordered(zone.cards) if place_of(table, name) == HAND else zone.cards:
        number = None if moves.amounts else moves.numbers.get((name, token))
        told.append(names.card(token) if number is None else f"{number} {names.card(token)}")
    backs = _backs(zone)
    over = tell("spoken.over", backs=backs) if told else backs
    return ", ".join([*told, over] if backs else told)


def _backs(zone: Zone) -> str:
    if not zone.backs:
        return ""
    return tell("spoken.backs", count=zone.backs)


def _zone(place: str, cards: str) -> str:
    return tell("spoken.zone", place_name=place, cards=cards)


def _place(table: TableMirror, zone: str, whose: str = "") -> str:
    """The name of a place: ``Your column 2``, ``The trick``; `whose` is the key of a text."""
    noun = f"spoken.nouns.{label_of(kind_of(zone), table.labels).title}"
    title = tell(noun) if has_text(noun) else title_of(kind_of(zone), table, EVERYTHING)
    named = " ".join(filter(None, (title, slot_of(zone))))
    return aloud(tell(whose, place_name=named) if whose else named)
