"""Tests the administrator's page in a browser at a real server."""

import asyncio
from contextlib import closing
from random import Random

import pytest
from playwright.async_api import Route, expect

from protocol.connection import connect
from protocol.to_server import CreateTable, Start
from server.admin.client import AdminClient
from server.admin.socket_file import socket_path
from tests.chromium import DESK, Chromium
from tests.client_web.test_safe_area import lies_within
from tests.e2e.databases import on_postgresql
from tests.e2e.processes import Programs, Server
from tests.e2e.test_accessibility import AXE, CUT, FIND, RULES, ZOOMED
from tests.e2e.whole_nodes import Nodes

pytestmark = pytest.mark.e2e

HOSTILE = "<img src=x onerror=a()>"


def new_link(server: Server) -> str:
    """Run `blackqueen admin link` and return its output."""
    with closing(AdminClient(socket_path(server.data))) as asked:
        return str(asked.ask({"act": "link"})["url"])


async def test_a_link_shows_the_server_at_a_glance(page_server: Server, chromium: Chromium) -> None:
    """The administrator's page shows tables, players and bots until its tab closes; no key is kept.

    axe-core finds nothing, in light and dark, on a desk and enlarged; the page does nothing that
    its rules for scripts forbid. The link opens no second browser.
    """
    link = await asyncio.to_thread(new_link, page_server)

    async def story(code: str) -> None:
        async with chromium.context(viewport=DESK) as desk, chromium.context() as other:
            page = await desk.new_page()
            said: list[str] = []
            page.on("console", lambda message: said.append(message.text))
            await page.goto(link)
            await expect(page.get_by_role("status")).to_have_text(
                "Ready: the server takes players."
            )
            row = page.get_by_role("row").filter(has_text=code)
            await expect(row.first).to_contain_text(f"{HOSTILE}, ")
            assert page.url == link.partition("#")[0]
            await page.evaluate(AXE)
            for viewport, scheme in ((DESK, "light"), (ZOOMED, "dark")):
                await page.set_viewport_size(viewport)
                await page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
                assert await page.evaluate(FIND, RULES) == []
                assert await page.evaluate(CUT) == []
            await lies_within(page)
            await page.reload()
            await expect(row.first).to_be_visible()
            assert said == []
            second = await other.new_page()
            await second.goto(link)
            await expect(second.get_by_role("status")).to_contain_text("blackqueen admin link")
            assert await second.get_by_role("row").count() == 0

    async with connect(page_server.url, name=HOSTILE) as ann:
        opened = await ann.ask(CreateTable, game="black_queen", seats=2)
        await ann.ask(Start, table=opened.table, fill=0)
        await chromium.story(story(str(opened.table)))


PROCESSES = [
    {"node": "t1", "here": True, "takes": False, "tables": 2},
    {"node": "t2", "here": True, "takes": False, "tables": 0},
    {"node": "t3", "here": False, "gone": 60.0, "lease": "over"},
    {"node": "t4", "here": True, "unknown": "the store is away"},
]
USUAL = {"lease": None, "epoch": None, "tables": None, "takes": True, "gone": None, "unknown": ""}


async def test_processes_are_drained_gone_or_not_known(
    page_server: Server, chromium: Chromium
) -> None:
    """The page calls processes drained, gone or unknown, and explains unknown."""
    link = await asyncio.to_thread(new_link, page_server)

    async def with_processes(route: Route) -> None:
        told = await (await route.fetch()).json()
        nodes = [{**USUAL, **line} for line in PROCESSES]
        await route.fulfill(json={**told, "nodes": nodes, "more_nodes": False})

    async def story() -> None:
        async with chromium.context(viewport=DESK) as desk:
            page = await desk.new_page()
            await page.route("**/admin/overview", with_processes)
            # With a blank behind it, as it may be copied out of a terminal.
            await page.goto(f"{link}%20")
            table = page.get_by_role("table", name="Nodes")
            await expect(table.get_by_role("row")).to_have_text(
                [
                    "NodeStateLeaseTables",
                    "t1draining2",
                    "t2drained0",
                    "t3gone since 1970-01-01 00:01 UTCover",
                    "t4here??",
                ]
            )
            await expect(page.get_by_text("?: the store is away")).to_be_visible()

    await chromium.story(story())


@on_postgresql
async def test_a_link_shows_the_nodes(programs: Programs, rng: Random, chromium: Chromium) -> None:
    """The page of every node shows each node with its lease and its tables."""
    nodes = Nodes(programs, rng)
    await nodes.begin("a", "b")
    link = await asyncio.to_thread(new_link, nodes.servers["a"])

    async def story() -> None:
        async with chromium.context(viewport=DESK) as desk:
            page = await desk.new_page()
            await page.goto(link)
            rows = page.get_by_role("table", name="Nodes").get_by_role("row")
            for words in (
                ["Node", "State", "Lease", "Tables"],
                ["a", "here", "held", "0"],
                ["b", "here", "held", "1"],
            ):
                row = rows.filter(has=page.get_by_text(words[0], exact=True))
                await expect(row.locator("th, td")).to_have_text(words)
            players = page.get_by_role("table", name="Players")
            await expect(players.get_by_text("(elsewhere)")).to_be_visible()
            await expect(page.get_by_text("addresses are those of node a.")).to_be_visible()

    async with nodes.player("Ann", "b") as ann:
        await ann.opens_table()
        await chromium.story(story())
    for server in nodes.servers.values():
        await server.stop()
