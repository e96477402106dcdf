"""What the page reads of its address, which may come from any link."""

import re

from server.net.page_files import FOLDER

READERS = {
    "admin/admin.js": "a key that an administrator has made",
    "lobby/entry.js": "who invites and to what, shown as text",
    "room/head.js": "the same game, shown as text",
    "main.js": "the table; a device's code, which asks; the key of `play --browser`",
    "replay/replay.js": "a moment of a past match",
}
"""The modules that read it, and what for: client_web/README.md says what each may do unasked."""


def test_few_modules_read_the_address() -> None:
    """Only few modules read the address, so that each can be checked for unwanted effects."""
    reads = re.compile(
        r"location\.(hash|search|href)|document\.(URL|referrer)|URLSearchParams\(loc"
    )
    found = {
        path.relative_to(FOLDER).as_posix()
        for path in FOLDER.rglob("*.js")
        if reads.search(path.read_text("utf-8"))
    }
    assert found == READERS.keys()


def test_nothing_behind_a_question_mark_is_read() -> None:
    """Nothing after a question mark is read, because servers and proxies log it."""
    assert not [
        path.name for path in FOLDER.rglob("*.js") if "location.search" in path.read_text("utf-8")
    ]
