"""The described games that nodes on one database offer: those of all their folders.

A node's scan ─▶ its rows in the database ─▶ of each name the newest text ─▶ games

There are no notifications: each node reads the rows whenever a client asks it for the games, and
every few seconds.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple, TypeAlias

import structlog

from server.games.descriptions import DescribedGame, GameSource, described_id, digest_of
from server.games.folder import MOST_FILES, FolderScan, Problems
from server.store import Deletion, HostedFile, HostedGame, HostedKey, Store, StoreError, Write

log = structlog.get_logger()

LOOK_SECONDS = 5.0
"""How often a node looks into its folder and at what others brought, though nobody asks for it."""
PATIENCE_SECONDS = 5.0
"""How long the database may take; beyond that the games stay as they were."""
AT_ONCE = 20
"""Files that one commit brings: moves wait for it."""

Make: TypeAlias = Callable[[GameSource, str], Awaitable[DescribedGame | Problems]]
"""Makes the game of a text and its rules page, or says what is wrong with it."""


class _Content(NamedTuple):
    """The content of a game, independent of the node that added it."""

    name: str
    digest: str
    rules_digest: str


class SharedGames:
    """The games in `store`, to which the node named `source` adds its own."""

    def __init__(self, store: Store, source: str) -> None:
        self._store = store
        self._source = source
        self._made: dict[_Content, DescribedGame | Problems] = {}
        self._differing: dict[str, tuple[HostedGame, ...]] = {}
        self._last: FolderScan | None = None
        self._is_away = False

    async def exchange(self, scan: FolderScan, make: Make) -> FolderScan:
        """Add the present games of the own folder, and return the games of all nodes.

        The problems are those of the own folder, and of texts that this program cannot play. If the
        database does not answer, nothing changes.
        """
        try:
            rows, refused = await self._bring(scan)
            found = await self._games(rows, scan, make)
        except (StoreError, TimeoutError) as error:
            if not self._is_away:
                log.warning("shared_games_unknown", reason=str(error) or "it takes too long")
            self._is_away = True
            return scan if self._last is None else self._last
        self._is_away = False
        self._tell_differences(rows)
        self._last = FolderScan(found.games, {**found.problems, **refused, **scan.problems})
        return self._last

    async def _bring(self, scan: FolderScan) -> tuple[list[HostedGame], dict[str, Problems]]:
        """Update the own rows from the folder; return all rows, and the files that are too many."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            rows = await self._store.hosted_games()
            own = {row.name: row for row in rows if row.source == self._source}
            names = {row.name for row in rows}
            refused: dict[str, Problems] = {}
            brought: list[HostedFile] = []
            for name, found in scan.games.items():
                file = self._file(name, found)
                if name not in names and len(names) >= MOST_FILES:
                    refused[name] = (f"more than {MOST_FILES} games are on offer",)
                elif name not in own or _content(own[name]) != _content(file):
                    names.add(name)
                    brought.append(file)
            gone = own.keys() - scan.games.keys() if scan.is_whole else ()
            if not brought and not gone:
                return rows, refused
            await self._save(brought, gone)
            return await self._store.hosted_games(), refused

    async def _save(self, brought: Sequence[HostedFile], gone: Collection[str]) -> None:
        keys = tuple(HostedKey(name, self._source) for name in sorted(gone))
        if keys:
            await self._store.save(Write(deleted=Deletion(hosted=keys)))
            log.info("games_withdrawn", count=len(keys))
        for start in range(0, len(brought), AT_ONCE):
            await self._store.save(Write(hosted=tuple(brought[start : start + AT_ONCE])))
        if brought:
            log.info("games_brought", count=len(brought))

    def _file(self, name: str, found: DescribedGame) -> HostedFile:
        text, rules = found.source.text, found.rules
        digests = _digest(text), _digest(rules)
        return HostedFile(name, self._source, *digests, time.time(), text, rules)

    async def _games(self, rows: Sequence[HostedGame], scan: FolderScan, make: Make) -> FolderScan:
        """Return the games of the newest texts; each text is made a game once."""
        latest = {row.name: row for row in rows}
        made: dict[_Content, DescribedGame | Problems] = {}
        for name in sorted(latest)[:MOST_FILES]:
            content = _content(latest[name])
            result = self._made.get(content) or self._own(content, scan)
            if result is None:
                result = await self._read(content, make)
            # Else nobody brings this text any more since the rows were read.
            if result is not None:
                made[content] = result
        self._made = made
        games = {key.name: game for key, game in made.items() if isinstance(game, DescribedGame)}
        problems = {key.name: why for key, why in made.items() if isinstance(why, tuple)}
        return FolderScan(games, problems)

    def _own(self, content: _Content, scan: FolderScan) -> DescribedGame | None:
        """Return the game of the own folder, if it has this text and these rules."""
        found = scan.games.get(content.name)
        if found is None or _content(self._file(content.name, found)) != content:
            return None
        return found

    async def _read(self, content: _Content, make: Make) -> DescribedGame | Problems | None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            found = await self._store.hosted_text(content.digest, content.rules_digest)
        if found is None:
            return None
        text, rules = found
        return await make(GameSource(described_id(content.name, text), text), rules)

    def _tell_differences(self, rows: Sequence[HostedGame]) -> None:
        """Log each name once for which nodes have different texts."""
        differing = {}
        for name, group in groupby(rows, lambda row: row.name):
            of_name = tuple(group)
            if len({_content(row) for row in of_name}) > 1:
                differing[name] = of_name
        for name, of_name in differing.items():
            if self._differing.get(name) != of_name:
                others = [row.source for row in of_name if _content(row) != _content(of_name[-1])]
                log.warning(
                    "game_differs",
                    game=name,
                    node=of_name[-1].source,
                    reason=f"another text or other rules at {', '.join(others)}",
                )
        self._differing = differing


def _content(row: HostedGame | HostedFile) -> _Content:
    return _Content(row.name, row.digest, row.rules_digest)


@lru_cache(maxsize=2 * MOST_FILES)
def _digest(text: str) -> str:
    return digest_of(text)
