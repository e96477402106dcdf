"""Administrators learn no card: worlds alike to spectators look alike to them."""

from pathlib import Path
from random import Random

import pytest

from engine import SPECTATOR
from engine.choices import Action
from server.admin.answers import LinkMade
from server.admin.audit import AuditLog
from server.admin.browser_keys import BrowserKeys
from server.admin.pages import ENTER, OVERVIEW, AdminPages
from server.admin.requests import PagesLink
from server.admin.service import Administration
from tests.counts import count
from tests.games.catalogue import BROKEN
from tests.server.controllable_store import ControllableStore
from tests.server.secrecy.two_worlds import FrameRecorder, ScriptedPair, TwoWorldsRunner, pair_of

PAIRS = 1


class AdminWorldsRunner(TwoWorldsRunner):
    """Records what the administrator's page shows after each move, in place of frames."""

    async def both(self, pair: ScriptedPair) -> tuple[list[bytes | str], list[bytes | str]]:
        """Every overview in each world."""
        told: list[list[bytes | str]] = []
        for at in (0, 1):
            self.shown: list[bytes | str] = []
            await self._frames(pair, at)
            told.append(self.shown)
        return told[0], told[1]

    async def _probe(self, observer: FrameRecorder, rng: Random, attempt: Action) -> None:
        server = observer.server

        def now() -> float:
            return server.now

        keys, audit = BrowserKeys(now), AuditLog(self.folder / "audit.log", now)
        administration = Administration(server.game_server, server.store, now, audit, keys)
        pages = AdminPages(administration, keys, audit)
        made = await administration.carry_out(PagesLink())
        assert isinstance(made, LinkMade)
        entered = await pages.answer(ENTER, f"Bearer {made.url[1:]}", "192.0.2.7")
        assert entered is not None
        visit = entered.body.decode().split('"')[-2]
        shown = await pages.answer(OVERVIEW, f"Bearer {visit}", "192.0.2.7")
        assert shown is not None
        self.shown.append(shown.body)


async def test_an_administrator_sees_no_difference_of_hidden_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The administrator's overviews do not depend on hidden cards."""
    store = await ControllableStore.open(f"sqlite:///{tmp_path / 'players.sqlite3'}")
    store.players_only = True
    runner = AdminWorldsRunner(store, tmp_path, monkeypatch)
    subject = BROKEN["black_queen"].subject(None)
    pairs, number = count(PAIRS), 0
    while pairs:
        pair = pair_of(subject, number, SPECTATOR)
        number += 1
        if pair.differ:
            one, two = await runner.both(pair)
            assert one == two
            assert any(b'"table": "TABLE"' in shown for shown in one if isinstance(shown, bytes))
            pairs -= 1
    await store.close()
