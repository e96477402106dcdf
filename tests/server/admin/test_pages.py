"""The pages at `/admin`: read only, with a key, and without anything hidden."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

from structlog.typing import EventDict

from server.admin.answers import LinkMade
from server.admin.audit import FILE, AuditLog
from server.admin.browser_keys import BrowserKeys
from server.admin.pages import ENTER, OVERVIEW, AdminPages
from server.admin.requests import PagesLink
from server.admin.service import Administration
from tests.server.harness import ServerHarness, open_server
from tests.server.secrecy.knowledge import TOKEN


class Visitor:
    """A browser at the administrator's pages of a server."""

    def __init__(self, server: ServerHarness, folder: Path) -> None:
        audit, keys = AuditLog(folder / FILE, lambda: server.now), BrowserKeys(lambda: server.now)
        self.administration = Administration(
            server.game_server, server.store, lambda: server.now, audit, keys
        )
        self.administration.page = "http://127.0.0.1:8765/admin"
        self._pages = AdminPages(self.administration, keys, audit)

    async def get(self, path: str, authorization: str) -> tuple[HTTPStatus, dict[str, Any]]:
        shown = await self._pages.answer(path, authorization, "192.0.2.7")
        assert shown is not None
        assert shown.refused == (shown.status == HTTPStatus.UNAUTHORIZED)
        told: dict[str, Any] = json.loads(shown.body)
        assert told["ok"] == (shown.status == HTTPStatus.OK)
        return shown.status, told

    async def link(self) -> str:
        """The key of a new link."""
        made = await self.administration.carry_out(PagesLink())
        assert isinstance(made, LinkMade)
        return made.url.removeprefix("http://127.0.0.1:8765/admin#")

    async def nothing_at(self, path: str) -> bool:
        return await self._pages.answer(path, "", "192.0.2.7") is None


@asynccontextmanager
async def visited(folder: Path) -> AsyncIterator[tuple[ServerHarness, Visitor]]:
    async with open_server(folder) as server:
        yield server, Visitor(server, folder)


async def test_a_link_leads_to_an_overview(tmp_path: Path, log_events: list[EventDict]) -> None:
    """A link leads to an overview without tokens and keys, and the visit is audited.

    The link works once.
    """
    async with visited(tmp_path) as (server, visitor):
        code, (ann,) = await server.match_of("Ann", seats=2, settings={"private": True})
        key = await visitor.link()
        status, told = await visitor.get(ENTER, f"Bearer {key}")
        assert status == HTTPStatus.OK
        visit = told["visit"]
        _, overview = await visitor.get(OVERVIEW, f"bearer {visit}")
        assert [table["table"] for table in overview["tables"]] == [code]
        assert [player["name"] for player in overview["players"]] == ["Ann"]
        assert overview["status"]["bots"] == [{"game": "black_queen", "strength": 0, "seats": 1}]
        assert (overview["bans"], overview["more_tables"]) == ([], False)
        assert TOKEN.search(json.dumps(overview)) is None
        assert str(ann.token) not in json.dumps(overview)
        status, told = await visitor.get(ENTER, f"Bearer {key}")
        assert status == HTTPStatus.UNAUTHORIZED
        assert "blackqueen admin link" in told["reason"]
    audited = (tmp_path / FILE).read_text()
    (line,) = map(json.loads, audited.splitlines())
    assert (line["act"], line["arguments"]) == ("enter", {"address": "192.0.2.7"})
    for secret in (key, visit):
        assert secret not in audited + repr(log_events)


async def test_without_a_key_nothing_is_told(tmp_path: Path) -> None:
    """Without a key the pages show nothing, nor with a link's key or a malformed one."""
    async with visited(tmp_path) as (_, visitor):
        key = await visitor.link()
        for authorization in ("", "Bearer", "Bearer ", f"Basic {key}", key, f"Bearer {key}"):
            status, told = await visitor.get(OVERVIEW, authorization)
            assert status == HTTPStatus.UNAUTHORIZED
            assert set(told) == {"ok", "reason"}
        assert await visitor.nothing_at("/admin/close")
    assert not (tmp_path / FILE).exists()


async def test_nobody_is_let_in_unrecorded(tmp_path: Path, log_events: list[EventDict]) -> None:
    """Without a writable audit log there is no visit."""
    async with visited(tmp_path) as (_, visitor):
        (tmp_path / FILE).mkdir()
        status, told = await visitor.get(ENTER, f"Bearer {await visitor.link()}")
        assert (status, "visit" in told) == (HTTPStatus.SERVICE_UNAVAILABLE, False)
    assert [event["event"] for event in log_events][-1] == "admin_not_recorded"


async def test_a_store_that_fails_is_named(tmp_path: Path) -> None:
    """If the store fails the page shows what is in memory, and why the server is not ready."""
    async with visited(tmp_path) as (server, visitor):
        _, told = await visitor.get(ENTER, f"Bearer {await visitor.link()}")
        server.store.broken = True
        _, overview = await visitor.get(OVERVIEW, f"Bearer {told['visit']}")
        assert "store" in overview["status"]["trouble"]
        server.store.broken = False
