"""The prompt, and what a line may become."""

from dataclasses import replace

from client_cli.completion import completions, prompt_text
from engine.choices import Pick
from tests.client_cli.tables import ANNS_TURN, human, table


def test_legal_moves_complete_without_their_verb() -> None:
    """A legal move completes from its card alone, and moves come before commands."""
    offered = completions(ANNS_TURN, "")
    assert offered[:4] == ["2C", "9C", "TC", "JC@1"]
    assert "hint" in offered
    assert "sit" not in offered


def test_completion_takes_what_was_begun() -> None:
    """Completion ignores case, and does not offer what is typed already."""
    assert completions(ANNS_TURN, "t") == ["TC", "table"]
    assert completions(ANNS_TURN, "hint") == []


def test_moves_without_cards_complete_whole() -> None:
    """Moves without cards complete as a whole, and so do the verbs of picks."""
    asked = table(to_act=(0,), actions=("close",), picks=(Pick("pass", ("2C",), 1, 1),))
    assert completions(asked, "cl") == ["close"]
    assert completions(asked, "p") == ["pass "]


def test_cards_of_a_pattern_complete_one_by_one() -> None:
    """The cards of a pick complete one by one, with or without the verb, up to its number."""
    asked = table(to_act=(0,), picks=(Pick("pass", ("2C", "2C", "QS"), 2, 2),))
    assert completions(asked, "")[:3] == ["pass ", "2C ", "QS "]
    assert completions(asked, "pass q") == ["pass QS "]
    assert completions(asked, "qs ") == ["qs 2C"]
    assert completions(asked, "pass 2c ") == ["pass 2c 2C", "pass 2c QS"]
    assert completions(asked, "pass 2c 2c ") == []
    assert completions(asked, "pass KS ") == []


def test_the_prompt_says_whose_move_it_is() -> None:
    """The prompt says whose move it is; with a clock it counts down to zero."""
    assert prompt_text(table(), 3.0) == "> "
    assert prompt_text(table(to_act=(0,)), 3.0) == "your move> "
    clocked = table(to_act=(0,), clock=30.0)
    assert prompt_text(clocked, 4.6) == "your move, 25 s> "
    assert prompt_text(clocked, 99.0) == "your move, 0 s> "
    reserve = table(to_act=(0,), clock=clocked.question.clock, reserve=(60, 300, 0))
    assert prompt_text(reserve, 4.6) == "your move, 25 s> "
    assert prompt_text(reserve, 40.0) == "your move, reserve 0:50> "
    assert prompt_text(reserve, 999.0) == "your move, reserve 0:00> "


def test_the_prompt_before_a_match_says_what_is_next() -> None:
    """The prompt before a match says what the host, a guest and a spectator may do next."""
    ann, bob = human("Ann"), human("Bob", ready=False)
    lobby = table(seats=(ann, bob), phase="lobby")
    assert prompt_text(lobby, 9.0) == "start, add or ?> "
    assert prompt_text(replace(lobby, seat=1), 9.0) == "ready or ?> "
    assert prompt_text(replace(lobby, seat=None), 9.0) == "waiting for Ann> "
    ready = table(seats=(ann, human("Bob")), seat=1, phase="lobby", host=None)
    assert prompt_text(ready, 9.0) == "waiting for a host> "


def test_the_prompt_says_for_whom_one_waits() -> None:
    """After a second the prompt names the player for whom one waits; several are counted."""
    four = tuple(human(name) for name in ("Ann", "Bob", "Cid", "Dora"))
    assert prompt_text(table(to_act=(2,)), 0.5) == "> "
    assert prompt_text(table(to_act=(2,)), 1.0) == "Carl is thinking> "
    assert prompt_text(table(to_act=(1, 2)), 1.0) == "Blaise and Carl are thinking> "
    assert prompt_text(table(seats=four, to_act=(1, 2, 3)), 1.0) == "3 players are thinking> "
    assert prompt_text(table(to_act=(2,), phase="paused"), 9.0) == "> "
