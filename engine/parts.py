"""Actions in parts: the cards with the zones they leave and join; the player, word or number meant.

`in_parts` adds them to the choices of any game, for clients in which a person points at a card,
then at where it goes, and sees ever fewer actions. Most games say in `GameInfo.moves` what their
actions are made of; described games find out by trying them. The parts of an action tell no more
than its text: a card that the player cannot see is the back at a place.

`gathered` makes picks of lists that are nothing but every choice of so many cards.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import comb
from typing import Any

from engine.cards import Token
from engine.choices import Action, Choices, Parts, Pick, Way
from engine.facts import Seat
from engine.game import GameInfo, MoveForm
from engine.match import Match
from engine.recycle import Description


def in_parts(game: Any, state: Any, seat: Seat, choices: Choices) -> Choices:
    """`choices`, those of `seat` at `state` of any `game`, with their ways and parts."""
    if isinstance(game, Match):
        return in_parts(game.game, state.deal, seat, choices)
    if isinstance(game, Description):
        return game.in_parts(state, seat, choices)
    return by_their_texts(choices, game.info, seat)


def by_their_texts(choices: Choices, info: GameInfo, seat: Seat) -> Choices:
    """`choices` with the parts that their texts name, by the moves of the game.

    >>> moves = (MoveForm("play", "play", "hand", "trick", slots="column"),)
    >>> info = GameInfo("queen", 1, "Queen", (2,), 2, moves=moves)
    >>> told = by_their_texts(Choices(("play 2C", "play QS@5")), info, seat=1)
    >>> [(told.ways[parts.way].source, parts.cards) for parts in told.parts]
    [('hand/1', ('2C',)), ('column/1/5', ('QS',))]
    """
    ways: dict[Way, int] = {}
    parts = []
    for action in choices.actions:
        way, cards, numbers = _named(info, seat, action)
        parts.append(Parts(_place(way, ways), cards, numbers=numbers))
    picks = tuple(
        replace(pick, way=_place(_way(info, seat, pick.verb), ways)) for pick in choices.picks
    )
    # At every move: `replace` takes four times as long.
    return Choices(choices.actions, picks, choices.texts, tuple(ways), tuple(parts))


@lru_cache(maxsize=8192)
def _named(
    info: GameInfo, seat: Seat, action: Action
) -> tuple[Way, tuple[Token, ...], tuple[int, ...]]:
    """The way, the card and the number of an action, cached because few actions recur often."""
    if action in _forms(info):
        return _way(info, seat, action), (), ()
    verb, _, argument = action.partition(" ")
    if argument.isdecimal():
        return _way(info, seat, verb), (), (int(argument),)
    card, _, slot = argument.partition("@")
    if verb in _forms(info) and any(each.token == card for each in info.legend):
        return _way(info, seat, verb, slot), (card,), ()
    return Way(action), (), ()


@lru_cache(maxsize=64)
def _forms(info: GameInfo) -> dict[str, MoveForm]:
    return {form.verb: form for form in info.moves}


def _way(info: GameInfo, seat: Seat, verb: str, slot: str = "") -> Way:
    form = _forms(info).get(verb)
    if form is None:
        return Way(verb)
    source = form.source and f"{form.source}/{seat}"
    if slot and form.slots:
        source = f"{form.slots}/{seat}/{slot}"
    return Way(form.title, source, f"{form.target}/{seat}" if form.own else form.target)


def _place(way: Way, ways: dict[Way, int]) -> int:
    return ways.setdefault(way, len(ways))


def gathered(choices: Choices, order: dict[str, int]) -> Choices:
    """`choices` in parts, with picks instead of lists that are every choice of so many cards.

    Cards of a pick are sorted by `order`. Only what is shorter as a pick becomes one.

    >>> pairs = Choices(
    ...     ("lay A B", "lay A C", "lay A D", "lay B C", "lay B D", "lay C D", "pass"),
    ...     ways=(Way("lay"), Way("pass")),
    ...     parts=(*(Parts(cards=tuple(two)) for two in ("AB", "AC", "AD", "BC", "BD", "CD")),
    ...            Parts(1)),
    ... )
    >>> short = gathered(pairs, {})
    >>> short.picks, short.actions
    ((Pick(verb='lay', cards=('A', 'B', 'C', 'D'), least=2, most=2, way=0),), ('pass',))
    """
    picks, gone = list(choices.picks), set[int]()
    for way in range(len(choices.ways)):
        places = [at for at, parts in enumerate(choices.parts) if parts.way == way]
        pick = _pick(choices, way, places, order)
        if pick is not None:
            picks.append(pick)
            gone.update(places)
    if not gone:
        return choices
    kept = [at for at in range(len(choices.actions)) if at not in gone]
    return Choices(
        tuple(choices.actions[at] for at in kept),
        tuple(picks),
        tuple(choices.texts[at] for at in kept if choices.texts),
        choices.ways,
        tuple(choices.parts[at] for at in kept),
    )


def _pick(choices: Choices, way: int, places: Sequence[int], order: dict[str, int]) -> Pick | None:
    """The one pick for the actions at `places`, if the pick allows exactly these."""
    picked = [choices.parts[at] for at in places]
    named = dict.fromkeys(card for parts in picked for card in parts.cards)
    if not 0 < len(named) < len(places):
        return None
    if any(parts != Parts(way, parts.cards) for parts in picked):
        return None
    different = {frozenset(parts.cards) for parts in picked}
    sizes = {len(cards) for cards in different}
    least, most = min(sizes), max(sizes)
    every = sum(comb(len(named), size) for size in range(least, most + 1))
    if not len(different) == len(places) == every:
        return None
    cards = tuple(sorted(named, key=lambda card: order.get(card, 0)))
    verb = choices.actions[places[0]].split(" ")[0]
    plain = all(choices.actions[at] == " ".join((verb, *choices.parts[at].cards)) for at in places)
    return Pick(verb, cards, least, most, way) if plain else None
