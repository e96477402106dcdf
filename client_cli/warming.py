"""Why a bot of a private server is slow at first: its kernels are being compiled."""

import asyncio
from collections.abc import Awaitable, Callable

from client_cli.effects import Remark
from client_cli.output import Output
from client_cli.private_server import PrivateServer
from protocol.mirror import TableMirror

_PATIENCE = 5
"""Seconds after which a person wonders."""
_WARMING = Remark("The bots are still warming up; that takes longest the first time.")


async def tell_of_warming(
    server: PrivateServer,
    table: Callable[[], TableMirror | None],
    output: Output,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Say so, if it is so, when one bot has been waited for that long for the first time."""
    seen, waited = -1, 0
    while waited < _PATIENCE:
        await sleep(1)
        now = table()
        if now is None:
            return
        waited = waited + 1 if now.seq == seen and _waits_for_bot(now) else 0
        seen = now.seq
    if server.warms_bots():
        output.remark(_WARMING)


def _waits_for_bot(table: TableMirror) -> bool:
    if table.my_turn:
        return False
    return any(table.info.seats[seat].kind == "bot" for seat in table.question.to_act)
