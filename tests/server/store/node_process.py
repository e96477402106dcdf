"""A node in a process of its own: opens a table, writes for ever, and prints the results.

With ``inside`` it stops itself (SIGSTOP) in its third transaction, before the commit.
"""

import asyncio
import os
import signal
import sys
import threading

from protocol.safe_text import say
from server.store import NodeDetails, NodeFenced, Store, StoreError
from server.store.postgresql import BoundedConnection
from tests.server.store.nodes import SHORT, stored
from tests.server.store.rows import log, opened

STOPS_AT = 3


async def main(url: str, where: str) -> None:
    """Write until the node is fenced."""
    store = await Store.open(url, node=NodeDetails("a", times=SHORT))
    await stored(store, opened())
    say("stored 1", flush=True)
    seq, stops = 2, where == "inside"
    while True:
        if stops and seq == STOPS_AT:
            _stop_before_commit()
            stops = False
        try:
            await store.save(log(seq))
        except StoreError as error:
            say(f"refused {error.code}", flush=True)
            if isinstance(error, NodeFenced):
                break
        else:
            say(f"stored {seq}", flush=True)
            seq += 1
    await store.close()


def _stop_before_commit() -> None:
    commit = BoundedConnection.commit

    def stopping(connection: BoundedConnection) -> None:
        if threading.current_thread().name == "store-writer":
            BoundedConnection.commit = commit  # type: ignore[method-assign] # only once
            os.kill(os.getpid(), signal.SIGSTOP)
        commit(connection)

    BoundedConnection.commit = stopping  # type: ignore[assignment, method-assign] # as a test may


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
