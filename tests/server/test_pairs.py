"""The list of tests that run on SQLite alone."""

import ast

from tests.server.on_which_pairs import BY_DAY, EXCEPTED, HERE

MOST = 61
"""So many are excepted; whoever adds one says why there, and here."""


def test_the_exceptions_are_tests_and_no_more_of_them() -> None:
    """Each exception is an existing test with a reason, and their number is fixed."""
    listed = [
        (file, test)
        for files in EXCEPTED.values()
        for file, tests in files.items()
        for test in tests
    ]
    assert len(listed) == len(set(listed)) == MOST
    for file in {file for file, _ in listed}:
        tree = ast.parse((HERE / file).read_text("utf-8"))
        functions = ast.FunctionDef | ast.AsyncFunctionDef
        there = {node.name for node in tree.body if isinstance(node, functions)}
        assert {test for other, test in listed if other == file} <= there, file


def test_what_runs_on_both_pairs_by_day_is_there() -> None:
    """The files that run on both stores by day exist."""
    assert all((HERE / file).is_file() for file in BY_DAY)
