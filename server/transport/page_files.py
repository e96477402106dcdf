"""The files of the page in `client_web/`, read once and packed, under the digest of them all.

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
from os.path import normpath
from pathlib import Path
from typing import Any, Self

from protocol.texts.catalogue import LANGUAGES, catalogue
from server.transport.page_source import as_sent
from server.transport.page_texts import later_texts, page_rules, page_texts

FOLDER = Path(__file__).parents[2] / "client_web"
INDEX = "index.html"
ADMIN = "admin/index.html"
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
RELATIONS = {".css": "stylesheet", ".js": "modulepreload"}
"""How the document names its files, so that they are fetched at once and not one after another."""
LATER = frozenset(
    ["movements.js", "refusals.js", "sounds.js"]
    + [
        f"lobby/{name}.js"
        for name in (
            "after_match",
            "asking",
            "becoming",
            "chairs",
            "chart",
            "coming",
            "head",
            "heard",
            "help",
            "latecomer",
            "markdown",
            "new_table",
            "notices",
            "options",
            "over",
            "own_bot",
            "past",
            "pasted",
            "qr",
            "results",
            "room",
            "settings",
            "share",
            "talk",
            "told",
            "wanted",
        )
    ]
)
"""What the lobby and the table load when it is asked for, beside the modules that draw cards."""
SCREEN_OF_A_TABLE = ("lobby/room.js", "lobby/told.js", "table/table.js")
"""What the first picture of a table needs, each with the modules that it imports."""
_DIGITS = 16
_TABLE = re.compile(r"/t/[A-Za-z0-9]{1,16}(/replay)?(?:[/.,;:!)'*_]|%20)*")
_IMPORTED = re.compile(rb'^(?:import|\}).* from "(.+)";$', re.MULTILINE)
_FILE = re.compile(rf"/([0-9a-f]{{{_DIGITS}}})/([A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)*)")


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file as it is sent: plain, or packed by gzip."""

    kind: str
    plain: bytes
    packed: bytes

    @classmethod
    def of(cls, kind: str, content: bytes) -> Self:
        """A file with this content; the same content is packed to the same bytes."""
        return cls(kind, content, gzip.compress(content, mtime=0))

    @property
    def is_part(self) -> bool:
        """Whether pages are made of it, and it can never be a document that runs something."""
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
        """Every file of `folder` that is served, and the catalogue of each language."""
        contents = {
            path.relative_to(folder).as_posix(): as_sent(path.suffix, path.read_bytes())
            for path in sorted(folder.rglob("*"))
            if path.suffix in KINDS and path.is_file()
        }
        for language in LANGUAGES:
            contents[f"texts/{language}.json"] = _json(page_texts(folder, language))
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
        """The document for a browser that sees the server's pages below `root`.

        `join` is the address for players at a terminal. Both end up in attributes and text.
        `at_table`: it begins with a table, whose modules it names within a template. Nothing of
        it is fetched before `main.js` puts it into the document.
        """
        folder = f"{root}{self.digest}/"
        links = "".join(
            f'<link rel="{RELATIONS[suffix]}" href="{escape(folder + name)}">\n'
            # The page's own style first: those of its parts build on it.
            for suffix, depth, name in sorted(
                (Path(name).suffix, name.count("/"), name) for name in self.files
            )
            if suffix in RELATIONS and not is_later(name)
        )
        if at_table:
            of_table = "".join(
                f'<link rel="modulepreload" href="{escape(folder + name)}">\n'
                for name in self.imported(*SCREEN_OF_A_TABLE)
                if is_later(name)
            )
            links += f"<template>\n{of_table}</template>\n"
        document = (
            self.document.replace("<!-- files -->\n", links)
            .replace("{languages}", escape(_names_of_languages()))
            .replace("{folder}", escape(folder))
            .replace("{join}", escape(join))
        )
        return PageFile.of("text/html; charset=utf-8", document.encode())

    def imported(self, *names: str) -> list[str]:
        """These modules, and all that a browser has to load before it can run them."""
        found: set[str] = set()
        left = [name for name in names if name in self.files]
        while left:
            module = left.pop()
            if module not in found:
                found.add(module)
                left += [
                    normpath(Path(module).parent / other.decode())
                    for other in _IMPORTED.findall(self.files[module].plain)
                ]
        return sorted(found)

    def admin(self, root: str) -> PageFile:
        """The document for administrators, whose browser sees the server's pages below `root`."""
        folder = escape(f"{root}{self.digest}/")
        document = self.admin_document.replace("{folder}", folder).replace("{root}", escape(root))
        return PageFile.of("text/html; charset=utf-8", document.encode())

    def find(self, page: str) -> PageFile | None:
        """The file at this path; None for another digest, and for what is not served."""
        named = _FILE.fullmatch(page)
        if named is None or named[1] != self.digest:
            return None
        return self.files.get(named[2])


def is_later(name: str) -> bool:
    """Whether a file is loaded only when it is needed: the modules that draw cards, and more."""
    if name.endswith(".json"):
        return name.endswith((".more.json", ".rules.json"))
    if name.startswith(("admin/", "replay/", "review/")):
        return True
    return name.endswith(".js") and (name in LATER or name.startswith(("cards/", "table/")))


def _names_of_languages() -> str:
    """What each language calls itself, for the menu and the choice of the page."""
    return json.dumps({each: catalogue(each).name for each in LANGUAGES}, ensure_ascii=False)


def _json(texts: Mapping[str, Any]) -> bytes:
    return json.dumps(texts, ensure_ascii=False).encode()


@cache
def page_files() -> PageFiles:
    """The files of this program, read when they are first asked for."""
    return PageFiles.read()
