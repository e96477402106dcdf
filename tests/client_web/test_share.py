"""Sharing a link, with and without help by the browser."""

from typing import Any

from server.net.page_files import FOLDER
from server.net.page_texts import page_texts
from tests.client_web.modules import Modules

SHARE = """
const { showLink } = await import("/sharing/share.js");
const { Speaker } = await import("/words.js");
const words = new Speaker(texts), link = "http://192.0.2.7:8765/t/PLUM";
const app = { t: (key, args) => words.page(key, args) };
const has = (name, value) => Object.defineProperty(navigator, name, { value, configurable: true });
const shown = async (from = -2) => {
    const dialog = showLink(app, "Invite", "How", link);
    const buttons = [...dialog.querySelectorAll("button")];
    buttons.at(from).focus();
    buttons.at(from).click();
    await new Promise((resolve) => setTimeout(resolve));
    const { selectionStart, selectionEnd, value } = dialog.querySelector("input");
    const selected = value.slice(selectionStart, selectionEnd);
    const told = [buttons.map((each) => each.textContent), selected,
        document.activeElement.localName, dialog.querySelector("#share-done").textContent];
    dialog.close();
    return told;
};
"""


def test_without_help_by_the_browser_a_link_is_selected(modules: Modules) -> None:
    """Without the clipboard a link is selected, as on plain HTTP."""
    plain, refused = share(
        modules,
        """has("clipboard", undefined); has("share", undefined);
        const plain = await shown();
        has("clipboard", { writeText: async () => { throw new Error("no"); } });
        return [plain, await shown()];""",
    )
    by_hand = "Copy the link that is selected now, and send it to your friends."
    link = "http://192.0.2.7:8765/t/PLUM"
    assert plain == refused == [["Copy the link", "Close"], link, "input", by_hand]


def test_a_browser_copies_and_shares_where_it_can(modules: Modules) -> None:
    """Buttons copy and share the link if the browser can."""
    copied, told = share(
        modules,
        """const copied = [];
        has("clipboard", { writeText: async (text) => copied.push(text) });
        has("share", async () => {});
        const told = await shown();
        return [copied, [told[0], told[3]]];""",
    )
    assert copied == ["http://192.0.2.7:8765/t/PLUM"]
    assert told == [["Share …", "Copy the link", "Close"], "The link is copied."]


def test_a_browser_that_refuses_to_share_leaves_the_link_selected(modules: Modules) -> None:
    """A refusal to share leaves the link selected; a cancelled one says nothing."""
    refused, cancelled = share(
        modules,
        """const fails = (name) => has("share", async () => { throw new DOMException("", name); });
        fails("NotAllowedError"); const refused = await shown(0);
        fails("AbortError"); return [refused[3], (await shown(0))[3]];""",
    )
    assert refused == "Copy the link that is selected now, and send it to your friends."
    assert cancelled == ""


def test_a_link_that_others_cannot_open_says_so(modules: Modules) -> None:
    """A link to this computer's own address says that others cannot open it."""
    told = share(
        modules,
        """const { share } = await import("/sharing/share.js");
        const told = (root, url) => {
            share({ ...app, root, session: { name: "Ann", url } }, "PLUM", "Hearts");
            const dialog = document.querySelector("dialog");
            const [how] = [...dialog.querySelectorAll("p")].map((each) => each.textContent);
            dialog.remove();
            return how.includes("on this computer alone");
        };
        return [told("http://127.0.0.1:8765/", null), told("http://localhost:8765/", null),
            told("http://127.0.0.1:8765/", "ws://192.0.2.7:8765"),
            told("http://192.0.2.7:8765/", null)];""",
    )
    assert told == [True, True, False, False]


def share(modules: Modules, script: str) -> Any:
    """The result of a script after `SHARE`."""
    texts = page_texts(FOLDER, "en")
    return modules.evaluate(f"async (texts) => {{ {SHARE} {script} }}", texts)
