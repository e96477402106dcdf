"""Nothing hidden leaves the server: every frame is checked against its receiver's knowledge.

Matches are played with people, bots, spectators, lost connections, hints and wrong moves. Then each
frame that was sent is checked.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pydantic_core import to_json

from bots import strengths
from engine import GAMES, Catalogue
from engine.game import MatchGame
from engine.match import Match
from server.table.entries import Acted
from tests.counts import NIGHT, count
from tests.games.catalogue import SERVER_SUBJECTS
from tests.server.harness import open_server
from tests.server.secrecy import recorded_match
from tests.server.secrecy.leak_checker import Leak, LeakChecker
from tests.server.secrecy.recorded_match import (
    MatchRecorder,
    RecordedMatch,
    record_matches,
    verb,
)

AT_ONCE = 25
"""Matches that are played side by side at most."""
MESSAGES = {"table", "event", "ok", "error", "hint", "chat", "presence"}
"""What has to be among the messages that are looked at."""


async def recorded(
    folder: Path,
    game: str,
    numbers: range,
    seed: int,
    bots: Sequence[int],
    catalogue: Catalogue = GAMES,
    alone: bool = False,
) -> list[RecordedMatch]:
    async with open_server(folder, catalogue, max_tables=10_000, chat_per_minute=1000) as server:
        return await record_matches(
            server, Random(seed), numbers, bots, SERVER_SUBJECTS[game].opening, alone
        )


def check(recordings: Iterable[RecordedMatch], catalogue: Catalogue = GAMES) -> Counter[str]:
    """Raise `Leak` if there is one; else return how many messages of each type were checked."""
    looked_at: Counter[str] = Counter()
    for recording in recordings:
        checker = LeakChecker(recording, catalogue)
        for sent in recording.sent:
            checker.check(sent)
            looked_at[sent.message["type"]] += 1
    return looked_at


BATCHES = [
    pytest.param(game, batch, id=f"{game}-{batch}")
    for game, subject in SERVER_SUBJECTS.items()
    for batch in range(ceil(subject.matches / AT_ONCE) if NIGHT else 1)
]


@pytest.mark.timeout(240)
@pytest.mark.parametrize(("game", "batch"), BATCHES)
async def test_no_frame_shows_what_its_reader_may_not_know(
    tmp_path: Path, game: str, batch: int
) -> None:
    """No frame of matches of all sizes and options shows more than its receiver may know."""
    subject = SERVER_SUBJECTS[game]
    size = min(subject.matches, AT_ONCE)
    looked_at, verbs = Counter[str](), set[str]()
    for part in itertools.count():
        # The cards are new each time, so a kind of move may take more matches than planned.
        if part >= count(1) and verbs >= {*subject.verbs} and looked_at.keys() >= MESSAGES:
            break
        folder, numbers = tmp_path / str(part), range(part * size, (part + 1) * size)
        seed = 4 * part + batch
        recordings = await recorded(folder, game, numbers, seed, strengths(game))
        looked_at += check(recordings)
        assert {recording.seats for recording in recordings} == {*GAMES.game(game).info.seats}
        assert {recording.log[-1].body.kind for recording in recordings} == {"act"}, "unfinished"
        acted = (entry.body for recording in recordings for entry in recording.log)
        verbs |= {verb(body.action) for body in acted if isinstance(body, Acted)}


@pytest.mark.timeout(240)
@pytest.mark.parametrize("game", SERVER_SUBJECTS)
async def test_no_frame_shows_what_was_taken_back(tmp_path: Path, game: str) -> None:
    """After an undo no frame tells more than without the moves, to newcomers too.

    The fact that moves were taken back tells the deal again, which is checked against the model
    too.
    """
    kinds = Counter[str]()
    for part in itertools.count():
        if part >= count(1) and kinds["undone"] >= 6 and kinds["watched"]:
            break
        folder, numbers = tmp_path / str(part), range(part * 3, (part + 1) * 3)
        recordings = await recorded(folder, game, numbers, part, [0, 1], alone=True)
        check(recordings)
        kinds.update(entry.body.kind for each in recordings for entry in each.log)


async def test_a_refused_exchange_names_the_jack_of_trumps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refused exchange may name the jack of trumps, since trumps are open."""

    async def exchange(self: MatchRecorder, asked: int) -> None:
        turn = self.server.state(self.code).turn
        for person in self.people.values():
            await person.send("act", table=self.code, turn=turn, action="exchange")

    monkeypatch.setattr(recorded_match, "MISCHIEF", 1)
    monkeypatch.setattr(MatchRecorder, "_mischief", exchange)
    named = 0
    for part in range(20):
        numbers = range(part * 3, (part + 1) * 3)
        recordings = await recorded(tmp_path / str(part), "schnapsen", numbers, part, [0])
        check(recordings)
        refusals = (to_json(each.message) for recording in recordings for each in recording.sent)
        if named := sum(b"that takes the jack of trumps" in refusal for refusal in refusals):
            break
    assert named


@pytest.mark.parametrize(
    ("game", "leaky"),
    [
        pytest.param(game, leaky, id=f"{game}-{leaky.__name__}")
        for game, subject in SERVER_SUBJECTS.items()
        for leaky in subject.leaks
    ],
)
async def test_a_leak_in_the_game_is_found(
    tmp_path: Path, game: str, leaky: type[MatchGame[Any]]
) -> None:
    """A leak by view, fact, audience, text or choice shows in some frame.

    The cards differ each time, and some leaks need luck: so matches are played until one shows it.
    """
    catalogue, bots = Catalogue((Match(leaky()),)), strengths(game)[-1:]

    async def watch() -> None:
        for part in range(12):
            folder, numbers = tmp_path / str(part), range(4 * part, 4 * part + 4)
            check(await recorded(folder, game, numbers, part, bots, catalogue), catalogue)

    with pytest.raises(Leak):
        await watch()
