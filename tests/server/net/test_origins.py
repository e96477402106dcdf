"""Which web pages may connect, and under which names pages are served."""

import asyncio
import http.client
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect as dial
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from protocol.version import JSON
from server.net.origins import Origins
from server.ops.public_url import PublicUrl
from server.ops.settings import Settings
from tests.server.socket_server import SocketServer, open_socket_server

PUBLIC = PublicUrl.parse("https://cards.example.org/play")
ORIGINS = Origins(PUBLIC, ["Cards.lan"])
NODE_HERE = PublicUrl.parse("http://127.0.0.1:9002/n/a")


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("https://cards.example.org", "cards.example.org"),
        ("https://cards.example.org:443", "127.0.0.1:8765"),
        ("https://Cards.Example.org", "anything"),
        ("http://localhost:8765", "localhost:8765"),
        ("http://192.168.1.5:8765", "192.168.1.5:8765"),
        ("http://192.168.1.5", "192.168.1.5:80"),
        ("https://192.168.1.5", "192.168.1.5"),
        ("http://[fd00::1]:8765", "[fd00::1]:8765"),
        ("http://cards.lan:8765", "CARDS.lan:8765"),
        ("http://game:8765", "game:8765"),
    ],
)
def test_pages_of_the_server_itself_may_play(origin: str, host: str) -> None:
    """Pages of the server itself may connect, by public URL, address or known name."""
    assert ORIGINS.may_play([origin], [host])


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("https://evil.example", "127.0.0.1:8765"),
        ("http://localhost", "127.0.0.1:8765"),
        ("http://localhost:3000", "localhost:8765"),
        ("https://localhost", "localhost:80"),
        ("http://rebound.example:8765", "rebound.example:8765"),
        ("http://cards.example.org", "cards.example.org"),
        ("https://cards.example.org:8443", "cards.example.org:8443"),
        ("https://cards.example.org.evil.example", "cards.example.org"),
        ("https://evil.example@cards.example.org", "cards.example.org"),
        ("https://cards.example.org/", "cards.example.org"),
        ("https://cards.example.org?x", "cards.example.org"),
        ("null", "127.0.0.1:8765"),
        ("", "127.0.0.1:8765"),
        ("file://", "127.0.0.1:8765"),
        ("ftp://127.0.0.1:8765", "127.0.0.1:8765"),
        ("http://127.0.0.1:99999", "127.0.0.1:99999"),
        ("http://[::1", "[::1"),
        ("http://127.0.0.1", "evil@127.0.0.1"),
        ("http://127.0.0.1", "127.0.0.1/x"),
        ("http://127.0.0.1", ""),
    ],
)
def test_foreign_pages_may_not(origin: str, host: str) -> None:
    """Pages of other sites, ports, rebound names and `null` may not connect."""
    assert not ORIGINS.may_play([origin], [host])


def test_two_origins_or_hosts_are_none() -> None:
    """A handshake with two origins or hosts is refused."""
    own, host = "http://127.0.0.1", "127.0.0.1"
    assert ORIGINS.may_play([own], [host])
    assert not ORIGINS.may_play([own, own], [host])
    assert not ORIGINS.may_play([own], [host, host])
    assert not ORIGINS.may_play([own], [])
    assert not ORIGINS.may_read([host, host])


def test_a_program_sends_no_origin_and_may_play() -> None:
    """A program, which sends no origin, may connect with any Host."""
    assert ORIGINS.may_play([], ["rebound.example"])
    assert ORIGINS.may_play([], [])


@pytest.mark.parametrize(
    "given",
    ["Cards.Lan", "http://cards.lan:8765/", "https://cards.lan", "cards.lan:8765", "cards.lan."],
)
def test_an_allowed_name_may_be_given_as_an_address(given: str) -> None:
    """An allowed name may be given as an address pasted from a browser."""
    assert Origins(None, [given]).may_read(["cards.lan:8765"])
    assert not Origins(None, [given]).may_read(["other.lan:8765"])


def test_pages_are_served_under_known_names() -> None:
    """Pages are served under addresses and known names, and not under a rebound one."""
    for host in (
        "127.0.0.1",
        "[::1]:8765",
        "localhost",
        "cards.lan:1",
        "cards.example.org:8765",
        "game",
    ):
        assert ORIGINS.may_read([host])
    assert ORIGINS.may_read([])
    for host in ("rebound.example", "", "a@127.0.0.1", "[::1"):
        assert not ORIGINS.may_read([host])
    assert not Origins(None, []).may_read(["cards.example.org"])


@pytest.mark.parametrize(
    ("target", "page"),
    [
        ("/", "/"),
        ("/play", "/"),
        ("/play/", "/"),
        ("/play/healthz?x=1", "/healthz"),
        ("/healthz", "/healthz"),
        ("/player", "/player"),
        ("/play/play", "/play"),
    ],
)
def test_pages_lie_below_the_public_path(target: str, page: str) -> None:
    """Pages are found with and without the public path."""
    assert ORIGINS.page(target) == page
    assert Origins(None, []).page("/play/healthz?x=1") == "/play/healthz"


