"""None of our games tells a seat or a spectator of a card that they may not see.

`SIGHTS` says a second time who may see which pile. Every change that names cards must come from or
go to a pile that its receiver may see, or show such a pile; every card that is named in words must
lie in such a pile, or have moved so. What a seat sees and is offered must be the same in a world
with the same past for the seat and the hidden cards dealt differently.
"""

from collections.abc import Iterable, Iterator
from random import Random

import pytest

from engine import Setup, Shuffler, View, seed_from_int
from engine.cards import Token
from engine.choices import random_action
from engine.facts import OPEN, SPECTATOR, AddressedFact, Fact, Move, Show, Viewer, ZoneId, seen_by
from engine.recycle import Description, load
from engine.recycle.games import description, names
from engine.views import zone_parts
from tests.conformance.described_games import SIGHTS
from tests.conformance.subject import Sight
from tests.counts import count
from tests.engine.recycle.games.constructs import family
from tests.engine.recycle.games.playing import game
from tests.engine.recycle.games.secrets import keeps_secrets

pytestmark = pytest.mark.no_cover


def sees(name: str, zone: ZoneId, viewer: Viewer) -> bool:
    """Whether the rules of the game let `viewer` see what lies in `zone`."""
    kind, owner, _ = zone_parts(zone)
    sight = SIGHTS[family(name)][kind]
    others = viewer not in (owner, SPECTATOR)
    return {
        Sight.EVERYBODY: True,
        Sight.OWNER: viewer == owner,
        Sight.OTHERS: others,
    }.get(sight, False)


def open_to(name: str, view: View, viewer: Viewer) -> Iterator[Token]:
    """All cards that `viewer` may see, read from the open view."""
    for zone, lying in view.zones.items():
        if sees(name, zone, viewer):
            yield from lying.cards


def named(name: str, facts: Iterable[Fact], viewer: Viewer) -> Iterator[Token]:
    """The cards that changes name; each must be one that `viewer` may see."""
    for fact in facts:
        for change in fact.changes:
            match change:
                case Move(source, target, tuple() as cards):
                    assert sees(name, source, viewer) or sees(name, target, viewer), fact
                    yield from cards
                case Show(zone, cards):
                    assert sees(name, zone, viewer), fact
                    yield from cards
                case _:
                    pass


def words(game: Description, facts: Iterable[Fact]) -> Iterator[Token]:
    """The cards that are named in the texts."""
    tokens = set(game.program.components.decks.tokens)
    for fact in facts:
        for said in fact.args.values():
            # A number is a seat or a count, even where there are cards that are called so.
            if isinstance(said, str):
                yield from (word for word in said.split() if word in tokens)


def tell_tales(name: str, described: Description, seed: int) -> None:
    """Play a game and check all facts and all options for cards that the viewer may not see."""
    seats, rng = described.info.usual_seats, Random(seed)
    step = described.start(Setup(seats, {}, Shuffler(seed_from_int(seed))))
    before, facts = View({}, {}), list[AddressedFact]()
    while True:
        after = described.view(step.state, OPEN)
        for viewer in (SPECTATOR, *range(seats)):
            seen = seen_by(step.facts, viewer)
            known = {*named(name, seen, viewer)}
            known.update(*(open_to(name, view, viewer) for view in (before, after)))
            assert known.issuperset(words(described, seen))
            zones = described.view(step.state, viewer).zones
            assert {*open_to(name, after, viewer)} == {c for z in zones.values() for c in z.cards}
        facts += step.facts
        asked = described.to_act(step.state)
        if not asked:
            return
        if rng.random() < 0.05:
            keeps_secrets(described, step.state, facts, rng)
        seat, before = rng.choice(asked), after
        action = random_action(described.choices(step.state, seat), rng)
        step = described.apply(step.state, seat, action)


@pytest.mark.parametrize("name", names())
def test_no_secret_is_told(name: str) -> None:
    """Facts, texts, views and options reveal no hidden card."""
    for seed in range(count(1)):
        tell_tales(name, game(name), seed)


@pytest.mark.parametrize(
    ("name", "closed", "opened"),
    [
        ("Hearts4", "iloc HAND", "vloc HAND"),
        ("Golf4", "hloc DOWN", "iloc DOWN"),
        ("Cribbage2", "(game hloc CRIB)", "(game vloc CRIB)"),
        ("BlindMan4", "oloc FOREHEAD", "vloc FOREHEAD"),
    ],
)
def test_an_open_pile_would_be_noticed(name: str, closed: str, opened: str) -> None:
    """The check fails for a description that shows a pile to a viewer that may not see it."""
    text = description(name)
    assert closed in text
    changed = load(text.replace(closed, opened), name)
    with pytest.raises(AssertionError):
        tell_tales(name, changed, 0)
