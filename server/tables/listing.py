"""The list of public tables: kept in order as tables change, sent by pages.

Tables with free seats come first, and among equals the older ones. The order is kept at every
change, so that a page costs what it holds and not what there is.
"""

from bisect import bisect_left, insort
from collections.abc import Iterator
from itertools import count, islice
from typing import NamedTuple, TypeAlias

from protocol.errors import ProtocolError
from protocol.to_server import ListTables
from protocol.wire_form import WireForm

Place: TypeAlias = tuple[bool, int, str]
"""Whether the table is full, its number among all that were ever listed, and its code."""


class _Listed(NamedTuple):
    """A table's place in the list, and what it can be found by."""

    place: Place
    info: WireForm
    games: tuple[None, str, str]
    phase: str
    free: int
    words: str


class Listing:
    """The public tables, in the order of the list."""

    def __init__(self) -> None:
        self._listed: dict[str, _Listed] = {}
        self._order: list[Place] = []
        self._numbers = count(1)

    def update(self, code: str, info: WireForm) -> None:
        """A table is as `info` says; a private one is not listed."""
        if info["settings"].get("private", False):
            self.remove(code)
            return
        before = self._listed.get(code)
        number = next(self._numbers) if before is None else before.place[1]
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

    def remove(self, code: str) -> None:
        """A table is closed, or not public any more."""
        self._take_out(self._listed.pop(code, None))

    def page(self, command: ListTables) -> tuple[list[WireForm], str | None]:
        """The tables asked for, and where the next page goes on; None where there is no more.

        `ProtocolError` if `page` is none of ours.
        """
        found = self._matching(command, self._start(command.page))
        page = list(islice(found, command.size))
        more = next(found, None)
        if more is None:
            return [listed.info for listed in page], None
        full, number, _ = page[-1].place
        return [listed.info for listed in page], f"{int(full)}.{number}"

    def _matching(self, command: ListTables, start: int) -> Iterator[_Listed]:
        words = (command.text or "").casefold()
        for at in range(start, len(self._order)):
            listed = self._listed[self._order[at][2]]
            if (
                listed.free >= command.free
                and command.phase in (None, listed.phase)
                and command.game in listed.games
                and words in listed.words
            ):
                yield listed

    def _start(self, page: str | None) -> int:
        """Where a page begins: behind the table that was the last of the page before.

        That table need not be there any more, nor in the same place.
        """
        if page is None:
            return 0
        full, _, number = page.partition(".")
        if full not in ("0", "1") or not (number.isascii() and number.isdigit()):
            raise ProtocolError("bad_message", "field 'page' must be the 'next' of an earlier page")
        return bisect_left(self._order, (full == "1", int(number) + 1, ""))

    def _take_out(self, listed: _Listed | None) -> None:
        if listed is not None:
            del self._order[bisect_left(self._order, listed.place)]
