"""The files of the page in `client_web/`, read once and compressed, under a digest of all.

    /                     index.html, which names the digest; a browser stores none of it
    /t/CODE               the same: whoever follows the link sits down at that table
    /t/CODE/replay        the same: what has happened at that table, step by step
    /admin                another document, for administrators
    /DIGEST/main.js       a file, which a browser may keep for ever

A new version of the page has another digest, so that nobody mixes files of two versions.
"""

import gzip
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any, Self

from protocol.texts.catalogue import LANGUAGES, catalogue
from server.net.page_modules import imported, joined
from server.net.page_source import as_sent
from server.net.page_texts import first_and_other_texts, later_texts, page_rules, page_texts

FOLDER = Path(__file__).parents[2] / "client_web"
INDEX = "index.html"
ADMIN = "admin/index.html"
ADMIN_SCRIPT = "admin/admin.js"
WIRE_LANGUAGE = "en"
"""The language of what servers say themselves: the page needs no other words for that."""
KINDS = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".png": "image/png",
}
"""What is served; anything else in the folder is for those who work on it."""
PARTS = frozenset(KINDS[suffix] for suffix in (".js", ".css", ".json", ".webmanifest", ".png"))
"""What a browser runs or draws within a document; opened by itself it does nothing, unlike SVG."""
FIRST = "main.js"
TABLE = "room/room.js"
SCRIPTS = {
    FIRST: (FIRST, "cards/table_picture.js"),
    TABLE: (TABLE, "room/table_adapter.js", "table/table.js"),
    "table/sheets.js": (
        *(f"table/{name}.js" for name in ("enlarged", "dragging", "in_words", "sheets")),
        *("table/dialogs.js", "table/clocks.js", "result/result.js"),
    ),
    "replay/replay.js": ("replay/replay.js",),
    "lobby/new_table.js": ("lobby/new_table.js", "lobby/options.js"),
}
"""What comes as one file, and each with all that it imports and no earlier one of these has:
the first screen with what its pictures need, the first picture of a table, what comes right behind
it, a replay, a new table. Every other module is asked for by itself."""
STYLES = ("page.css", "lobby/lobby.css", "room/chairs.css", "table/table.css")
"""The style sheets that come as one, the first: the page's own, and those that build on it."""
_DIGITS = 16
_TABLE = re.compile(r"/t/[A-Za-z0-9]{1,16}(/replay)?(?:[/.,;:!)'*_]|%20)*")
_FILE = re.compile(rf"/([0-9a-f]{{{_DIGITS}}})/([A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)*)")


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file as it is sent: plain, or compressed by gzip."""

    kind: str
    plain: bytes
    packed: bytes

    @classmethod
    def of(cls, kind: str, content: bytes) -> Self:
        """Make a file from its content; equal contents compress to equal bytes."""
        return cls(kind, content, gzip.compress(content, mtime=0))

    @property
    def is_part(self) -> bool:
        """Whether pages load this file, which can never be a document that runs scripts."""
        return self.kind in PARTS


@dataclass(frozen=True, slots=True)
class PageFiles:
    """The page's files by their path below `/DIGEST/`, and the document that names them."""

    digest: str
    files: Mapping[str, PageFile]
    document: str
    admin_document: str

    @classmethod
    def read(cls, folder: Path = FOLDER) -> Self:
        """Read every served file of `folder`, and the texts of each language."""
        contents = _joined(
            {
                path.relative_to(folder).as_posix(): as_sent(path.suffix, path.read_bytes())
                for path in sorted(folder.rglob("*"))
                if path.suffix in KINDS and path.is_file()
            }
        )
        for language in LANGUAGES:
            first, others = first_and_other_texts(
                page_texts(folder, language), contents[FIRST].decode()
            )
            contents[f"texts/{language}.json"] = _json(first)
            contents[f"texts/{language}.rest.json"] = _json(others)
            contents[f"texts/{language}.more.json"] = _json(later_texts(language))
            if language != WIRE_LANGUAGE:
                contents[f"texts/{language}.rules.json"] = _json(page_rules(language))
        document = (folder / INDEX).read_text("utf-8")
        admin_document = (folder / ADMIN).read_text("utf-8")
        digest = sha256(document.encode() + admin_document.encode())
        for name, content in sorted(contents.items()):
            digest.update(f"{name} {len(content)}\n".encode() + content)
        files = {
            name: PageFile.of(KINDS[Path(name).suffix], content)
            for name, content in contents.items()
        }
        return cls(digest.hexdigest()[:_DIGITS], files, document, admin_document)

    def is_document(self, page: str) -> bool:
        """Whether the document is shown at this path: at `/`, and at a table's addresses."""
        return page == "/" or _TABLE.fullmatch(page) is not None

    def is_table(self, page: str) -> bool:
        """Whether the document begins with a table at this path."""
        named = _TABLE.fullmatch(page)
        return named is not None and named[1] is None

    def index(self, root: str, join: str, *, at_table: bool = False) -> PageFile:
        """Return the document for a browser that sees the server's pages below `root`.

        `join` is the address for players at a terminal. Both end up in attributes and text. With
        `at_table` it begins with a table, whose script it names within a template. Nothing of that
        is fetched before `main.js` puts it into the document.
        """
        folder = f"{root}{self.digest}/"
        table = f'<link rel="modulepreload" href="{escape(folder + TABLE)}">'
        document = (
            self.document.replace("<!-- table -->\n", f"<template>{table}</template>\n" * at_table)
            .replace("{languages}", escape(_names_of_languages()))
            .replace("{folder}", escape(folder))
            .replace("{join}", escape(join))
        )
        return PageFile.of("text/html; charset=utf-8", document.encode())

    def admin(self, root: str) -> PageFile:
        """Return the administrators' document for a browser that sees the pages below `root`."""
        folder = escape(f"{root}{self.digest}/")
        document = self.admin_document.replace("{folder}", folder).replace("{root}", escape(root))
        return PageFile.of("text/html; charset=utf-8", document.encode())

    def find(self, page: str) -> PageFile | None:
        """Return the file at this path; None for another digest, and for files not served."""
        named = _FILE.fullmatch(page)
        if named is None or named[1] != self.digest:
            return None
        return self.files.get(named[2])


