"""The page for browsers: its files, their headers, and what no request may reach."""

import asyncio
import gzip
import re
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.texts.catalogue import LANGUAGES
from server.net.origins import Origins
from server.net.page_files import (
    FOLDER,
    KINDS,
    TABLE,
    WIRE_LANGUAGE,
    PageFiles,
)
from server.net.page_source import as_sent
from server.net.plain_pages import _accepts_gzip
from server.ops.public_url import PublicUrl
from tests.postgres import Cluster
from tests.server.socket_server import SocketServer, open_socket_server

FILES = PageFiles.read()
MOST_BYTES = 60_000
MOST_BYTES_OF_A_TABLE = 60_000
"""What the first picture of a table needs besides, like a first load: packed, no headers."""


class Answer(NamedTuple):
    """The answer on one connection."""

    status: int
    headers: Message
    body: bytes


async def asked(server: SocketServer, path: str, method: str = "GET", **headers: str) -> Answer:
    """The answer to one raw request; names of headers have underscores here."""
    port = int(server.url.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = [
        f"{method} {path} HTTP/1.1",
        *(f"{n.replace('_', '-')}: {v}" for n, v in headers.items()),
    ]
    writer.write("".join(f"{line}\r\n" for line in (*lines, "")).encode())
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    status, _, rest = head.decode().partition("\r\n")
    return Answer(int(status.split()[1]), Parser().parsestr(rest), body)


async def test_the_document_is_shown_at_the_root_and_behind_an_invitation(
    server: SocketServer,
) -> None:
    """The document is shown at the root and at invitations, uncached, with its files' digest."""
    first = await asked(server, "/", Host="127.0.0.1")
    assert first.status == 200
    assert first.headers["Content-Type"] == "text/html; charset=utf-8"
    assert first.headers["Cache-Control"] == "no-store"
    assert f'src="/{FILES.digest}/main.js"' in first.body.decode()
    for path in ("/t/PLUM/replay", "/?x=1"):
        assert (await asked(server, path, Host="127.0.0.1")).body == first.body
    for path in ("/t/PLUM", "/t/PLUM/"):
        table = (await asked(server, path, Host="127.0.0.1")).body
        assert set(first.body.splitlines()) < set(table.splitlines())
    for path in ("/t/", "/t/PL-UM", f"/t/{17 * 'A'}", "/t/PLUM/x", "/t//replay", "/index.html"):
        assert (await asked(server, path, Host="127.0.0.1")).status == 404


async def test_a_file_is_kept_for_ever_under_its_digest(server: SocketServer) -> None:
    """A file is cached for ever under its digest, and not found under another."""
    found = await asked(server, f"/{FILES.digest}/main.js", Host="localhost")
    assert found.status == 200
    assert found.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert found.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert as_sent(".js", (FOLDER / "main.js").read_bytes()).splitlines()[-1] in found.body
    assert (await asked(server, f"/{16 * '0'}/main.js", Host="localhost")).status == 404


async def test_what_is_to_be_opened_is_told_once_to_whoever_has_the_key(tmp_path: Path) -> None:
    """What the page should open is told once, only with the key."""
    told = b'{"name": "Zo\\u00eb"}'
    async with open_socket_server(tmp_path, opening=f"the-key {told.decode()}") as server:
        for key in ("", "Bearer ", "Bearer the", "the-key"):
            refused = await asked(server, "/opening", Host="localhost", Authorization=key)
            assert refused.status == 404
        with_key = {"Host": "localhost", "Authorization": "Bearer the-key"}
        first = await asked(server, "/opening", **with_key)
        assert (first.status, first.body) == (200, told)
        assert first.headers["Cache-Control"] == "no-store"
        assert (await asked(server, "/opening", **with_key)).status == 404
    async with open_socket_server(tmp_path) as server:
        for key in ("Bearer ", "Bearer"):
            refused = await asked(server, "/opening", Host="localhost", Authorization=key)
            assert refused.status == 404


@pytest.mark.parametrize(
    "path", ["/", "/t/PLUM", f"/{FILES.digest}/icon.svg", "/healthz", "/nothing"]
)
async def test_whatever_may_be_a_document_keeps_a_browser_safe(
    server: SocketServer, path: str
) -> None:
    """Documents have strict policies: own files only, no type guessing, no embedding.

    A picture in SVG can be opened by itself, and then its scripts would run.
    """
    headers = (await asked(server, path, Host="127.0.0.1")).headers
    policy = {
        part.split()[0]: part.split()[1:] for part in headers["Content-Security-Policy"].split(";")
    }
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == ["'none'"]
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == ["'self'"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize(
    "name", ["main.js", "page.css", "texts/en.json", "app.webmanifest", "icons/192.png"]
)
async def test_the_parts_of_a_page_are_sent_with_few_headers(
    server: SocketServer, name: str
) -> None:
    """The parts of a page have few headers, since the document's policies apply to them.

    What a policy of their own would protect is the type: as nothing else than what we say they are
    can they be opened, run or embedded elsewhere, and none of these types is a document's.
    """
    answer = await asked(
        server, f"/{FILES.digest}/{name}", Host="127.0.0.1", Accept_Encoding="gzip"
    )
    packed = {"Content-Encoding"} if "Content-Encoding" in answer.headers else set()
    assert set(answer.headers) - packed == {
        "Connection",
        "Date",
        "Content-Type",
        "Content-Length",
        "Cache-Control",
        "Vary",
        "X-Content-Type-Options",
        "Cross-Origin-Resource-Policy",
    }
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert answer.headers.get_content_type() not in ("text/html", "image/svg+xml")
    assert "xml" not in answer.headers["Content-Type"]


def test_no_file_is_a_worker() -> None:
    """No file is a worker, which would need a policy of its own."""
    scripts = [path for path in FOLDER.rglob("*.js") if "orker" in path.read_text("utf-8")]
    assert scripts == []


@pytest.mark.parametrize("path", ["/", f"/{FILES.digest}/page.css", "/healthz", "/nothing"])
async def test_head_is_answered_like_get_without_the_body(server: SocketServer, path: str) -> None:
    """HEAD has the status and headers of GET, without its body."""
    whole = await asked(server, path, Host="127.0.0.1")
    head = await asked(server, path, "HEAD", Host="127.0.0.1")
    assert (head.status, head.body) == (whole.status, b"")
    assert head.headers["Content-Length"] == str(len(whole.body))


async def test_other_methods_are_told_which_there_are(server: SocketServer) -> None:
    """Other methods are refused with the allowed ones."""
    answer = await asked(server, "/", "POST", Host="127.0.0.1", Content_Length="0")
    assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")


async def test_files_are_packed_for_browsers_that_unpack(server: SocketServer) -> None:
    """Files are compressed for browsers that accept it, and caches are told so."""
    path = f"/{FILES.digest}/sounds.js"
    packed = await asked(server, path, Host="127.0.0.1", Accept_Encoding="br, gzip;q=0.8")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == FILES.files["sounds.js"].plain
    plain = await asked(server, path, Host="127.0.0.1", Accept_Encoding="br")
    assert "Content-Encoding" not in plain.headers
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("", False),
        ("gzip;q=0", False),
        ("gzip; q=0.0", False),
    ],
)
def test_what_a_browser_unpacks(accepted: str, packed: bool) -> None:
    """A quality of 0 refuses a compression."""
    assert _accepts_gzip(accepted) is packed


