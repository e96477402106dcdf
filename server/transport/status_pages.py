"""Health and figures of a process without players: plain HTTP, and no WebSocket."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response

from server.connections.fair_queue import FairQueue
from server.ops.metrics import Metrics
from server.ops.settings import Settings
from server.transport.addresses import client_address, limited_as
from server.transport.bad_requests import AnsweringConnection
from server.transport.origins import Origins
from server.transport.plain_pages import NO_PLAYERS, Administrators, PlainPages, Ready, text
from server.transport.tls import listening

SECONDS = 5.0
"""How long a request may take to come, and a connection to close."""


class StatusPages:
    """Answers `/healthz`, `/readyz`, `/metrics`, and what administrators ask for.

    `now` gives server time in seconds.
    """

    def __init__(
        self,
        settings: Settings,
        metrics: Metrics,
        ready: Ready,
        remark: Callable[[], str],
        now: Callable[[], float],
        administrators: Administrators | None = None,
    ) -> None:
        self.fair_queue = FairQueue(asyncio.get_running_loop())
        self.remark = remark
        self._settings = settings
        origins = Origins(settings.public, settings.allowed_hosts)
        self._pages = PlainPages(
            settings,
            self,
            metrics,
            ready,
            origins,
            now,
            _ignored,
            administrators,
            has_page=False,
        )

    @asynccontextmanager
    async def listen(self) -> AsyncIterator[Server]:
        """Accept connections until the context ends; `OSError` if the address cannot be had."""
        async with serve(
            _never,
            self._settings.host,
            self._settings.port,
            process_request=self._answer,
            compression=None,
            open_timeout=SECONDS,
            close_timeout=min(SECONDS, self._settings.drain_seconds / 2),
            server_header="blackqueen",
            create_connection=AnsweringConnection,
            **listening(self._settings),
        ) as listener:
            yield listener

    async def _answer(self, connection: ServerConnection, request: Request) -> Response:
        if "Upgrade" in request.headers:
            return text(HTTPStatus.NOT_FOUND, NO_PLAYERS)
        forwarded = request.headers.get_all("X-Forwarded-For")
        trusted = self._settings.trusted_proxies
        address = client_address(str(connection.remote_address[0]), forwarded, trusted)
        return await self._pages.answer(request, limited_as(address))


async def _never(connection: ServerConnection) -> None:
    """No connection is opened."""


def _ignored(reason: str, address: str, player: str | None) -> None:
    """Nobody counts what is refused here."""