def _joined(contents: Mapping[str, bytes]) -> dict[str, bytes]:
    """Join the page's modules and style sheets to fewer files."""
    modules = {name: each.decode() for name, each in contents.items() if name.endswith(".js")}
    others = {name: each for name, each in contents.items() if name not in {*modules, *STYLES}}
    scripts = {name: script.encode() for name, script in _scripts(modules).items()}
    styles = b"".join(contents[name] for name in STYLES if name in contents)
    return {**others, **scripts, **({STYLES[0]: styles} if styles else {})}


def _scripts(modules: Mapping[str, str]) -> dict[str, str]:
    """Return the modules of the page as they are sent, by file.

    The page for administrators shares no file with the other, whose first one begins to run.
    """
    files: dict[str, list[str]] = {}
    for file, names in SCRIPTS.items():
        known = {name for held in files.values() for name in held}
        found = imported(modules, *(name for name in names if name in modules))
        files[file] = [name for name in found if name not in known]
    page = {name: source for name, source in modules.items() if name != ADMIN_SCRIPT}
    scripts = joined(page, {file: held for file, held in files.items() if held})
    if ADMIN_SCRIPT in modules:
        held = imported(modules, ADMIN_SCRIPT)
        own = {name: modules[name] for name in held}
        scripts |= joined(own, {ADMIN_SCRIPT: held})
    return scripts


def _names_of_languages() -> str:
    """Return each language's own name, for the menu and the page's choice of a language."""
    return json.dumps({each: catalogue(each).name for each in LANGUAGES}, ensure_ascii=False)


def _json(texts: Mapping[str, Any]) -> bytes:
    return json.dumps(texts, ensure_ascii=False).encode()


@cache
def page_files() -> PageFiles:
    """Return the files of this program, read at the first call."""
    return PageFiles.read()
