"""The list of public tables: kept in order as tables change, sent by pages.

Tables with free seats come first, and among equals the older ones. The order is kept at every
change, so that the cost of a page depends on its own size alone. A table whose players are all away
is not listed until one of them is back.
"""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterator
from itertools import count, islice
from typing import NamedTuple, TypeAlias

from protocol.to_server import ListTables, TableQuery
from protocol.wire_form import WireForm
from server.refusals import refusal

Place: TypeAlias = tuple[bool, int, str]
"""Whether the table is full, its number among all that were ever listed, and its code."""


class _Listed(NamedTuple):
    """A table's place in the list, and its searchable text."""

    place: Place
    info: WireForm
    games: tuple[None, str, str]
    phase: str
    free: int
    words: str

    def fits(self, wanted: TableQuery, words: str) -> bool:
        """Whether this table matches a search; `words` is the text wanted, by `_words`."""
        return (
            self.free >= wanted.free
            and wanted.phase in (None, self.phase)
            and wanted.game in self.games
            and words in self.words
        )


class Window(NamedTuple):
    """The first matching tables, whether there are `more`, and the number `looked` at."""

    tables: dict[str, WireForm]
    more: bool
    looked: int


class Listing:
    """The public tables, in the order of the list."""

    def __init__(self) -> None:
        # Told the code of every table whose row has changed, came or went.
        self.observer: Callable[[str], None] | None = None
        self._listed: dict[str, _Listed] = {}
        self._order: list[Place] = []
        self._count = count(1)
        # Also of tables that are not listed now, so that they come back to their place.
        self._numbers: dict[str, int] = {}

    def update(self, code: str, info: WireForm) -> None:
        """Update a table to `info`; a private or deserted table is not listed."""
        if info["settings"].get("private", False) or _is_deserted(info):
            self._drop(code)
            return
        before = self._listed.get(code)
        if before is not None and before.info == info:
            return
        number = self._numbers.get(code)
        if number is None:
            number = self._numbers[code] = next(self._count)
        seats = info["seats"]
        free = sum(1 for seat in seats if seat["kind"] == "empty")
        words = (code, info["game"], info["title"], *(seat.get("name", "") for seat in seats))
        place = (free == 0, number, code)
        games = (None, info["game"], info["game"].partition("@")[0])
        listed = _Listed(place, info, games, info["phase"], free, "\n".join(words).casefold())
        self._listed[code] = listed
        if before is None or before.place != place:
            self._take_out(before)
            insort(self._order, place)
        self._changed(code)

    def remove(self, code: str) -> None:
        """Remove a closed table."""
        self._drop(code)
        self._numbers.pop(code, None)

    def fits(self, code: str, wanted: TableQuery) -> bool:
        """Whether a table is listed now, and matches the search."""
        listed = self._listed.get(code)
        return listed is not None and listed.fits(wanted, _words(wanted))

    def window(self, wanted: TableQuery) -> Window:
        """Return the first matching tables, in their order."""
        tables: dict[str, WireForm] = {}
        words = _words(wanted)
        for looked, (_, _, code) in enumerate(self._order, start=1):
            listed = self._listed[code]
            if not listed.fits(wanted, words):
                continue
            if len(tables) == wanted.size:
                return Window(tables, True, looked)
            tables[code] = listed.info
        return Window(tables, False, len(self._order))

    def page(self, command: ListTables) -> tuple[list[WireForm], str | None]:
        """Return the requested tables, and the next page's mark; None on the last page.

        Raises `ProtocolError` if `page` is none of ours.
        """
        found = self._matching(command, self._start(command.page))
        page = list(islice(found, command.size))
        more = next(found, None)
        if more is None:
            return [listed.info for listed in page], None
        full, number, _ = page[-1].place
        return [listed.info for listed in page], f"{int(full)}.{number}"

    def _matching(self, command: ListTables, start: int) -> Iterator[_Listed]:
        words = _words(command)
        for at in range(start, len(self._order)):
            listed = self._listed[self._order[at][2]]
            if listed.fits(command, words):
                yield listed

    def _start(self, page: str | None) -> int:
        """Return where a page begins: behind the last table of the page before.

        That table may be gone or elsewhere in the list.
        """
        if page is None:
            return 0
        full, _, number = page.partition(".")
        if full not in ("0", "1") or not (number.isascii() and number.isdigit()):
            why = "field 'page' must be the 'next' of an earlier page"
            raise refusal("bad_message", "refused_field", {"why": why})
        return bisect_left(self._order, (full == "1", int(number) + 1, ""))

    def _drop(self, code: str) -> None:
        listed = self._listed.pop(code, None)
        if listed is not None:
            self._take_out(listed)
            self._changed(code)

    def _changed(self, code: str) -> None:
        if self.observer is not None:
            self.observer(code)

    def _take_out(self, listed: _Listed | None) -> None:
        if listed is not None:
            del self._order[bisect_left(self._order, listed.place)]


def _words(wanted: TableQuery) -> str:
    return (wanted.text or "").casefold()


def _is_deserted(info: WireForm) -> bool:
    """Whether all players of a table are away; after a restart they have time to come back."""
    if info["phase"] == "paused":
        return True
    people = [seat for seat in info["seats"] if seat["kind"] == "human"]
    return bool(people) and all(seat.get("away", False) for seat in people)
