"""What every release wrote is read for ever: equal results, facts and views.

A recording is never changed and never left out. If one of these tests fails, tables that people
have stored would be lost, or would end otherwise than they were played.
"""

from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from server.games.descriptions import digest_in
from server.table.entries import Acted, Closed, Left, Opened
from server.tables.rows import entry_of
from tests.counts import NIGHT, count
from tests.recordings.expected import (
    Digests,
    Json,
    bring_up_to_date,
    entries_of,
    expected_of,
)
from tests.recordings.party import Party
from tests.recordings.scenes import record_scenes
from tests.recordings.stored import FOLDER, Recording, recordings
from tests.releases import releases
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server
from tests.server.statements import execute
from tests.server.store.rows import results

RELEASES = sorted(path.parent for path in FOLDER.glob("*/scenes.json.xz"))
KINDS = (
    {"opened", "seated", "moved", "left", "bot_added", "bot_removed", "readied", "configured"}
    | {"started", "dealt", "taken_over", "handed_back", "timed_out", "paused", "resumed"}
    | {"reopened", "closed", "act"}
)
"""Of entries that existed when the first recording was made."""
OPEN = ("lobby", "playing", "paused", "finished")
UNFINISHED = ("playing", "paused")


def stored(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("recording", recordings(*names), ids=str)


def test_no_recording_was_left_out() -> None:
    """The first recording exists, and each has all of its parts."""
    assert "before-0.1.0" in {release.name for release in RELEASES}
    for release in RELEASES:
        assert {path.name for path in release.iterdir()} == {
            *("scenes.json.xz", "scenes.sqlite3.xz", "matches.json.xz", "matches.sqlite3.xz"),
            *("killed.json.xz", "killed.sqlite3.xz", "killed.wal.xz"),
        }


@stored()
def test_an_old_database_comes_to_what_it_came_to(recording: Recording, tmp_path: Path) -> None:
    """An old database replays to its recorded phases, results, facts and views."""
    found = expected_of(recording.copy(tmp_path / "data"), Digests(recording.left_out))
    tables = recording.said["tables"]
    assert found.keys() == tables.keys()
    for code, recorded in tables.items():
        table, about = found[code], f"{code}: {recorded['about']}"
        assert first_difference(table["steps"], recorded["steps"]) is None, about
        # A server may report more about a table now than it did then.
        printed = {name: table["replay"][name] for name in recorded["replay"]}
        assert {"about": recorded["about"], **table, "replay": printed} == recorded


def first_difference(found: str, recorded: str) -> int | None:
    """The number of the first entry at which somebody saw something else."""
    pairs = enumerate(zip(found.split(), recorded.split(), strict=True), start=1)
    return next((seq for seq, (one, other) in pairs if one != other), None)


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name)
def test_every_kind_of_entry_is_recorded(release: Path, tmp_path: Path) -> None:
    """The recordings have all kinds of entries, movers and reasons for closing."""
    bodies, phases = [], set()
    for recording in recordings():
        if recording.release == release:
            data = recording.copy(tmp_path / recording.name)
            bring_up_to_date(data)
            phases |= {table["phase"] for table in recording.said["tables"].values()}
            bodies += [entry_of(row).body for row in entries_of(data)]
    assert {body.kind for body in bodies} >= KINDS
    # A table that is dealing never lies in a database: what deals is written with the cards.
    assert phases >= {*OPEN, "stopped", "closed"}
    by = {body.by for body in bodies if isinstance(body, Acted)}
    assert by == {"player", "bot", "stand_in", "clock"}
    reasons = {body.reason for body in bodies if isinstance(body, Closed)}
    assert reasons >= {"left", "expired", "abandoned", "finished", "stopped"}
    seeds = {body.seed is None for body in bodies if isinstance(body, Opened)}
    assert seeds == {True, False}
    left = {(body.kicked, body.strength is None) for body in bodies if isinstance(body, Left)}
    assert left == {(False, False), (False, True), (True, False), (True, True)}
    actions = {body.action.split()[0] for body in bodies if isinstance(body, Acted)}
    assert actions >= {"play", "bid", "pass", "claim", "close", "marry", "exchange"}