async def test_an_address_has_a_budget_of_requests(tmp_path: Path) -> None:
    """An address over its budget of requests is told when to come back; health is exempt."""
    limits = {"address_pages_per_second": 0.001, "address_page_burst": 2}
    async with open_socket_server(tmp_path, **limits) as server:
        statuses = [(await asked(server, "/", Host="127.0.0.1")).status for _ in range(3)]
        assert statuses == [200, 200, 429]
        refused = await asked(server, "/nothing", Host="127.0.0.1")
        assert int(refused.headers["Retry-After"]) > 1
        assert (await asked(server, "/healthz", Host="127.0.0.1")).status == 200
        assert 'cut_total{reason="pages"} 2.0' in server.metrics.render()[1].decode()


async def test_behind_a_proxy_the_budget_is_that_of_the_client(tmp_path: Path) -> None:
    """Behind a trusted proxy the budget is that of the client; without a limit nobody counts."""
    limits = {"address_pages_per_second": 0.001, "address_page_burst": 1}
    async with open_socket_server(tmp_path, trusted_proxies=["127.0.0.1"], **limits) as server:
        for client, status in (("192.0.2.1", 200), ("192.0.2.2", 200), ("192.0.2.1", 429)):
            answer = await asked(server, "/", Host="127.0.0.1", X_Forwarded_For=client)
            assert answer.status == status
    async with open_socket_server(tmp_path, address_pages_per_second=0) as server:
        for _ in range(3):
            assert (await asked(server, "/", Host="127.0.0.1")).status == 200