@pytest.mark.parametrize(
    ("target", "page", "of_node"),
    [
        ("/play/n/a", "/", True),
        ("/play/n/a/t/PLUM?x=1", "/t/PLUM", True),
        ("/play/n/a/readyz", "/readyz", True),
        ("/play/n/ab", "/n/ab", False),
        ("/play/t/PLUM", "/t/PLUM", False),
        ("/n/a/", "/n/a/", False),
        ("/", "/", False),
    ],
)
def test_a_nodes_pages_lie_below_its_path_too(target: str, page: str, of_node: bool) -> None:
    """The pages of a node are found below its path too."""
    origins = Origins(PUBLIC, [], PublicUrl.parse("https://cards.example.org/play/n/a"))
    assert (origins.page(target), origins.is_of_node(target)) == (page, of_node)
    assert origins.entry("/play/n/a/t/PLUM?x=1") == "/play/t/PLUM?x=1"
    assert origins.root("/play/n/a/admin", ["cards.example.org"]) == "/play/n/a/"
    assert Origins(None, [], NODE_HERE).entry("/n/a") == "/"


def test_the_page_of_a_node_here_may_play_at_the_others() -> None:
    """A page of a local node may connect to the others, unless there is a proxy."""
    here, behind = Origins(None, [], NODE_HERE), Origins(PUBLIC, [], PUBLIC)
    origin, host = "http://localhost:9001", "127.0.0.1:9002"
    assert here.may_play([origin], [host])
    assert not behind.may_play([origin], [host])
    assert not Origins(None, []).may_play([origin], [host])
    assert not here.may_play(["http://evil.example:9001"], [host])
    assert not here.may_play([origin], ["192.0.2.7:9002"])


@pytest.mark.parametrize(
    ("url", "websocket"),
    [
        ("https://cards.example.org/play/", "wss://cards.example.org/play"),
        ("wss://cards.example.org", "wss://cards.example.org"),
        ("http://192.168.1.5:8765", "ws://192.168.1.5:8765"),
        ("ws://[fd00::1]:8765/", "ws://[fd00::1]:8765"),
        ("https://cards.example.org:443", "wss://cards.example.org"),
    ],
)
def test_a_public_url_tells_where_to_join(url: str, websocket: str) -> None:
    """A public URL may be that of the page or of the WebSocket."""
    assert PublicUrl.parse(url).websocket == websocket


@pytest.mark.parametrize(
    "url",
    [
        "cards.example.org",
        "ftp://cards.example.org",
        "https://",
        "https://cards.example.org?x",
        "https://cards.example.org#x",
        "https://me@cards.example.org",
        "https://cards.example.org:99999",
        "https://cards.example.org/$(reboot)",
        "https://cards.example.org/a b",
        "https://cärds.example.org",
    ],
)
def test_a_public_url_that_is_none_is_refused_at_the_start(url: str) -> None:
    """An invalid public URL is refused by the settings."""
    with pytest.raises(ValueError, match="public_url"):
        Settings(public_url=url)


async def status(server: SocketServer, **headers: str) -> int:
    """The status of a handshake with these headers."""
    origin = headers.pop("Origin", None)
    try:
        async with dial(
            server.url,
            subprotocols=[Subprotocol(JSON)],
            origin=None if origin is None else Origin(origin),
            additional_headers=headers,
        ):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


async def test_a_foreign_page_is_refused_at_the_socket(tmp_path: Path) -> None:
    """A foreign page is refused with 403 and a readable reason; own pages and programs connect."""
    public = "https://cards.example.org/play"
    async with open_socket_server(tmp_path, public_url=public) as server:
        own = server.url.replace("ws://", "http://")
        assert await status(server) == 101
        assert await status(server, Origin=own) == 101
        assert await status(server, Origin="https://cards.example.org") == 101
        for foreign in ("https://evil.example", "null", own.replace("127.0.0.1", "localhost")):
            assert await status(server, Origin=foreign) == 403
        assert 'cut_total{reason="origin"} 3.0' in server.metrics.render()[1].decode()
        async with server.client() as raw:
            assert raw.welcome["url"] == "wss://cards.example.org/play"


async def test_a_refused_page_is_told_what_its_host_can_do(tmp_path: Path) -> None:
    """The refusal of a page names the settings that would allow it."""
    async with open_socket_server(tmp_path) as server:
        with pytest.raises(InvalidStatus) as refused:
            async with dial(server.url, origin=Origin("https://evil.example")):
                pass
    assert b"--public-url" in refused.value.response.body


async def test_a_rebound_name_sees_no_figures(tmp_path: Path) -> None:
    """`/` and `/metrics` answer only to known names, the health pages to all."""
    async with open_socket_server(tmp_path, public_url="https://cards.example.org/play") as server:

        def get(path: str, host: str) -> int:
            at = urlsplit(server.url)
            assert at.hostname is not None
            asking = http.client.HTTPConnection(at.hostname, at.port)
            asking.request("GET", path, headers={"Host": host})
            answer = asking.getresponse()
            answer.read()
            asking.close()
            return answer.status

        for path, foreign in (("/", 403), ("/metrics", 403), ("/healthz", 200), ("/readyz", 200)):
            for prefix in ("", "/play"):
                where = prefix + path
                assert await asyncio.to_thread(get, where, "rebound.example") == foreign
                assert await asyncio.to_thread(get, where, "10.1.2.3:8765") == 200
                assert await asyncio.to_thread(get, where, "cards.example.org") == 200
