"""Hearts for the conformance suite, with worlds that a seat cannot tell apart."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from hypothesis import strategies as st

from engine import Match, MatchState, Setup, Shuffler, View, Viewer, seed_from_int
from engine.cards import TOKENS, Card, card_text, parse_cards
from engine.choices import Action
from engine.facts import Fact, Seat, ZoneId
from engine.game import Game
from engine.games.hearts import Hearts, State
from tests.conformance.laying import (
    Spot,
    Stacked,
    another_seed,
    begun,
    exchange,
    shufflers,
    subject_builder,
)
from tests.conformance.playing import Moves, Played
from tests.conformance.subject import Lying, Sight, World, face_down, face_up

Deals: TypeAlias = MatchState[State]

SIGHTS: Mapping[str, Sight] = {
    "deck": Sight.NOBODY,
    "hand": Sight.OWNER,
    "passing": Sight.OWNER,
    "trick": Sight.EVERYBODY,
    "taken": Sight.EVERYBODY,
}

_CARD = f"({'|'.join(TOKENS)})"
_GRAMMAR = re.compile(rf"play {_CARD}|pass {_CARD} {_CARD} {_CARD}")

_MALFORMED = (
    *("", "play", "play ", "pass", "pass ", "play QS ", "PLAY QS", "play  QS", " play QS", "bid 3"),
    *(
        "pass 2C 3C",
        "pass 2C 3C 4C 5C",
        "pass 2C 3C  4C",
        "pass 2C,3C,4C",
        "pass 2C 3C 4X",
        "pass QS",
    ),
    *("play QS KS AS", "play QS@1", "play Q♠", "pass 2c 3c 4c", "pass 2C 3C 4C\n", "play 10S"),
)


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    """Setups with both rule sets, and matches of one deal or several."""
    options: dict[str, int | bool | str] = {
        "rules": draw(st.sampled_from(("standard", "standard", "standard", "recycle"))),
        "moon": draw(st.sampled_from(("others", "shooter"))),
        "target": draw(st.sampled_from((1, 1, 30, 50))),
    }
    return Setup(4, options, draw(shufflers()))


def lying(state: Deals) -> dict[ZoneId, list[Lying]]:
    deal = state.deal
    zones = {"deck": [], "trick": face_up(deal.trick)}
    for seat in range(4):
        zones[f"hand/{seat}"] = face_down(deal.hands[seat])
        zones[f"taken/{seat}"] = face_up(deal.taken[seat])
        if deal.shift:
            # Before anybody leads, chosen cards still lie in front of the player who chose them.
            aside = deal.passed[seat] if deal.leader == -1 else ()
            zones[f"passing/{seat}"] = face_down(aside)
    return zones


def books(view: View) -> tuple[object, object]:
    """Each seat's points, from the view's values and counted from the cards it took."""
    said = [view.values[f"points/{seat}"] for seat in range(4)]
    taken = [view.cards("taken", seat) for seat in range(4)]
    return said, [sum(13 * (c == "QS") + (c[1] == "H") for c in cards) for cards in taken]


def plausible(state: Deals) -> Iterator[Action]:
    """Plausible texts of moves: every card, many passes of three, and much that is no move."""
    for _ in range(3):
        yield from _MALFORMED
    yield from (f"play {token}" for token in TOKENS)
    for hand in state.deal.hands:
        held = [card_text(card) for card in hand] or ["2C"]
        yield from (f"pass {a} {b} {c}" for a in held[:3] for b in held[:3] for c in held[2:5])
    yield from (
        f"pass {a} {b} {c}" for a, b, c in zip(TOKENS, TOKENS[1:], TOKENS[9:], strict=False)
    )


def scramble(played: Played[Deals], at: int, viewer: Viewer, rng: Random) -> Deals:
    """Exchange the unseen cards of the current deal wherever the facts allow.

    The cards that others passed to each other change too: any cards the receiver has had.
    """
    state = played.steps[at].state
    past = _Past.of(played, at)
    passing = state.deal.leader == -1
    hands = [list(hand) for hand in state.deal.hands]
    aside = [list(cards) if passing else [] for cards in state.deal.passed]
    spots = [
        Spot(piles[seat], k, seat)
        for piles in (hands, aside)
        for seat in range(4)
        for k in range(len(piles[seat]))
        if seat != viewer and not _pinned(state.deal, past, viewer, seat, piles[seat][k])
    ]
    exchange(spots, lambda seat, card: card_text(card) not in past.lacks[seat], rng)
    passed = [tuple(sorted(cards)) for cards in aside] if passing else list(state.deal.passed)
    if state.deal.shift and not passing:
        for giver in range(4):
            receiver = (giver + state.deal.shift) % 4
            if viewer not in (giver, receiver):
                had = [*hands[receiver], *past.played[receiver]]
                passed[giver] = tuple(sorted(rng.sample(had, 3)))
    deal = state.deal._replace(
        hands=tuple(tuple(sorted(hand)) for hand in hands), passed=tuple(passed)
    )
    return state._replace(deal=deal)


def rebuild(game: Game[Deals], played: Played[Deals], at: int, state: Deals) -> World[Deals]:
    """The match that comes to `state` by the first moves of `played`, with other passes.

    Its later deals differ.
    """
    assert isinstance(game, Match)
    assert isinstance(game.game, Hearts)
    deals = begun(played, at)
    past, deal = _Past.of(played, at), state.deal
    dealt = [{*hand, *past.played[seat]} for seat, hand in enumerate(deal.hands)]
    for seat in range(4):
        if deal.leader != -1:
            dealt[(seat + deal.shift) % 4] -= set(deal.passed[seat])
    hands = tuple(tuple(sorted({*cards, *deal.passed[seat]})) for seat, cards in enumerate(dealt))
    deals[state.number] = deals[state.number]._replace(hands=hands)
    setup = another_seed(played.setup)
    moves = [*played.moves[: past.begun]]
    for seat, action in played.moves[past.begun : at]:
        chosen = " ".join(map(card_text, deal.passed[seat]))
        moves.append((seat, f"pass {chosen}" if action.startswith("pass") else action))
    return World(Match(Stacked(game.game, deals)), setup, moves)


@dataclass(frozen=True)
class _Past:
    """What a deal's played cards have shown: the cards of each seat, and the cards it must lack."""

    begun: int
    played: Mapping[Seat, list[Card]]
    lacks: Mapping[Seat, set[str]]

    @classmethod
    def of(cls, played: Played[Deals], at: int) -> "_Past":
        number = played.steps[at].state.number
        begun = next(k for k, step in enumerate(played.steps) if step.state.number == number)
        standard = played.setup.options["rules"] == "standard"
        moves: Moves = [move for move in played.moves[begun:at] if move[1].startswith("play")]
        past = cls(begun, defaultdict(list), defaultdict(set))
        heart_seen = False
        for count, (seat, action) in enumerate(moves):
            card = action.removeprefix("play ")
            if count % 4 == 0:
                led = card
                if card[1] == "H" and not heart_seen:
                    past.lacks[seat] |= {token for token in TOKENS if token[1] != "H"}
            elif card[1] != led[1]:
                past.lacks[seat] |= {token for token in TOKENS if token[1] == led[1]}
                if standard and count < 4 and (card[1] == "H" or card == "QS"):
                    past.lacks[seat] |= {t for t in TOKENS if t[1] != "H" and t != "QS"}
            heart_seen = heart_seen or card[1] == "H"
            past.played[seat].extend(parse_cards(card))
        return past