@pytest.mark.parametrize(
    ("target", "host", "root"),
    [
        ("/", "cards.example.org", "/play/"),
        ("/play", "cards.example.org:8443", "/play/"),
        ("/play/t/PLUM", "192.168.1.5:8765", "/play/"),
        ("/play/t/PLUM/replay", "192.168.1.5:8765", "/play/"),
        ("/", "192.168.1.5:8765", "/"),
        ("/player", "localhost", "/"),
    ],
)
def test_files_are_asked_for_where_the_browser_sees_them(target: str, host: str, root: str) -> None:
    """Files are named below the public path, whether or not a proxy removes it."""
    assert (
        Origins(PublicUrl.parse("https://cards.example.org/play"), []).root(target, [host]) == root
    )
    assert Origins(None, []).root(target, [host]) == "/"
    assert Origins(PublicUrl.parse("https://cards.example.org"), []).root(target, [host]) == "/"


async def test_a_page_of_one_node_leads_to_that_of_all(tmp_path: Path, postgresql: Cluster) -> None:
    """The page of a node leads to the shared page; its files are at the node's path too."""
    node = {
        "public_url": "https://cards.example.org/play",
        "node_url": "wss://cards.example.org/play/n/a/",
    }
    with postgresql.database() as url:
        async with open_socket_server(tmp_path, database_url=url, **node) as server:
            for path in ("", "/", "/t/PLUM", "/t/PLUM/replay?lang=de"):
                answer = await asked(server, f"/play/n/a{path}", Host="cards.example.org")
                assert answer.status == 307
                assert answer.headers["Location"] == f"/play/{path.removeprefix('/')}"
            for path in ("/healthz", "/metrics", f"/{FILES.digest}/main.js"):
                answer = await asked(server, f"/play/n/a{path}", Host="cards.example.org")
                assert answer.status == 200


async def test_the_page_works_below_a_path(tmp_path: Path) -> None:
    """The document below a path names its files there, and the server finds them."""
    async with open_socket_server(tmp_path, public_url="https://cards.example.org/play") as server:
        for path in ("/play/", "/play/t/PLUM", "/play/t/PLUM/replay", "/"):
            document = (await asked(server, path, Host="cards.example.org")).body.decode()
            assert f'src="/play/{FILES.digest}/main.js"' in document
            assert "blackqueen join wss://cards.example.org/play" in document
        for prefix in ("/play", ""):
            path = f"{prefix}/{FILES.digest}/main.js"
            assert (await asked(server, path, Host="cards.example.org")).status == 200


