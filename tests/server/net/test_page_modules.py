"""How the modules of the page are bundled into few files."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Route

from server.net.page_files import FOLDER, SCRIPTS, page_files
from server.net.page_modules import imported, joined
from tests.chromium import Chromium

ADDRESS = "http://page.test"
MODULES = {
    "main.js": """import { twice, plus as add } from "./lib/sums.js";
export async function main() {
const { late } = await import("./lib/late.js");
return [add(twice(4), 1), late(), new URL("x.json", import.meta.url).pathname];
}
""",
    "lib/sums.js": """import {
one,
} from "./one.js";
// Not exported, and called as another one is in a module beside it.
const own = 1;
export const plus = (a, b) => a + b - own + one;
export function twice(n) { return 2 * n; }
""",
    "lib/one.js": """const own = 1;
export const one = own;
export class One {}
""",
    "lib/late.js": """import { one } from "./one.js";
export const late = () => [one, new URL("y.json", import.meta.url).pathname];
""",
}


def test_joined_modules_do_what_they_did(chromium: Chromium) -> None:
    """Bundled modules keep their own names, and later bundles share earlier modules."""
    held = imported(MODULES, "main.js")
    assert held == ["lib/one.js", "lib/sums.js", "main.js"]
    alone = joined(MODULES, {})
    together = joined(MODULES, {"main.js": held})
    assert [*together] == ["main.js", "lib/late.js"]
    both = joined(MODULES, {"lib/late.js": [*held, "lib/late.js"]})
    for files, name in ((alone, "main.js"), (together, "main.js"), (both, "lib/late.js")):
        assert ran(chromium, files, name) == [9, [1, "/lib/y.json"], "/x.json"]


def ran(chromium: Chromium, files: dict[str, str], name: str) -> object:
    """The result of `main` of these files in a browser."""

    async def serve(route: Route) -> None:
        path = route.request.url.removeprefix(f"{ADDRESS}/")
        kind = "text/javascript" if path else "text/html"
        await route.fulfill(body=files.get(path, ""), content_type=kind)

    async def story() -> object:
        async with chromium.context() as context:
            await context.route(f"{ADDRESS}/**", serve)
            page = await context.new_page()
            await page.goto(f"{ADDRESS}/")
            return await page.evaluate(f"import('/{name}').then((all) => all.main_js.main())")

    return chromium.run(story())


def test_a_line_is_found_again() -> None:
    """The line of a bundled module can be found again from the line that names it."""
    lines = joined(MODULES, {"main.js": imported(MODULES, "main.js")})["main.js"].split("\n")
    begins = lines.index("// lib/sums.js") + 2
    source = MODULES["lib/sums.js"].split("\n")
    assert lines[begins + 4] == source[4]
    assert lines[begins + 6] == source[6].removeprefix("export ")


@pytest.mark.parametrize(
    "source",
    ["export default 1;", 'import * as all from "./lib/one.js";', 'export { one } from "./x.js";'],
)
def test_what_is_not_understood_is_refused(source: str) -> None:
    """Unsupported syntax is refused by the bundler."""
    with pytest.raises(ValueError, match=f"main.js: {re.escape(source)}: the page's modules"):
        joined({**MODULES, "main.js": source}, {})


def test_a_circle_is_refused() -> None:
    """A circle of imports is refused."""
    modules = {"a.js": 'import { b } from "./b.js";', "b.js": 'import { a } from "./a.js";'}
    with pytest.raises(ValueError, match=r"a\.js imports b\.js imports a\.js: a circle"):
        imported(modules, "a.js")


def test_every_module_of_the_page_is_sent_once() -> None:
    """Every module of the page is sent once, except those of the administrators' page."""
    files = page_files().files
    names = re.compile(r"^// (\S+\.js)$", re.MULTILINE)
    scripts = {name: file.plain.decode() for name, file in files.items() if name.endswith(".js")}
    sent = [
        module
        for name, script in scripts.items()
        if name != "admin/admin.js"
        for module in names.findall(script)
    ]
    modules = {path.relative_to(FOLDER).as_posix() for path in Path(FOLDER).rglob("*.js")}
    assert sorted(sent) == sorted(modules - {"admin/admin.js"})
    for name, begins in SCRIPTS.items():
        assert set(begins) <= set(names.findall(scripts[name]))
