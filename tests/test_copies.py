"""Copies of states are complete: by construction or, if that is impossible, by test."""

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bots.black_queen import open_deal as black_queen
from bots.whist import open_deal as whist
from engine import MatchState
from engine.recycle.running.world import World
from tests.engine.recycle.running.playing import described, setup

ROOT = Path(__file__).parents[1]
FOLDERS = ("engine", "server", "bots", "protocol", "client_cli")


def rebuilt(source: str) -> Iterator[str]:
    """The calls of a state's class that list fields of one other state by position."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("State"):
            owners = Counter(
                given.value.id
                for given in node.args
                if isinstance(given, ast.Attribute) and isinstance(given.value, ast.Name)
            )
            if owners and max(owners.values()) > 1:
                yield ast.unparse(node)


def test_no_state_is_rebuilt_field_by_field() -> None:
    """No state is rebuilt field by field, since a field added later could be forgotten."""
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.py"):
            assert list(rebuilt(path.read_text())) == [], path


def test_a_match_has_no_field_that_could_be_left_out() -> None:
    """A move that rebuilds a match's state must name all fields."""
    assert MatchState._field_defaults == {}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("after = State(state.setup, hands, state.leader)", 1),
        ("after = TableState(self.game, self.version)", 1),
        ("after = state._replace(hands=hands)", 0),
        ("first = State(setup, hands, leader)", 0),
    ],
)
def test_rebuilding_would_be_noticed(source: str, found: int) -> None:
    """The search for rebuilt states finds an example."""
    assert len(list(rebuilt(source))) == found


def filled(deal: Any) -> Any:
    """A deal of arrays with all numbers different."""
    number = 1
    for array in deal:
        if isinstance(array, np.ndarray):
            array.flat[:] = np.arange(number, number + array.size)
            number += array.size
    return deal


@pytest.mark.parametrize(
    ("copy", "empty"),
    [
        (black_queen.copy_deal, lambda: black_queen.empty_deal(4)),
        (whist.copy_deal, lambda: whist.new_deal(4, 1, 10, 0, 0)),
    ],
    ids=["black_queen", "whist"],
)
def test_a_kernel_copies_every_array(
    copy: Callable[[Any, Any], None], empty: Callable[[], black_queen.Deal | whist.Deal]
) -> None:
    """The compiled copy of a deal copies every array."""
    source, target = filled(empty()), empty()
    copy(source, target)
    for name, one, other in zip(source._fields, source, target, strict=True):
        assert np.all(one == other), name


def test_a_cloned_world_has_everything_and_shares_nothing_that_changes() -> None:
    """A cloned world copies all of its parts; only its undo log starts empty."""
    game = described("(choice ((turn pass)))")
    world = game.world(game.start(setup(game)).state)
    twin = world.clone()
    twins = dict(zip(map(id, parts(world)), parts(twin), strict=True))
    names = []
    for part in parts(world):
        for name in part.__slots__:
            names.append(name)
            own, other = getattr(part, name), getattr(twins[id(part)], name)
            if id(own) in twins:
                assert other is twins[id(own)] is not own, name
            elif name != "log":
                assert own == other, name
                # The list of options is made again and never changed.
                if isinstance(own, list | dict | set) and name not in ("offered", "team_of"):
                    assert own is not other, name
    assert {"piles", "pc", "draws", "current", "left"} <= set(names)


def parts(world: World) -> tuple[Any, ...]:
    """A world and all objects that belong to it."""
    return world, world.state, world.turns, world.work, world.actions, world.evaluator
