"""Serves the administrators of a server: at the socket, and in a browser."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import structlog

from server.admin.audit import FILE as AUDIT_FILE
from server.admin.audit import AuditLog
from server.admin.browser_keys import BrowserKeys
from server.admin.listener import AdminListener
from server.admin.pages import AdminPages
from server.admin.service import Administration
from server.admin.socket_file import SocketUnusable, socket_path
from server.game_server import GameServer
from server.ops.settings import Settings
from server.store import Store

log = structlog.get_logger()


class Administrators:
    """The parts that answer administrators: at the socket, and in a browser."""

    def __init__(
        self,
        settings: Settings,
        server: GameServer,
        store: Store,
        now: Callable[[], float],
    ) -> None:
        node = None if store.node is None else store.node.name
        audit = AuditLog(socket_path(settings.data).with_name(AUDIT_FILE), now, node)
        keys = BrowserKeys(now)
        self.administration = Administration(server, store, now, audit, keys)
        self.listener = AdminListener(self.administration, audit)
        self.pages = AdminPages(self.administration, keys, audit)


@asynccontextmanager
async def administered(settings: Settings, admins: Administrators | None) -> AsyncIterator[None]:
    """Answer administrators while the context lasts, if the settings allow it.

    Raises `SocketUnusable` if the socket cannot be made and the settings ask for it by name.
    """
    if admins is None:
        yield
        return
    path = socket_path(settings.data)
    async with AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(admins.listener.listen(path))
        except SocketUnusable as error:
            if settings.admin:
                raise
            log.warning("admin_unavailable", reason=str(error))
        yield
