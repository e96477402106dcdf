"""Takes out of the database what was over long ago, where whoever runs the server wants that."""

import asyncio
from collections.abc import Callable

import structlog

from server.store import Store, StoreError, Write

log = structlog.get_logger()

DAY_SECONDS = 86_400.0
LOOK_SECONDS = 3600.0
AT_ONCE = 50
"""Tables that one commit deletes: moves wait for it."""


async def keep_house(store: Store, days: float, now: Callable[[], float]) -> None:
    """Look every hour, from now on for ever, for what is older than `days`."""
    while True:
        try:
            deleted = await clear_out(store, now() - days * DAY_SECONDS)
        except StoreError as error:
            # Another hour will do.
            log.warning("tables_not_deleted", reason=str(error))
        else:
            if deleted:
                log.info("tables_deleted", count=deleted)
        await asyncio.sleep(LOOK_SECONDS)


async def clear_out(store: Store, moment: float) -> int:
    """Delete tables closed before `moment` and answers given before it; how many tables."""
    deleted = 0
    while codes := await store.closed_before(moment, AT_ONCE):
        await store.save(Write(deleted=tuple(codes)))
        deleted += len(codes)
    await store.save(Write(answers_before=moment))
    return deleted
