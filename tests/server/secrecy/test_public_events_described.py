"""Public events of described games name no hidden card, and show no hidden difference."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import Match, Setup, Shuffler, Step
from engine.cards import Token
from engine.facts import OPEN
from engine.game import MatchGame
from engine.recycle.games import description, names
from engine.recycle.state import State
from engine.views import zone_parts
from server.events import narrator
from server.games.folder import GameFolder
from server.table.entries import Entry
from server.table.fold import GamesById, replay
from tests.conformance.described import Deals
from tests.conformance.described_games import SIGHTS
from tests.conformance.described_subjects import SUBJECTS, WITHOUT_HISTORY
from tests.conformance.subject import Sight, Subject, World
from tests.counts import NIGHT, count
from tests.games.server_subject import Opening
from tests.server.controllable_store import ControllableStore
from tests.server.harness import open_server
from tests.server.secrecy.leak_checker import Leak
from tests.server.secrecy.published import PublicWorldsRunner, Subscriber, with_tokens
from tests.server.secrecy.recorded_match import record_matches
from tests.server.secrecy.two_worlds import ScriptedPair

MOVES = 40
"""So many are made in worlds that differ."""
ALWAYS = ("BlindMan4", "Cribbage2", "GoFish3", "Golf4", "Goofspiel3")
"""Cards that all but their owner see, a crib, questions, face-down rows, bids at the same time."""
LEAKS = names() if NIGHT else ALWAYS
COMPARED = [
    subject
    for subject in (*SUBJECTS, *WITHOUT_HISTORY)
    if NIGHT or subject.name in {name.lower() for name in ALWAYS}
]
WORD = re.compile(r"[^\s.,:;()]+")


class OpenCards:
    """The open cards after each entry of a match, by the independent table of sights."""

    def __init__(self, name: str, games: GamesById, log: Sequence[Entry]) -> None:
        self._sights = SIGHTS[name.rstrip("0123456789")]
        self._open: dict[int, set[Token]] = {0: set()}
        self._cards: set[Token] = set()
        for entry, step in replay(games, log):
            play = step.state.play
            self._open[entry.seq] = set()
            if play is not None:
                game = games.game(step.state.game)
                self._cards = {card.token for card in game.info.legend if not card.token.isdigit()}
                zones = game.view(play, OPEN).zones
                self._open[entry.seq] = {
                    card for name, zone in zones.items() if self._seen(name) for card in zone.cards
                }

    def check(self, first: int, last: int, message: Mapping[str, Any]) -> int:
        """The number of cards that move in a message about these entries; `Leak` if one is hidden.

        A change names cards that are open before it or after it, and the words no others.
        """
        known = set[Token]().union(*(self._open[seq] for seq in range(first, last + 1)))
        moved = 0
        for fact in message.get("facts", ()):
            for change in fact.get("changes", ()):
                if isinstance(change.get("cards", 0), int):
                    continue
                zones = {change.get(key) for key in ("zone", "source", "target")} - {None}
                if not any(self._seen(zone) for zone in zones):
                    raise Leak(f"{change} names hidden cards")
                known.update(change["cards"])
                moved += len(change["cards"])
        said = {word for text in _texts(message) for word in WORD.findall(with_tokens(text))}
        if hidden := (said & self._cards) - known:
            raise Leak(f"{message['type']} names {hidden}: {message}")
        return moved

    def _seen(self, zone: str) -> bool:
        return self._sights[zone_parts(zone)[0]] is Sight.EVERYBODY


def _texts(part: object) -> Iterator[str]:
    """Every text in a message, at any depth."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        for each in part.values():
            yield from _texts(each)
    elif isinstance(part, Iterable):
        for each in part:
            yield from _texts(each)


async def named_in_events(folder: Path, name: str, matches: int) -> int:
    """The number of cards that move in all messages of some matches; `Leak` for a hidden one."""
    (folder / "games").mkdir()
    (folder / "games" / f"{name}.rcy").write_text(description(name))
    hosted, subscriber = GameFolder(folder / "games"), Subscriber()
    opening = Opening(f"{name}.rcy", int(name.lstrip(name.rstrip("0123456789"))), {}, ("nonsense",))
    async with open_server(
        folder, hosted=hosted, broker=subscriber, chat_per_minute=1000
    ) as server:
        subscriber.server = server
        recordings = await record_matches(
            server, Random(matches), range(matches), (0,), lambda rng, number: opening
        )
        cards = {each.code: OpenCards(name, server.library, each.log) for each in recordings}
    heard, last = 0, dict.fromkeys(cards, 0)
    for seq, message in subscriber.heard:
        code = message["table"]
        heard += cards[code].check(max(0, last[code] - 1), seq, message)
        last[code] = seq
    return heard


@pytest.mark.parametrize("name", LEAKS)
async def test_no_event_of_a_described_game_names_a_hidden_card(tmp_path: Path, name: str) -> None:
    """No message about a described game names a hidden card."""
    assert await named_in_events(tmp_path, name, count(1)) > 5


async def test_events_of_a_described_seat_would_be_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The checker finds events of a described game with what the first seat sees."""
    monkeypatch.setattr(narrator, "SPECTATOR", 0)
    with pytest.raises(Leak):
        await named_in_events(tmp_path, "Cribbage2", 1)


class Arranged(Match[State]):
    """A match whose deals come from `shuffler`, whatever the seed of its table."""

    def __init__(self, game: MatchGame[State], shuffler: Shuffler) -> None:
        super().__init__(game)
        self.shuffler = shuffler

    def start(self, setup: Setup) -> Step[Deals]:
        return super().start(replace(setup, shuffler=self.shuffler))


class ArrangedWorldsRunner(PublicWorldsRunner):
    """Plays worlds that differ by exchanged cards in the shuffle."""

    async def both(self, pair: ScriptedPair) -> tuple[list[bytes | str], list[bytes | str]]:
        one, two = (_arranged(world) for world in pair.worlds)
        return await super().both(replace(pair, worlds=(one, two)))


def _arranged(world: World[Deals]) -> World[Deals]:
    assert isinstance(world.game, Match)
    return world._replace(game=Arranged(world.game.game, world.setup.shuffler))


@pytest.mark.parametrize("subject", COMPARED, ids=lambda subject: subject.name)
async def test_described_worlds_that_spectators_cannot_tell_apart_publish_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, subject: Subject[Any]
) -> None:
    """Described worlds alike to spectators publish equal bytes."""
    store = await ControllableStore.open(f"sqlite:///{tmp_path / 'players.sqlite3'}")
    store.players_only = True
    await ArrangedWorldsRunner(store, tmp_path, monkeypatch).compare(subject, count(MOVES))
    await store.close()


async def test_described_worlds_seen_from_a_seat_differ(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Described worlds published as a seat sees them differ."""
    monkeypatch.setattr(narrator, "SPECTATOR", 0)
    store = await ControllableStore.open(f"sqlite:///{tmp_path / 'players.sqlite3'}")
    store.players_only = True
    (cribbage,) = (subject for subject in WITHOUT_HISTORY if subject.name == "cribbage2")
    with pytest.raises(AssertionError):
        await ArrangedWorldsRunner(store, tmp_path, monkeypatch).compare(cribbage, MOVES)
    await store.close()
