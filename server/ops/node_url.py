"""The address of a node: a whole server among others that share its database.

Clients get it when a table is there, and the node's name follows from it.
"""

from re import fullmatch, sub
from typing import NamedTuple

from protocol.same_server import is_this_machine
from server.ops.public_url import PublicUrl
from server.ops.settings import Settings, SettingsError

MOST_NAME = 40
"""Characters of a node's name."""
EXAMPLE = "wss://cards.example/n/a/"


class NodeUrl(NamedTuple):
    """A node's name, its `address` for clients, and its path without a slash at the end.

    If the path is "", the address is one of its own, without a proxy.
    """

    name: str
    address: str
    path: str


def node_url(settings: Settings) -> NodeUrl | None:
    """Return this process's node address; None if it has none.

    Raises `SettingsError` if the settings contradict it.
    """
    if settings.node_url is None:
        return None
    given = f"--node-url {settings.node_url}"
    _refuse_sqlite(given, settings)
    own, public = PublicUrl.parse(settings.node_url), settings.public
    name = _name(own)
    if not fullmatch(f"[A-Za-z0-9_.-]{{1,{MOST_NAME}}}", name):
        raise SettingsError(
            f"{given}: the node would be called {name!r}; let the path end in a name of at most "
            f"{MOST_NAME} letters, digits, `_`, `.` and `-`, as in {EXAMPLE}"
        )
    if public is None and not is_this_machine(own.host):
        raise SettingsError(
            f"{given}: players come to a server of several nodes by one address; name that "
            "with --public-url"
        )
    if public is not None and not (is_this_machine(own.host) and is_this_machine(public.host)):
        if (own.scheme, own.host, own.port) != (public.scheme, public.host, public.port):
            raise SettingsError(
                f"{given}: clients go only to the scheme, host and port by which they came in; "
                f"give it those of --public-url {settings.public_url}, and a path of its own"
            )
        if own.path == public.path:
            raise SettingsError(
                f"{given}: this is the address of the whole server; add a path that leads to this "
                f"node alone, as in {EXAMPLE}"
            )
    return NodeUrl(name, f"{own.websocket}/", own.path)


def _refuse_sqlite(given: str, settings: Settings) -> None:
    if settings.database_url is None or settings.database_url.startswith("sqlite"):
        raise SettingsError(
            f"{given}: nodes share a database in PostgreSQL; name it with --database-url, or leave "
            "--node-url out"
        )


def _name(url: PublicUrl) -> str:
    if url.path:
        return url.path.rpartition("/")[2]
    return sub(r"[^A-Za-z0-9_.-]", "-", f"{url.host}-{url.port}")
