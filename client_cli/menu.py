"""Where the numbers of the legal moves are shown: beside a card, or in a list."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from client_cli.names import kind_of, seat_of, slot_of
from engine.cards import Token
from engine.choices import Action, Choices, Pick
from engine.facts import Seat, ZoneId
from engine.labels import card_word
from engine.views import View
from protocol.typed import says_amount, told_texts

Place: TypeAlias = tuple[ZoneId, Token]
_CARD = re.compile(r"(?P<token>[^@]+)(@(?P<slot>.+))?")


@dataclass(frozen=True, slots=True)
class Menu:
    """`numbers` stand beside cards; `others` are numbered moves that no single card stands for.

    If the only choice is a pattern, the numbers are those of its cards.

    `amounts` are moves such as ``bid 3``, by verb. With them, a number typed alone is an amount
    and not a place in the list, so no move is shown with a number. `goes` says where all the cards
    with numbers go, in the words of the game, if that is to be told.
    """

    numbers: Mapping[Place, int] = field(default_factory=dict)
    others: tuple[tuple[int, Action], ...] = ()
    picks: tuple[Pick, ...] = ()
    amounts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    goes: str = ""


def menu(choices: Choices | None, view: View, seat: Seat | None) -> Menu:
    """Numbers count the actions of `choices` from 1.

    An action of a verb and one card, ``play QS`` or ``play QS@5``, belongs beside that card in
    the seat's own zones: without a slot in the hand, with one in that slot. If two actions
    need the same card, the first gets it.
    """
    if choices is None or seat is None:
        return Menu()
    if not choices.actions and len(choices.picks) == 1:
        (pick,) = choices.picks
        return Menu(_numbered(pick, view, seat), picks=choices.picks, goes=_way_of(pick, choices))
    numbers: dict[Place, int] = {}
    others: list[tuple[int, Action]] = []
    amounts: dict[str, tuple[str, ...]] = {}
    texts = told_texts(choices)
    places = [_place(action, view, seat) for action in choices.actions]
    ends = {_end(text, place) for text, place in zip(texts, places, strict=True) if place}
    goes = next(iter(ends)) if len(ends) == 1 else ""
    for number, (action, text, place) in enumerate(
        zip(choices.actions, texts, places, strict=True), start=1
    ):
        verb, _, rest = action.partition(" ")
        if says_amount(action, text):
            amounts[verb] = (*amounts.get(verb, ()), rest)
        elif place is None or place in numbers or _end(text, place) != goes:
            others.append((number, action))
        else:
            numbers[place] = number
    return Menu(numbers, tuple(others), choices.picks, amounts, goes)


def _way_of(pick: Pick, choices: Choices) -> str:
    """Where the cards of a pick go, in the words of the game: ``to the crib``."""
    title = choices.ways[pick.way].title if pick.way < len(choices.ways) else ""
    return title.removeprefix(pick.verb).strip() if title.startswith(f"{pick.verb} ") else ""


def _end(text: str, place: Place) -> str:
    """The words after the card in the text of a card's move: ``to the crib``."""
    return text.partition(card_word(place[1]))[2].strip()


def _numbered(pick: Pick, view: View, seat: Seat) -> Mapping[Place, int]:
    """The numbers of the cards of a pick, from 1; none if a card has no place to show one."""
    places = [_place(f"{pick.verb} {token}", view, seat) for token in pick.cards]
    numbers = {place: at for at, place in enumerate(places, start=1) if place is not None}
    return numbers if len(numbers) == len(places) else {}


def _place(action: Action, view: View, seat: Seat) -> Place | None:
    _, _, rest = action.partition(" ")
    match = _CARD.fullmatch(rest)
    if match is None:
        return None
    token, slot = match["token"], match["slot"] or ""
    for name, zone in view.zones.items():
        playable = seat_of(name) == seat and slot_of(name) == slot and kind_of(name) != "taken"
        if playable and token in zone.cards:
            return name, token
    return None