def test_the_first_load_is_small() -> None:
    """The compressed sizes of the first screen and the first table are limited."""
    document = FILES.index("/", "ws://…")
    named = set(re.findall(rf'(?:src|href)="/{FILES.digest}/([^"]+)"', document.plain.decode()))
    assert {"main.js", "page.css"} < named
    # No browser loads it before somebody installs the page.
    named.remove("icons/192.png")
    # A browser asks for one language.
    first = [document, *(FILES.files[name] for name in {*named, "fan.svg", "texts/de.json"})]
    assert sum(min(len(file.plain), len(file.packed)) for file in first) <= MOST_BYTES
    assert len(FILES.files[TABLE].packed) <= MOST_BYTES_OF_A_TABLE
    # Everything else comes when somebody asks for it.
    later = {name for name in FILES.files if not name.endswith(".png")} - {*named, TABLE}
    later -= {f"texts/{language}.json" for language in LANGUAGES}
    assert all(len(FILES.files[name].packed) <= MOST_BYTES / 4 for name in later)


def test_a_link_names_the_script_of_its_table_and_loads_nothing_of_it() -> None:
    """A table's link names its script in a template, so that it is not loaded."""
    lobby, table = (FILES.index("/", "ws://…", at_table=at).plain.decode() for at in (False, True))
    before, _, rest = table.partition("<template>")
    link, _, after = rest.partition("</template>\n")
    assert before + after == lobby
    assert link == f'<link rel="modulepreload" href="/{FILES.digest}/{TABLE}">'


def test_no_file_names_another_address_or_reads_html() -> None:
    """No file names another address or turns text into HTML."""
    for path in FOLDER.rglob("*"):
        if path.suffix != ".png" and (path.suffix in KINDS or path.name == "index.html"):
            source = path.read_text("utf-8")
            addresses = set(re.findall(r"https?://[^\s\"'`)]+", source))
            assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}, path
            unsafe = (
                r"(?i)innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
            )
            unsafe += r"|DOMParser|createContextualFragment|setHTML| style=|<script>| on[a-z]+=\""
            assert re.findall(unsafe, source) == [], path


SEGMENT = st.sampled_from(
    [
        "..",
        ".",
        "",
        "client_web",
        "main.js",
        "README.md",
        "texts",
        "en.toml",
        "%2e%2e",
        "..%2f",
        "\\..",
        "etc",
    ]
) | st.text(max_size=8)


@given(st.lists(SEGMENT, max_size=6), st.booleans())
def test_no_path_leads_out_of_the_page(segments: list[str], below: bool) -> None:
    """Only files in the page's table are found, whatever the path."""
    path = "/".join(["", FILES.digest, *segments] if below else ["", *segments])
    for each in (path, quote(path), quote(path, safe="")):
        found = FILES.find(each)
        assert found is None or each.removeprefix(f"/{FILES.digest}/") in FILES.files


def test_a_changed_file_changes_the_digest(tmp_path: Path) -> None:
    """A changed file changes the digest, and a file that is not served does not."""
    (tmp_path / "texts").mkdir()
    for language in LANGUAGES:
        (tmp_path / f"texts/{language}.toml").write_text("")
    (tmp_path / "index.html").write_text("{folder}")
    (tmp_path / "admin").mkdir()
    (tmp_path / "admin/index.html").write_text("{folder}")
    (tmp_path / "main.js").write_text("start();")
    first = PageFiles.read(tmp_path)
    (tmp_path / "README.md").write_text("words")
    assert PageFiles.read(tmp_path) == first
    (tmp_path / "main.js").write_text("begin();")
    assert PageFiles.read(tmp_path).digest != first.digest
    kinds = ("json", "rest.json", "more.json")
    texts = {f"texts/{language}.{kind}" for language in LANGUAGES for kind in kinds}
    texts |= {f"texts/{language}.rules.json" for language in LANGUAGES if language != WIRE_LANGUAGE}
    assert set(first.files) == {"main.js", *texts}
