"""Administrators' requests to a whole server, without a socket."""

from typing import TypeVar

import pytest

from server.admin.audit import FILE, AuditLog
from server.admin.browser_keys import BrowserKeys
from server.admin.requests import AnyRequest
from server.admin.service import Administration
from server.nodes.admin_errors import AdminError
from tests.server.harness import ServerHarness

T = TypeVar("T")


def administration(server: ServerHarness) -> Administration:
    """The administration of a server, which has an audit log from then on."""

    def now() -> float:
        return server.now

    node = None if server.store.node is None else server.store.node.name
    audit, keys = AuditLog(server.settings.data / FILE, now, node), BrowserKeys(now)
    return Administration(server.game_server, server.store, now, audit, keys)


async def ask(server: ServerHarness, request: AnyRequest, kind: type[T]) -> T:
    """The answer to a request, checked to be of the expected kind."""
    answer = await administration(server).carry_out(request)
    assert isinstance(answer, kind)
    await server.settle()
    return answer


async def refusal(server: ServerHarness, request: AnyRequest) -> str:
    """The code of the error that answers a request."""
    with pytest.raises(AdminError) as refused:
        await ask(server, request, object)
    return refused.value.code
