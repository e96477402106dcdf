"""The administrator's pages in a browser: an overview of the server, without any commands.

    blackqueen admin link ─▶ /admin#KEY ─▶ enter, with the key ─▶ overview, with the visit's key

A browser keeps what follows ``#`` to itself, and the keys come in the header ``Authorization``. So
no access log of a proxy has one. What is shown is what `blackqueen admin` tells.
"""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import NamedTuple

import structlog

from server.admin.answers import AdminAnswer, BanPage, NodePage, PlayerPage, TablePage
from server.admin.audit import AuditLog, Caller
from server.admin.browser_keys import BrowserKeys
from server.admin.requests import ListBans, ListPlayers, Nodes, Status, Tables
from server.admin.service import Administration
from server.nodes.admin_errors import AdminError

log = structlog.get_logger()

ENTER, OVERVIEW = "/admin/enter", "/admin/overview"
BEARER = "bearer "
MOST_PAGES = 5
"""Of each list; whoever has more asks with the command."""
NOBODY = Caller(None, None)


class PageAnswer(NamedTuple):
    """Status and JSON of an answer; `refused` if the key is wrong."""

    status: HTTPStatus
    body: bytes
    refused: bool = False


class AdminPages:
    """Answers the requests of the page at `/admin`."""

    def __init__(self, administration: Administration, keys: BrowserKeys, audit: AuditLog) -> None:
        self._administration = administration
        self._keys = keys
        self._audit = audit

    async def answer(self, path: str, authorization: str, address: str) -> PageAnswer | None:
        """Answer a request from `address`; return None if there is nothing at this path."""
        key = authorization[len(BEARER) :] if authorization.lower().startswith(BEARER) else ""
        if path == ENTER:
            return await self._enter(key, address)
        if path != OVERVIEW:
            return None
        if not self._keys.may_look(key):
            return _refusal()
        try:
            return _shown({"ok": True, **await self._overview()})
        except AdminError as error:
            told = {"ok": False, "reason": str(error)}
            return _shown(told, HTTPStatus.SERVICE_UNAVAILABLE)

    async def _enter(self, key: str, address: str) -> PageAnswer:
        visit = self._keys.enter(key)
        if visit is None:
            return _refusal()
        try:
            await self._audit.record(NOBODY, "enter", {"address": address}, "ok")
        except OSError as error:
            log.error("admin_not_recorded", reason=str(error))
            reason = "the audit log cannot be written, so nobody is let in"
            return _shown({"ok": False, "reason": reason}, HTTPStatus.SERVICE_UNAVAILABLE)
        log.info("admin_act", kind="enter", code="ok", address=address)
        return _shown({"ok": True, "visit": visit})

    async def _overview(self) -> Mapping[str, object]:
        ask = self._administration.carry_out
        told: dict[str, object] = {"status": _plain(await ask(Status()))}
        for name, kind in (
            ("tables", Tables),
            ("players", ListPlayers),
            ("bans", ListBans),
            ("nodes", Nodes),
        ):
            lines: list[object] = []
            after: str | None = ""
            for _ in range(MOST_PAGES):
                page = await ask(kind(after=after))
                assert isinstance(page, TablePage | PlayerPage | BanPage | NodePage)
                lines += _plain(page)[name]
                after = page.next
                if after is None:
                    break
            told |= {name: lines, f"more_{name}": after is not None}
        return told


def _plain(answer: AdminAnswer) -> dict[str, list[object]]:
    return answer.model_dump(mode="json")


def _refusal() -> PageAnswer:
    reason = "this link was used or is too old; `blackqueen admin link` makes another"
    refused = _shown({"ok": False, "reason": reason}, HTTPStatus.UNAUTHORIZED)
    return refused._replace(refused=True)


def _shown(told: Mapping[str, object], status: HTTPStatus = HTTPStatus.OK) -> PageAnswer:
    return PageAnswer(status, json.dumps(told, ensure_ascii=False).encode())
