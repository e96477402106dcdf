"""Plays a whole match between processes over real sockets, as the README promises."""

import asyncio
import json

import pytest

from engine.facts import SPECTATOR, Move
from tests.counts import NIGHT, some
from tests.e2e.client_log import ClientLog, read
from tests.e2e.processes import Programs, Server
from tests.e2e.program import Program, Record, table_code
from tests.e2e.stored import only_table
from tests.games.catalogue import SERVER_SUBJECTS, short_options

pytestmark = pytest.mark.e2e

DEALS = () if NIGHT else ("--option", "deals=2")
"""How many are played: as many as there are players, unless the options say otherwise."""


def result(client: Program) -> Record:
    """Return the final scores as a client reports them, once and at the end."""
    (finished,) = client.records("finished")
    assert finished == client.records()[-1]
    return finished


async def agree(programs: Programs, server: Server, clients: list[Program]) -> None:
    """Check that every client reported the scores that the stored log leads to."""
    await server.stop()
    replay = await programs.run("replay", "--all", "--json", "--data", str(server.data))
    await replay.done()
    (report,) = replay.records()
    (match,) = report["matches"]
    assert (report["phase"], report["agrees"]) == ("finished", True)
    told = {name: match[name] for name in ("names", "totals", "ranks")}
    for client in clients:
        finished = result(client)
        assert {name: finished[name] for name in told} == told
    assert match["totals"] == list(only_table(server.data).totals)


async def test_four_clients_play_a_match(programs: Programs) -> None:
    """Two players' clients and two remote bots, four processes, report the scores of the log."""
    server = await programs.serve()
    auto = ("--auto", "--json", "--name")
    opens = ("--create", "black_queen", "--start", "4", *DEALS)
    host = await programs.run("join", server.url, *opens, *auto, "Ann")
    code = await table_code(host)
    others = [
        await programs.run("join", server.url, code, *auto, "Ben"),
        await programs.run("bot", server.url, code, "--strength", "1", "--json", "--name", "One"),
        await programs.run("bot", server.url, code, "--strength", "1", "--json", "--name", "Two"),
    ]
    clients = [host, *others]
    await asyncio.gather(*(client.done() for client in clients))
    assert set(result(host)["names"]) == {"Ann", "Ben", "One", "Two"}
    await agree(programs, server, clients)


@pytest.mark.skipif(not NIGHT, reason="by day one client fills its table up, in client_cli")
async def test_the_server_fills_up_with_bots(programs: Programs) -> None:
    """Two clients start; the server's bots take the other two seats and play to the end."""
    server = await programs.serve()
    auto = ("--auto", "--json", "--name")
    opens = ("--create", "black_queen", "--start", "2", "--fill", "1", "--option", "deals=1")
    host = await programs.run("join", server.url, *opens, *auto, "Ann")
    guest = await programs.run("join", server.url, *auto, "Ben", await table_code(host))
    await asyncio.gather(host.done(), guest.done())
    stored = only_table(server.data)
    by = [entry.body.by for entry in stored.entries if entry.body.kind == "act"]
    assert by.count("bot") == by.count("player") == len(by) / 2
    await agree(programs, server, [host, guest])


@pytest.mark.parametrize("game", some(SERVER_SUBJECTS))
async def test_spectators_see_what_everybody_sees(programs: Programs, game: str) -> None:
    """A spectator's lines hold the public view and facts of the log, and nothing else of it."""
    server = await programs.serve()
    host = await programs.run(
        *("join", server.url, "--auto", "--json", "--create", game, "--name", "Ann"),
        *("--start", "2", "--fill", "0", *short_options(game)),
    )
    code = await table_code(host)
    spectator = await programs.run("watch", server.url, code, "--json")
    await spectator.line(lambda text: json.loads(text)["type"] == "table")
    guest = await programs.run("bot", server.url, code, "--strength", "0", "--json")
    await asyncio.gather(host.done(), guest.done(), spectator.done())
    client_log = read(spectator)
    client_log.check(only_table(server.data))
    assert client_log.viewer == SPECTATOR
    for event in client_log.events:
        assert event.question is None or event.question.choices is None
    assert not any('"choices"' in line for line in spectator.lines)
    assert hidden_cards(read(host)) > 0 == hidden_cards(client_log)
    assert result(spectator) == result(host)


def hidden_cards(client_log: ClientLog) -> int:
    """Return the number of hand cards that this client was shown when they were dealt."""
    return sum(
        len(change.cards)
        for event in client_log.events
        for fact in event.facts
        for change in fact.changes
        if fact.verb == "hand_dealt" and isinstance(change, Move)
        if isinstance(change.cards, tuple)
    )
