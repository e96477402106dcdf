"""Text for a person who starts a server in a terminal: its reach, and the place of its data.

A program that starts a server reads only the lines that it always prints (`ready_lines`).
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import get_terminal_size

from protocol.own_command import own_command
from protocol.same_server import is_this_machine
from server.ops.public_url import listening_url, own_url
from server.ops.qr_lines import qr_lines
from server.ops.settings import Settings


def ready_lines(settings: Settings, host: str, port: int) -> Iterator[str]:
    """Return the listening address, and the line for players if there is a public URL."""
    yield f"Listening on {_url(settings, host, port)}"
    if settings.public is not None:
        yield f"Players join with: blackqueen join {settings.public.websocket}"
        yield f"In a browser: {settings.public.page}"


def page_line(settings: Settings, host: str, port: int) -> Iterator[str]:
    """Return the page's address for readers without `terminal_lines`, except a public URL."""
    if settings.public is None:
        yield f"In a browser: {_page(_url(settings, _here(host), port))}"


def admin_page(settings: Settings, host: str, port: int) -> str:
    """Return the address of the administrator's pages.

    Without a public URL it is one on this machine, as the key of a link must not cross a network in
    clear text.
    """
    if settings.public is not None:
        return f"{settings.public.page}admin"
    return f"{_page(_url(settings, _here(host), port))}admin"


def terminal_lines(settings: Settings, host: str, port: int) -> Iterator[str]:
    """Return the server's reach, also as a QR code, its data's place, and how to stop it."""
    if settings.public is None:
        yield from _reach(settings, host, port)
    if (page := _page_for_phones(settings, host, port)) is not None:
        yield from qr_lines(page, get_terminal_size().columns, sys.stdout)
    folder = _folder(settings)
    yield "The database is the one of --database-url." if folder is None else f"Data: {folder}"
    if settings.has_admin:
        own = () if settings.data == _usual() else ("--data", str(_full(settings)))
        status = own_command("admin", "status", *own)
        yield f"In another terminal, this shows how it is: {status}"
    yield "Ctrl-C stops the server. Its tables are kept."


def stopped_line(settings: Settings, open_tables: int, port: int) -> str:
    """Say what is kept after the server has stopped, and how to go on at its `port`."""
    place = _folder(settings) or "the database"
    if not open_tables:
        return f"The server has stopped. Its data is kept in {place}."
    tables = "1 open table is" if open_tables == 1 else f"{open_tables} open tables are"
    # Players' programs look for it where it was.
    how = "in the same way" if settings.port == port else f"with --port {port}"
    return (
        f"The server has stopped. {tables} kept in {place}; start the server again {how} to go on."
    )


def _reach(settings: Settings, host: str, port: int) -> Iterator[str]:
    """Say who can reach a server without a public URL, and how others could."""
    internet = "For players on the internet, see docs/hosting.md (--public-url)."
    if is_this_machine(host):
        yield "Only this machine can reach the server; players here open the page or join with:"
        yield f"    {_page(_url(settings, host, port))}"
        yield f"    {own_command('join', _url(settings, host, port))}"
        yield "To let other machines in your network join, start it with --host 0.0.0.0."
        yield internet
        return
    others = own_url(host, port, tls=settings.has_tls)
    if others is None:
        yield "This machine is in no network now, so only players on this machine can join."
        return
    yield "Players who can reach this machine in its network open the page or join with:"
    yield f"    {_page(others)}"
    yield f"    blackqueen join {others}"
    yield f"If they cannot connect, a firewall may be in the way: it must let port {port} pass."
    yield internet


def _page_for_phones(settings: Settings, host: str, port: int) -> str | None:
    """Return the page's address as other machines see it, if any can."""
    if settings.public is not None:
        return settings.public.page
    others = None if is_this_machine(host) else own_url(host, port, tls=settings.has_tls)
    return None if others is None else _page(others)


def _here(host: str) -> str:
    """Return the host as this machine reaches it."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)


def _page(url: str) -> str:
    """Return the address of the page of the server at `url`, for a browser."""
    return f"{url.replace('ws', 'http', 1)}/"


def _folder(settings: Settings) -> Path | None:
    """Return the folder of the database file, if the database is a file."""
    return None if settings.database_url is not None else _full(settings)


def _full(settings: Settings) -> Path:
    return settings.data.expanduser().absolute()


def _usual() -> Path:
    return Settings().data


def _url(settings: Settings, host: str, port: int) -> str:
    return listening_url(host, port, tls=settings.has_tls)
