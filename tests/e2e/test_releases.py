"""Tests released clients with today's server, and the reverse.

By day the last release is tested, by night all. Before the first release the last commit stands for
one.
"""

import asyncio
import json
from pathlib import Path
from random import Random

import pytest

from protocol.version import JSON
from tests.counts import NIGHT
from tests.e2e.processes import Programs, free_port
from tests.e2e.program import Program, Record, table_code, told
from tests.games.catalogue import SERVER_SUBJECTS, short_options
from tests.releases import ROOT, Release, releases, shared_source
from tests.server.harness import open_server

pytestmark = pytest.mark.e2e

RELEASES = [each for each in releases() if each.version != "0.1.0"][0 if NIGHT else -1 :]
"""Those whose programs still play with today's: of 0.1.0 only what it stored is read."""
DESCRIBED = "Agram3.rcy"
GAMES = Path("engine") / "recycle" / "games"


@pytest.fixture(scope="session", params=RELEASES, ids=str)
def old(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source of a released version."""
    release: Release = request.param
    return shared_source(release, tmp_path_factory)


async def sit(programs: Programs, url: str, game: str, source: Path | None, *words: str) -> Program:
    """Start a client that opens or joins a table, and plays by itself."""
    # Without hints it plays at random, and the server need not compile what the best bots are.
    short = ("--option", "deals=1") if game == DESCRIBED else short_options(game)
    opens = ("--create", game, *short, "--option", "hints=false", "--fill", "0")
    automatic = ("--auto", "--json", "--name", "Ann")
    return await programs.run("join", url, *opens, *automatic, *words, source=source)


def result(client: Program) -> Record:
    (finished,) = client.records("finished")
    return finished


async def replayed(programs: Programs, data: Path, source: Path | None) -> dict[str, Record]:
    """Return the tables as the program that wrote them reports them, which is what was stored."""
    replay = await programs.run("replay", "--all", "--json", "--data", str(data), source=source)
    await replay.done()
    reports = {report["table"]: report for report in map(json.loads, replay.lines)}
    assert all(report["agrees"] for report in reports.values())
    return reports


async def test_the_old_program_is_the_old_program(programs: Programs, old: Path) -> None:
    """Each module of an old program comes from the old source, not from the installed one."""
    code = "import blackqueen, server, protocol; print([m.__file__ for m in (blackqueen, server)])"
    program = await programs.python(code, source=old)
    line = await program.line(lambda text: True)
    await program.done()
    assert line.count(f"{old}/") == 2


FOLLOWS = """
import json, sys
from pathlib import Path
from protocol.lenient import read
from protocol.mirror import TableMirror

mirror = None
for message in map(read, json.loads(Path(sys.argv[1]).read_text())):
    if message.type == "event":
        mirror = mirror.follow(message)
        continue
    shown = TableMirror.of(message)
    assert mirror in (None, shown), (mirror, shown)
    mirror = shown
print("folded", mirror.seq)
"""
"""A client's picture of a table, compared with each snapshot of it."""


async def test_an_old_client_folds_moves_that_were_taken_back(
    programs: Programs, old: Path, tmp_path: Path
) -> None:
    """An old client, which does not know moves that are taken back, still shows the table right."""
    async with open_server(tmp_path / "data") as server:
        ann = await server.client("Ann", JSON)
        code = await ann.open_table(seats=3)
        await ann.ask("start", table=code, fill=0)
        for _ in range(3):
            await server.play(code, 2, ann)
            assert (await ann.ask("undo", table=code))["type"] == "ok"
            await ann.ask("sync", table=code)
        seq = ann.tables[code].seq
    told = tmp_path / "told.json"
    told.write_text(json.dumps([m for m in ann.received if m["type"] in ("table", "event")]))
    follower = await programs.python(FOLLOWS, words=(str(told),), source=old)
    await follower.line(lambda text: text == f"folded {seq}")
    await follower.done()


@pytest.mark.parametrize("newer", ["server", "clients"])
async def test_every_game_is_played_to_its_end(programs: Programs, old: Path, newer: str) -> None:
    """Clients of one version play whole matches with bots at a server of the other version.

    Every game that both have is played, and one described game.
    """
    serving, playing = (None, old) if newer == "server" else (old, None)
    server = await programs.serve("--games", str((serving or ROOT) / GAMES), source=serving)
    games = [game for game in SERVER_SUBJECTS if (old / "engine" / "games" / game).is_dir()] + [
        DESCRIBED
    ]
    hosts = [await sit(programs, server.url, game, playing, "--start", "1") for game in games]
    await asyncio.gather(*(host.done() for host in hosts))
    await server.stop()
    reports = await replayed(programs, server.data, serving)
    assert len(reports) == len(games)
    # A client that connects when another has finished is its player, and sees its table first.
    for finished in map(result, hosts):
        (match,) = reports[finished["table"]]["matches"]
        assert match["totals"] == finished["totals"]


@pytest.mark.parametrize("newer", ["server", "host", "guest"])
async def test_old_and_new_sit_at_one_table(programs: Programs, old: Path, newer: str) -> None:
    """Clients of a person, a bot and a spectator, of both versions, report equal results."""
    server = await programs.serve(source=None if newer == "server" else old)
    source = None if newer == "host" else old
    host = await sit(programs, server.url, "black_queen", source, "--start", "2")
    code = await table_code(host)
    source = None if newer == "guest" else old
    spectator = await programs.run("watch", server.url, code, "--json", source=source)
    await spectator.line(lambda text: json.loads(text)["type"] == "table")
    guest = await programs.run("bot", server.url, code, "--strength", "1", "--json", source=source)
    clients = [host, guest, spectator]
    await asyncio.gather(*(client.done() for client in clients))
    assert result(host) == result(spectator)
    assert result(guest)["totals"] == result(host)["totals"]


@pytest.mark.skipif(not NIGHT, reason="a whole match with a bot that thinks; at night")
async def test_an_old_bot_plays_a_described_game(programs: Programs, old: Path) -> None:
    """An old bot, whose `hello` names no abilities, plays with internal values of the view.

    Without them its samples of the hidden cards fail, and the server takes its seat over.
    """
    server = await programs.serve("--games", str(ROOT / GAMES))
    host = await sit(programs, server.url, DESCRIBED, None, "--start", "2")
    code = await table_code(host)
    guest = await programs.run("bot", server.url, code, "--strength", "1", "--json", source=old)
    await asyncio.gather(host.done(), guest.done())
    assert result(guest)["totals"] == result(host)["totals"]
    assert not guest.errors


async def test_a_table_outlives_an_upgrade_of_its_server(
    programs: Programs, old: Path, rng: Random
) -> None:
    """An old server is killed during a match, and today's server continues with its database.

    The clients, an old one and a new one, reconnect by themselves.
    """
    server = await programs.serve(port=free_port(rng), source=old)
    host = await sit(programs, server.url, "black_queen", old, "--start", "2")
    code = await table_code(host)
    guest = await programs.run("bot", server.url, code, "--strength", "0", "--json")
    await told(host, 40)
    await server.kill()
    server = await programs.serve(port=server.port)
    await asyncio.gather(host.done(), guest.done())
    await server.stop()
    reports = await replayed(programs, server.data, None)
    (match,) = reports[code]["matches"]
    assert match["totals"] == result(host)["totals"] == result(guest)["totals"]
