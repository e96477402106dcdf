"""Answers to plain HTTP requests: the page for browsers, health, metrics.

Requests are counted by their address, and health requests separately: a monitor needs an answer
especially under load.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from math import ceil
from typing import TypeAlias

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from server.game_server import GameServer
from server.net.opening import PATH as OPENING
from server.net.opening import Opening
from server.net.origins import Origins
from server.net.page_files import PageFile, page_files
from server.net.traffic import AddressBudgets
from server.ops.health_figures import HealthFigures
from server.ops.metrics import Metrics
from server.ops.settings import Settings
from server.sessions.fair_queue import Share

PAGE_PRICES = {"/metrics": 50, "/readyz": 5, "/admin/enter": 5, "/admin/overview": 20}
"""The prices of pages, as that of a `Command`; the other pages cost next to nothing."""
HEALTH = ("/healthz", "/readyz")
FOREIGN_NAME = (
    "This server is not known by that name. Whoever runs it can add the name: --public-url, "
    "--allowed-hosts.\n"
)
TEXT, JSON = "text/plain; charset=utf-8", "application/json"
FOR_EVER = "public, max-age=31536000, immutable"
HERE = ("localhost", "127.0.0.1")
SAFETY = (
    ("X-Content-Type-Options", "nosniff"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
)
"""What a browser is told with every answer: guess no types, and hand us to no other page."""


def _document_safety(connect: str) -> Sequence[tuple[str, str]]:
    return (
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            f"connect-src {connect}; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'",
        ),
    )


DOCUMENT_SAFETY = _document_safety("'self'")
"""And with all that may become a document: run nothing but our own files, show it nowhere else.

The parts of a page (`PageFile.is_part`) do without: a browser obeys the policies of the document.
"""
SAFETY_WITH_NODES = _document_safety(
    "'self' " + " ".join(f"{way}://{host}:*" for way in ("ws", "wss") for host in HERE)
)
"""The same for the page of a node on the machine itself, which goes to others at their ports."""

NEVER_KEPT = "no-store"
"""Neither what only some may read, nor a document: going back to one that names the files of an
older server would show an empty page."""

Administrators: TypeAlias = Callable[
    [str, str, str], Awaitable[tuple[HTTPStatus, bytes, bool] | None]
]
"""Answers what an administrator's page asks for.

