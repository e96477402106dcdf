"""Every request to a bot is answered exactly once with a legal move, whatever happens."""

import os
from dataclasses import replace
from random import Random

import pytest
import structlog

from bots import Budget, Position
from bots.roster import make_standby
from engine.catalogue import GAMES
from engine.game import Setup, complete_options
from engine.shuffle import Shuffler
from server.bots import thinking
from server.bots.thinking import NICENESS, BotQuestion
from server.ops.start_lines import tell_what_is_missing
from tests.server.bots.asking import LEGAL, QUESTION, SLOW, Asking, Odd
from tests.server.bots.fake_process import done_by
from tests.server.bots.kernels import pretend_kernels


async def test_a_quick_bot_answers_at_once(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    """A quick bot answers at once."""
    monkeypatch.setattr(thinking, "bot_of", lambda game, strength: Odd("play 3C"))
    await asking.ask()
    assert asking.moves == ["play 3C"]
    assert asking.lateness == [""]


@pytest.mark.parametrize(
    "says", [KeyError("QS"), "play QS", ""], ids=["raises", "not allowed", "says nothing"]
)
async def test_a_bot_that_fails_in_place_is_replaced(
    asking: Asking,
    log_events: list[structlog.typing.EventDict],
    monkeypatch: pytest.MonkeyPatch,
    says: str | Exception,
) -> None:
    """A bot that raises or plays illegally is replaced for that move only."""
    monkeypatch.setattr(thinking, "bot_of", lambda game, strength: Odd(says))
    await asking.ask()
    assert [decision.action in LEGAL for decision in asking.answers] == [True]
    assert asking.lateness == ["failed"]
    assert "QS" not in str(log_events)
    assert "bot_replaced" in [event["event"] for event in log_events]


async def test_a_bot_thinks_in_a_process_of_its_own(
    asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request passed to a real process gives the move of the bot in place."""
    in_place = thinking.think(QUESTION)
    monkeypatch.setattr(thinking, "bot_of", lambda game, strength: SLOW)
    await (await asking.ask())
    assert asking.answers == [in_place]


@pytest.fixture(autouse=True)
def plain_bots() -> None:
    """Keep the kernels, which these tests are about."""


@pytest.fixture
def with_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Black Queen with compiled strengths and one that needs no compiling."""
    pretend_kernels(monkeypatch)


@pytest.mark.usefixtures("with_kernels")
async def test_without_kernels_no_process_is_started(
    asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without kernels no process is started."""
    monkeypatch.setattr("bots.recipe.available", lambda: False)
    await asking.pool.warm()
    assert not asking.pool._processes.pids


@pytest.mark.usefixtures("with_kernels")
async def test_a_strength_that_is_not_on_offer_is_played_by_the_next_below(
    asking: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A strength that is not offered is played by the next lower one."""
    monkeypatch.setattr("bots.recipe.available", lambda: False)
    assert not asking.pool.needs_facts("black_queen", 2)
    await asking.ask(replace(QUESTION, strength=2))
    assert (asking.moves, asking.strengths) == ([LEGAL[0]], [1])


@pytest.mark.usefixtures("with_kernels")
def test_a_server_without_numba_says_so_once(
    log_events: list[structlog.typing.EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server without Numba logs once which games would have more bots."""
    tell_what_is_missing()
    assert log_events == []
    monkeypatch.setattr("bots.recipe.available", lambda: False)
    tell_what_is_missing()
    assert [event["event"] for event in log_events] == ["numba_missing"]
    assert "black_queen" in log_events[0]["reason"]


async def test_a_plain_relative_plays_until_its_bot_is_compiled(asking: Asking) -> None:
    """A plain relative plays until a bot is compiled, the strongest that needs no compiling."""
    game = GAMES.game("hearts")
    state = game.start(Setup(4, complete_options(game, 4, {}), Shuffler(bytes(32)))).state
    seat = game.to_act(state)[0]
    position = Position("hearts", seat, game.view(state, seat), game.choices(state, seat))
    question = BotQuestion(2, position, b"seed")
    await asking.ask(question)
    expected = make_standby("hearts", 2).choose(position, Budget(), Random(b"seed"))
    assert (asking.answers, asking.strengths, asking.lateness) == ([expected], [1], [""])


async def test_processes_of_bots_give_way_to_the_server(asking: Asking) -> None:
    """Bots' processes have a lower priority than the server."""
    own = os.getpriority(os.PRIO_PROCESS, 0)
    theirs = await done_by(asking.pool._processes, os.getpriority, os.PRIO_PROCESS, 0)
    assert theirs == min(19, own + NICENESS)
