"""Whose cards are asked for."""

import pytest

from engine.recycle.problems import Code
from tests.engine.recycle.checker.checking import found


@pytest.mark.parametrize(
    ("card", "owned"),
    [
        ("(top (game hloc STOCK))", False),
        ("(top (union (game hloc STOCK) (game vloc A)))", False),
        ("(top (union (game hloc STOCK) ((current player) vloc A)))", True),
        ("(top ((current player) vloc A))", True),
        ("(top (game mem A))", True),
    ],
)
def test_a_card_of_the_table_has_no_owner(card: str, owned: bool) -> None:
    """Unless it may be another card, or is a mark of one."""
    assert found(Code.NO_OWNER, f"(do ((cycle next (owner {card}))))") == [
        f"3:18: warning a card on the table has no owner: (owner {card}); "
        "expected a card of a player's"
    ] * (not owned)