def _pinned(deal: State, past: _Past, viewer: Viewer, seat: Seat, card: Card) -> bool:
    """Whether `viewer` knows that `seat` holds exactly this card."""
    if deal.leader == -1:
        return False
    given = viewer >= 0 and seat == (viewer + deal.shift) % 4 and card in deal.passed[viewer]
    opening = deal.setup.options["rules"] == "standard" and not any(past.played.values())
    return given or (opening and card_text(card) == "2C")


def moon_facts() -> list[Fact]:
    """The facts of a deal in which one player takes all points, rare in random play."""
    game = Hearts()
    setup = Setup(4, {"rules": "recycle"}, Shuffler(seed_from_int(0)))
    hearts, *others = (tuple(range(at, at + 13)) for at in (39, 0, 13, 26))
    step = game.begin(game.start(setup).state._replace(hands=(hearts, *others)))
    facts = [made.fact for made in step.facts]
    while asked := game.to_act(step.state):
        step = game.apply(step.state, asked[0], game.choices(step.state, asked[0]).actions[0])
        facts += (made.fact for made in step.facts)
    return facts


subject = subject_builder(
    Hearts,
    setups=setups(),
    sights=SIGHTS,
    lying=lying,
    books=books,
    plausible=plausible,
    grammar=_GRAMMAR,
    scramble=scramble,
    rebuild=rebuild,
    unseen=lambda action: action.startswith("pass "),
    # The player who holds the two of clubs has to lead it.
    announced=lambda state: state.deal.leader,
    rare_facts=moon_facts,
)
"""The subject of Hearts, or of the variant that it is called with."""
