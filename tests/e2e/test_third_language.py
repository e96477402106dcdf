"""Tests that a further language needs one file, and is offered by the page and the terminal."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.chromium import DESK, Chromium
from tests.counts import NIGHT
from tests.e2e.processes import Programs
from tests.repository import FOLDERS, ROOT
from tools.new_language import begun

pytestmark = pytest.mark.e2e

CHECKS = ("protocol/test_languages.py", "client_cli/test_texts.py", "client_web/test_languages.py")
"""What `make test` finds wrong with a language."""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy the program with a third language, whose one file marks each text with a ~."""
    folder = tmp_path / "copy"
    folder.mkdir()
    for name in (*FOLDERS, "tests", "pyproject.toml"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "protocol").unlink()
    texts = folder / "protocol" / "texts"
    texts.mkdir(parents=True)
    for path in (ROOT / "protocol").iterdir():
        if path.name != "texts":
            (folder / "protocol" / path.name).symlink_to(path)
    for path in (ROOT / "protocol" / "texts").iterdir():
        (texts / path.name).symlink_to(path)
    texts.joinpath("nl.toml").write_text(translated(begun("Nederlands")), "utf-8")
    return folder


def translated(texts: str) -> str:
    """Return another text for each text of the file."""
    marked = re.sub(r'^([^ ]+ = ")(?=[^"])', r"\1~", texts, flags=re.MULTILINE)
    return marked.replace('rules = """\n', 'rules = """\n~ ')


async def test_a_third_language_is_one_file(
    programs: Programs, copy: Path, chromium: Chromium
) -> None:
    """A browser of that language gets the page in it, others choose the language in the menu."""
    server = await programs.serve("--plain-bots", source=copy)
    address = server.url.replace("ws:", "http:")
    await chromium.story(page_speaks(chromium, address))
    tables = await programs.run("tables", server.url, "--language", "nl", source=copy)
    await tables.done()
    assert tables.lines[0].startswith("~")
    await server.stop()


async def page_speaks(chromium: Chromium, address: str) -> None:
    async with chromium.context(viewport=DESK, locale="nl-NL") as context:
        page = await context.new_page()
        await page.goto(address)
        await expect(page.get_by_label("~Your name")).to_be_visible()
        assert await page.get_attribute("html", "lang") == "nl"
        menu = page.get_by_label("~Language")
        offered = await menu.locator("option").all_inner_texts()
        assert offered == ["English", "Deutsch", "~Nederlands"]
        await menu.select_option("Deutsch")
        await expect(page.get_by_label("Dein Name")).to_be_visible()


@pytest.mark.skipif(not NIGHT, reason="the checks of languages, once more")
def test_what_a_third_language_lacks_fails_the_build(copy: Path) -> None:
    """A text missing in the language's file fails the checks; the whole file passes them."""
    file = copy / "protocol" / "texts" / "nl.toml"
    whole = file.read_text("utf-8")
    assert failures(copy) == ""
    for key in ("they", "range", "welcome", "aim"):
        file.write_text(re.sub(rf"^{key} = .*\n", "", whole, count=1, flags=re.MULTILINE), "utf-8")
        assert "FAILED" in failures(copy), key


def failures(copy: Path) -> str:
    """Return the failures of the checks that need no browser."""
    words = ("-q", "-n", "0", "-p", "no:cacheprovider", "-k", "(nl or every) and not server")
    named = [str(copy / "tests" / check) for check in CHECKS]
    command = (sys.executable, "-m", "pytest", *words, *named)
    # Once is enough each time, at night too.
    surroundings = {**os.environ, "PYTHONPATH": str(copy), "BLACKQUEEN_FACTOR": "1"}
    run = subprocess.run(command, cwd=copy, env=surroundings, capture_output=True, text=True)
    assert run.returncode in (0, 1), run.stdout + run.stderr
    return run.stdout if run.returncode else ""
