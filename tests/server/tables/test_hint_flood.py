"""A flood of hints over real sockets: bots' moves go first, and every hint is answered."""

from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bots import Decision
from server.bots import thinking
from server.table.table import Table
from tests.raw_client import RawClient
from tests.server.bots.asking import Odd
from tests.server.bots.fake_process import FakeProcess
from tests.server.socket_server import SocketServer, open_socket_server

HINTS = 80
PATIENT = {"messages_per_second": 1e6, "message_burst": 1_000_000}
"""The budgets of messages are not what is tried here."""


async def playing(raw: RawClient, other: RawClient | None) -> str:
    """A table in the middle of a match, with another person or with a bot."""
    opened = await raw.ask("create_table", game="black_queen", seats=2)
    code: str = opened["table"]
    if other is not None:
        await other.ask("join", table=code)
    await raw.ask("start", table=code, fill=0 if other else 1)
    return code


def table_of(server: SocketServer, code: str) -> Table:
    table = server.game_server.live.get(code)
    assert table is not None
    return table


async def answered(raw: RawClient, first: int) -> list[dict[str, object]]:
    """The answers to commands from `number` on, once a frame has one."""
    answers: list[dict[str, object]] = []
    while not answers:
        answers += [each for each in await raw.receive() if (each.get("id") or 0) >= first]
    return answers


async def test_a_flood_of_hints_does_not_hold_up_bots(
    tmp_path: Path, fakes: list[FakeProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One hint of a connection is computed; then a bot moves before the next."""
    monkeypatch.setattr(thinking, "bot_of", lambda game, strength: Odd("unused", False))
    async with open_socket_server(tmp_path, **PATIENT) as server, AsyncExitStack() as stack:
        floods = []
        for _ in range(2):
            pair = [await stack.enter_async_context(server.client()) for _ in range(2)]
            code = await playing(*pair)
            (seat,) = table_of(server, code).state.to_act
            floods.append((pair[seat], code))
        for raw, code in floods:
            for number in range(HINTS):
                await raw.send_message({"type": "hint", "id": 100 + number, "table": code})
        refused: list[dict[str, object]] = []
        for raw, _ in floods:
            mine: list[dict[str, object]] = []
            while len(mine) < HINTS - 8:
                mine += await answered(raw, first=100)
            refused += mine
        assert {answer["code"] for answer in refused} == {"try_again"}
        assert all(answer["retry_after"] for answer in refused)
        ann = await stack.enter_async_context(server.client())
        code = await playing(ann, None)
        table = table_of(server, code)
        if table.state.to_act == (0,):
            action = table.game.choices(table.state.play, 0).actions[0]
            await ann.ask("act", table=code, turn=table.state.turn, action=action)
        while len(server.game_server.questions) < 3:
            await ann.ask("ping")
        (process,) = fakes
        lanes = []
        for _ in range(3):
            (request,) = process.job
            lanes.append(request.lane)
            process.answer(Decision(request.position.choices.actions[0]))
        assert (lanes[1], {*lanes}) == (code, {code, *(flooded for _, flooded in floods)})
        for raw, _ in floods:
            hints = await answered(raw, first=100)
            assert [answer["type"] for answer in hints] == ["hint"] * 8