@stored("scenes", "matches")
async def test_a_server_goes_on_with_an_old_database(recording: Recording, tmp_path: Path) -> None:
    """A server on an old database lists its open tables and knows its players."""
    said = recording.said
    async with reopened(recording, tmp_path) as server:
        directory = server.game_server.tables.directory
        assert set(execute(server, "SELECT table_code, player FROM seats")) == {
            (code, player) for code in directory for player in directory.players_at(code)
        }
        # One that was stopped goes as soon as somebody looks at it.
        open_tables = {c: t for c, t in said["tables"].items() if t["phase"] in OPEN}
        at_first = settings_known(server)
        seen = set()
        for person in said["players"]:
            client = await returned(server, person)
            for code, mirror in client.tables.items():
                assert mirror.seat is not None
                seen.add(code)
                if server.state(code).play is not None:
                    recorded = open_tables[code]["views"][str(mirror.seat)]
                    assert Digests(recording.left_out).view(mirror.view) == recorded, code
        assert seen == set(open_tables)
        if recording.release.name == "before-0.1.0":
            # There was no such setting: everybody was let in.
            assert {server.state(code).settings.latecomers for code in seen} == {"anyone"}
        # What is listed of a table that sleeps is what it says itself when it is loaded.
        stranger = await server.client("Stranger")
        listed = {t["table"]: t["settings"] for t in (await stranger.ask("list_tables"))["tables"]}
        assert listed == {code: at_first[code] for code in listed}
        assert listed.keys() == {c for c in seen if not server.state(c).settings.private}


@pytest.mark.parametrize(
    "recording",
    [each for each in recordings() if NIGHT or each.release.name == releases()[-1].recordings],
    ids=str,
)
@pytest.mark.timeout(480)
async def test_an_old_match_is_played_to_its_end(
    recording: Recording, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """An old match in play can be played to its end."""
    rng = Random(request.config.getoption("randomly_seed", 0))
    said = recording.said
    unfinished = sorted(c for c, t in said["tables"].items() if t["phase"] in UNFINISHED)
    chosen = rng.sample(unfinished, min(len(unfinished), count(8 if NIGHT else 3)))
    async with reopened(recording, tmp_path) as server:
        people = [await returned(server, person) for person in said["players"]]
        for code in chosen:
            if thinks_elsewhere(server, code):
                # Its bots answer by the real clock: that is for the tests of whole programs.
                continue
            await play_on(server, code, people, rng)
            assert server.state(code).phase == "finished", said["tables"][code]["about"]
            assert len(await results(server.store, code)) == server.state(code).match


@stored("scenes")
async def test_an_old_answer_is_given_again(recording: Recording, tmp_path: Path) -> None:
    """A command that an older version answered gets that answer when repeated."""
    repeated = recording.said["repeated"]
    assert {each["answer"]["type"] for each in repeated} == {"ok", "error"}
    async with reopened(recording, tmp_path) as server:
        for each in repeated:
            client = TestClient(server, client_id=each["client"])
            client.token = each["token"]
            await client.hello(id=10**6)
            await client.send_message(each["said"])
            await server.settle()
            assert client.answers[each["said"]["id"]] == [each["answer"]]


def settings_known(server: ServerHarness) -> dict[str, Json]:
    """The settings of all open tables, also of those that are not listed."""
    directory = server.game_server.live.directory
    infos = {code: directory.info(code) for code in directory}
    return {code: info["settings"] for code, info in infos.items() if info is not None}


async def test_this_version_can_be_recorded(tmp_path: Path) -> None:
    """The recording script still produces everything it must."""
    scenes = await record_scenes(tmp_path, tmp_path / "data")
    bodies = [entry_of(row).body for row in entries_of(tmp_path / "data")]
    assert {body.kind for body in bodies} >= KINDS
    assert len(scenes.about) == len(scenes.parties) > 25
    assert {each["answer"]["type"] for each in scenes.repeated} == {"ok", "error"}


def reopened(recording: Recording, tmp_path: Path) -> Any:  # what `asynccontextmanager` makes
    """Today's server on a copy of the database, a moment after the old one stopped."""
    data = recording.copy(tmp_path / "data")
    return open_server(data, now=recording.said["now"] + 5)


async def returned(server: ServerHarness, person: Json) -> TestClient:
    """A returning player with an old token and a new program."""
    client = TestClient(server, client_id="attic")
    client.token = person["token"]
    welcome = await client.hello()
    assert (welcome["type"], welcome["player"]) == ("welcome", person["player"])
    await server.settle()
    return client


def thinks_elsewhere(server: ServerHarness, code: str) -> bool:
    """Whether a searching bot plays a described game."""
    state = server.state(code)
    return digest_in(state.game) is not None and any(chair.strength for chair in state.chairs)


async def play_on(
    server: ServerHarness, code: str, people: Iterable[TestClient], rng: Random
) -> None:
    party = Party(server, code, [client for client in people if code in client.tables], rng)
    await party.play_on()