It is given the path, the header `Authorization` and the address, and returns status, JSON, and
whether the key was refused; None if there is nothing at this path.
"""
Cut: TypeAlias = Callable[[str, str, str | None], None]
"""Is told why something was refused, to which address, and to which player."""


class PlainPages:
    """Answers plain HTTP requests. `now` returns server time in seconds."""

    def __init__(
        self,
        settings: Settings,
        server: GameServer,
        metrics: Metrics,
        origins: Origins,
        now: Callable[[], float],
        cut: Cut,
        administrators: Administrators | None = None,
    ) -> None:
        self._server = server
        self._max_connections = settings.max_connections
        self._metrics = metrics
        self._origins = origins
        self._now = now
        self._cut = cut
        self._administrators = administrators
        self._health = HealthFigures(
            server.ready, settings.data.expanduser(), settings.max_connections, settings.max_tables
        )
        metrics.register(self._health)
        self._opening = Opening(settings.opening)
        self._budgets = AddressBudgets(
            settings.address_pages_per_second, settings.address_page_burst
        )
        public = settings.public
        own = "wss://..." if settings.has_tls else "ws://..."
        self._join = own if public is None else public.websocket
        self._index = lru_cache(maxsize=4)(self._made_index)

    async def answer(self, request: Request, address: str) -> Response:
        """Answer a request from `address`."""
        response = await self._answer(request, address)
        if _method(request) == "HEAD":
            # Its headers are those of the whole answer.
            response.body = b""
        return response

    async def _answer(self, request: Request, address: str) -> Response:
        page = self._origins.page(request.path)
        if _method(request) not in ("GET", "HEAD"):
            response = text(HTTPStatus.METHOD_NOT_ALLOWED, "ask for pages with GET or HEAD\n")
            response.headers["Allow"] = "GET, HEAD"
            return response
        if page not in HEALTH and (refusal := self._over_budget(address)) is not None:
            return refusal
        if page in PAGE_PRICES:
            await self._server.fair_queue.wait_turn(PAGE_PRICES[page], Share())
        if page == "/healthz":
            return text(HTTPStatus.OK, "ok\n")
        if page == "/readyz":
            return await self._readiness()
        hosts = request.headers.get_all("Host")
        if not self._origins.may_read(hosts):
            self._cut("origin", address, None)
            return text(HTTPStatus.FORBIDDEN, FOREIGN_NAME)
        if page == "/metrics":
            await self._health.ask()
            kind, body = self._metrics.render()
            return _answer(HTTPStatus.OK, kind, body)
        if page == OPENING:
            return self._opened(request)
        if page.startswith("/admin/") and self._administrators is not None:
            return await self._administered(page, request, address)
        # Only the first time are they read, and then nobody else waits for it.
        files = await asyncio.to_thread(page_files)
        if files.is_document(page):
            if self._origins.is_of_node(request.path):
                return _elsewhere(self._origins.entry(request.path))
            root = self._origins.root(request.path, hosts)
            document = self._index(root, files.is_table(page))
            safety = SAFETY_WITH_NODES if self._origins.are_here else DOCUMENT_SAFETY
            return _file(request, document, NEVER_KEPT, safety)
        if page == "/admin" and self._administrators is not None:
            return _file(request, files.admin(self._origins.root(request.path, hosts)), NEVER_KEPT)
        file = files.find(page)
        if file is None:
            return text(HTTPStatus.NOT_FOUND, "no such page\n")
        return _file(request, file, FOR_EVER)

    def _opened(self, request: Request) -> Response:
        """Return what the page is to open, for the browser that the program itself has opened."""
        told = self._opening.take(_key(request))
        if told is None:
            return text(HTTPStatus.NOT_FOUND, "no such page\n")
        response = _answer(HTTPStatus.OK, JSON, told)
        response.headers["Cache-Control"] = NEVER_KEPT
        return response

    async def _administered(self, page: str, request: Request, address: str) -> Response:
        assert self._administrators is not None
        told = await self._administrators(page, _key(request), address)
        if told is None:
            return text(HTTPStatus.NOT_FOUND, "no such page\n")
        status, body, refused = told
        if refused:
            self._cut("admin", address, None)
        response = _answer(status, JSON, body)
        response.headers["Cache-Control"] = NEVER_KEPT
        return response

    def _made_index(self, root: str, at_table: bool) -> PageFile:
        return page_files().index(root, self._join, at_table=at_table)

    def _over_budget(self, address: str) -> Response | None:
        take = self._budgets.of(address)
        seconds = 0.0 if take is None else take(1.0, self._now())
        if not seconds:
            return None
        self._cut("pages", address, None)
        response = text(HTTPStatus.TOO_MANY_REQUESTS, "too many requests; try again later\n")
        response.headers["Retry-After"] = str(ceil(seconds))
        return response

    def _fullness(self) -> str:
        """Return the text about a full server in `/readyz`; "" if it is not full."""
        if not self._server.admission.places.is_full:
            return ""
        return f"full: all {self._max_connections} connections are in use"

    async def _readiness(self) -> Response:
        reason = await self._server.ready()
        status = HTTPStatus.SERVICE_UNAVAILABLE if reason else HTTPStatus.OK
        # What is broken beside the games does not make the server unready. Nor does a full house:
        # a proxy that took it out would cut off those who play.
        lines = filter(None, (reason or "ready", self._fullness(), self._server.remark()))
        return text(status, "".join(f"{line}\n" for line in lines))


def text(status: HTTPStatus, words: str) -> Response:
    """Make an answer of a short text."""
    return _answer(status, TEXT, words.encode())


def _file(
    request: Request,
    file: PageFile,
    caching: str,
    safety: Sequence[tuple[str, str]] = DOCUMENT_SAFETY,
) -> Response:
    accepted = ",".join(request.headers.get_all("Accept-Encoding"))
    packed = _accepts_gzip(accepted) and len(file.packed) < len(file.plain)
    response = _answer(
        HTTPStatus.OK,
        file.kind,
        file.packed if packed else file.plain,
        () if file.is_part else safety,
    )
    response.headers["Cache-Control"] = caching
    response.headers["Vary"] = "Accept-Encoding"
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    return response


def _elsewhere(location: str) -> Response:
    """Redirect to another page of this site."""
    response = text(HTTPStatus.TEMPORARY_REDIRECT, "")
    response.headers["Location"] = location
    response.headers["Cache-Control"] = NEVER_KEPT
    return response


def _accepts_gzip(accepted: str) -> bool:
    """Whether a list of encodings accepts gzip, and does not refuse it by ``q=0``."""
    for each in accepted.lower().split(","):
        name, _, quality = each.strip().partition(";")
        if name.strip() == "gzip":
            return quality.replace(" ", "").rstrip("0").rstrip(".") not in ("q=", "q=0")
    return False


def _answer(
    status: HTTPStatus,
    kind: str,
    body: bytes,
    policies: Sequence[tuple[str, str]] = DOCUMENT_SAFETY,
) -> Response:
    headers = Headers(
        [
            # No other request follows on this connection.
            ("Connection", "close"),
            ("Date", formatdate(usegmt=True)),
            ("Content-Type", kind),
            ("Content-Length", str(len(body))),
            *SAFETY,
            *policies,
        ]
    )
    return Response(status.value, status.phrase, headers, body)


def _key(request: Request) -> str:
    """Return the header `Authorization`; "" without one."""
    keys = request.headers.get_all("Authorization")
    return keys[0] if len(keys) == 1 else ""


def _method(request: Request) -> str:
    """Return the request's method; older websockets versions accept only GET and omit it."""
    return getattr(request, "method", "GET")
