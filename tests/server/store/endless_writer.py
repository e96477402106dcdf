"""A process that writes entries without end and prints the number of each that was reported safe.

    python -m tests.server.store.endless_writer URL

Its parent kills it. The numbers go on where the stored log ends.
"""

import asyncio
import os
import sys

from server.store import Store
from tests.server.store.rows import log, opened

IN_FLIGHT = 50


async def write_for_ever(url: str) -> None:
    store = await Store.open(url)
    loaded = await store.load("ABCD")
    if loaded is None:
        await store.save(opened())
    last = 1 if loaded is None else len(loaded[1])

    def next_entry() -> None:
        nonlocal last
        last += 1
        seq = last

        def done(error: Exception | None) -> None:
            if error is None:
                os.write(sys.stdout.fileno(), b"%d\n" % seq)
                next_entry()

        store.commit(log(seq), done)

    for _ in range(IN_FLIGHT):
        next_entry()
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(write_for_ever(sys.argv[1]))
