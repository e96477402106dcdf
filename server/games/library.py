"""The game library: native games, the games of its folder, and those of its tables.

A described game is made from its text in a thread, one at a time, so that the event loop goes on
meanwhile. On offer are the games that the last scan of the folder found, and those that other nodes
share; a game that has left the folder is known as long as a table plays it, and comes back from the
store with a stored table.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar
from weakref import WeakValueDictionary

import structlog

from bots import described_strengths, strengths
from bots.roster import lowered
from engine import AnyGame, Catalogue
from engine.catalogue import UnknownGame, unknown_game
from engine.game import GameInfo
from engine.layout import NO_LAYOUT
from protocol.to_client import GameCard, StrengthInfo
from protocol.wire_form import WireForm, wire_form
from server.games.descriptions import (
    DescribedGame,
    DescriptionMissing,
    GameSource,
    described,
    digest_in,
    name_in,
)
from server.games.figures import figures_of
from server.games.folder import FolderScan, GameFolder, Problems, tried
from server.games.legends import legend_of
from server.games.option_texts import option_infos
from server.games.shared_games import LOOK_SECONDS, SharedGames
from server.games.teams import teams_of

log = structlog.get_logger()

T = TypeVar("T")

_CARDS = 512
"""Cards that are kept; of more all are made anew."""
_LOGGED = 20
"""At most so many problems of one file are logged; `blackqueen recycle check` shows all."""


class Library:
    """The known games; `text_of` reads the description with a digest from the store.

    With `shared`, all nodes on a database offer the games of all their folders.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        text_of: Callable[[str], Awaitable[str | None]],
        folder: GameFolder | None = None,
        shared: SharedGames | None = None,
    ) -> None:
        self._catalogue = catalogue
        self._text_of = text_of
        self._folder = folder
        self._shared = shared
        self._hosted = FolderScan()
        self._known: WeakValueDictionary[str, DescribedGame] = WeakValueDictionary()
        self._cards: dict[
            tuple[str, bool], tuple[AnyGame, DescribedGame | None, object, WireForm]
        ] = {}
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="descriptions")
        self._scanning = asyncio.Lock()
        self._wanted = self._looked = 0

    def __iter__(self) -> Iterator[GameInfo]:
        """Iterate over the games on offer."""
        yield from self._catalogue
        for found in self._hosted.games.values():
            yield found.game.info

    def game(self, id: str) -> AnyGame:
        """Return a game on offer, or one that a table plays."""
        found = self.described(id)
        return self._catalogue.game(id) if found is None else found.game

    def described(self, id: str) -> DescribedGame | None:
        """Return a described game by its id, or by the name of its file in the folder now."""
        return self._known.get(id) or self._hosted.games.get(id)

    def card(self, id: str, whole: bool) -> WireForm:
        """Return a game's lobby card; if `whole`, with its rules, its deck and its description.

        It is cached until other bots are there for the game.
        """
        game, text = self.game(id), self.described(id)
        bots = (described_strengths(game.info.id), lowered(game.info.id))
        made = self._cards.get((id, whole))
        if made is None or made[0] is not game or made[1] is not text or made[2] != bots:
            if len(self._cards) >= _CARDS:
                self._cards.clear()
            made = self._cards[id, whole] = game, text, bots, self._made_card(game, text, whole)
        return made[3]

    def _made_card(self, game: AnyGame, text: DescribedGame | None, whole: bool) -> WireForm:
        info = game.info
        rules = text.rules if text else info.rules
        card = GameCard(
            id=info.id,
            version=info.version,
            title=info.title,
            seats=info.seats,
            usual_seats=info.usual_seats,
            options=option_infos(game, "described" if text else info.id),
            strengths=strengths(info.id),
            bots=tuple(
                StrengthInfo(
                    strength=each.strength, levels=each.levels, how=each.how, ahead=each.ahead
                )
                for each in described_strengths(info.id)
            ),
            lowered=lowered(info.id),
            teams=(text.teams if text else teams_of(game)) if whole else (),
            rules=rules if whole else None,
            legend=info.legend if whole else None,
            labels=info.labels if whole else (),
            layout=info.layout if whole else NO_LAYOUT,
            digest=legend_of(info).digest if whole else "",
            described=text is not None,
            about=text.about if text else "",
            figures=figures_of(info.id, text),
            description=text.source.text if text and whole else None,
        )
        message: WireForm = wire_form(card)
        return message

    def for_new_table(self, id: str) -> AnyGame:
        """Return the game for a new table, with its present text, or raise `UnknownGame`."""
        name = name_in(id)
        found = self._hosted.games.get(name)
        if found is not None and id in (name, found.source.game):
            return found.game
        if found is not None:
            raise UnknownGame(f"{name} has changed since you asked for the games; ask again")
        if problems := self._hosted.problems.get(name):
            raise UnknownGame(f"{name} cannot be played: {problems[0]}")
        if digest_in(id) is not None:
            raise UnknownGame(f"{name} is no longer hosted here")
        try:
            return self._catalogue.game(id)
        except UnknownGame:
            names = (*(info.id for info in self._catalogue), *self._hosted.games)
            raise unknown_game(id, names) from None

    async def refresh(self) -> None:
        """Scan for games now; callers that come during a scan share the next one."""
        if self._folder is None and self._shared is None:
            return
        self._wanted += 1
        number = self._wanted
        async with self._scanning:
            if self._looked >= number:
                return
            asked = self._wanted
            scan = FolderScan()
            if self._folder is not None:
                scan = await self._in_thread(self._folder.scan)
            if self._shared is not None:
                scan = await self._shared.exchange(scan, self._tried)
            self._host(scan)
            self._looked = asked

    async def load_stored(self, id: str) -> DescribedGame | None:
        """Load the game of a stored table, known for as long as the caller holds the result.

        Returns None for a native game; raises `DescriptionMissing` if its text is not in the store.
        """
        digest = digest_in(id)
        if digest is None:
            return None
        known = self._known.get(id)
        if known is not None:
            return known
        text = await self._text_of(digest)
        if text is None:
            raise DescriptionMissing(f"the description of {name_in(id)} is not in the database")
        made = await self._in_thread(lambda: described(GameSource(id, text)))
        # Two tables may have asked for it at once.
        return self._known.setdefault(id, made)

    async def keep_shared(self) -> None:
        """Scan every few seconds, for ever: other nodes depend on the games of this folder."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await self.refresh()

    def close(self) -> None:
        """End the thread that makes games, and cancel the waiting calls."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _tried(self, source: GameSource, rules: str) -> DescribedGame | Problems:
        return await self._in_thread(lambda: tried(described, source, rules))

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _host(self, scan: FolderScan) -> None:
        before, self._hosted = self._hosted, scan
        for name, found in scan.games.items():
            if before.games.get(name) is not found:
                self._known[found.source.game] = found
                log.info("description_hosted", game=found.source.game)
        for name in before.games.keys() - scan.games.keys():
            log.info("description_gone", game=name)
        for name, problems in scan.problems.items():
            if before.problems.get(name) != problems:
                log.warning("description_skipped", game=name, count=len(problems))
                for problem in problems[:_LOGGED]:
                    log.warning("description_problem", game=name, reason=problem)
