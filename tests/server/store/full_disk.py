"""A process whose disk is full for a while; prints the result of each write.

    python -m tests.server.store.full_disk URL

The disk is full because the process limits the size of its own files: the system then refuses to
write beyond the first few bytes, even where the files are longer already.
"""

import asyncio
import resource
import sys

from server.ops import logs
from server.store import Store, StoreError
from tests.server.store.rows import log, opened


def limit_files(size: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))


async def tell(name: str, store: Store, *seqs: int) -> None:
    try:
        await store.save(opened() if seqs == (1,) else log(*seqs))
    except StoreError as error:
        print(name, error.code)
    else:
        print(name, "stored")


async def run(url: str) -> None:
    logs.configure("json")
    store = await Store.open(url)
    await tell("roomy", store, 1)
    limit_files(1024)
    await tell("full", store, *range(2, 500))
    await tell("still full", store, 2)
    loaded = await store.load("ABCD")
    print("readable", len(loaded[1]) if loaded else 0)
    limit_files(resource.RLIM_INFINITY)
    await tell("roomy again", store, 2)
    await store.close()


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1]))
