"""When the database counts as well again, after it has refused something."""

import pytest

from server.store import StoreConflict, StoreUnavailable, Write
from server.store.health import UNWELL_SECONDS, Health
from server.store.writer import Round
from tests.server.store.rows import log

REFUSED = StoreUnavailable("no room")


def of(write: Write) -> Round:
    """One round with this write."""
    return Round(write, lambda _: None)


@pytest.mark.parametrize(
    ("is_file", "write", "later", "well"),
    [
        (True, Write(), 0.1, True),
        (False, Write(), 0.1, False),
        (False, Write(), UNWELL_SECONDS + 0.1, True),
        (False, log(2), 0.1, True),
    ],
)
def test_what_shows_that_rows_are_stored_again(
    is_file: bool, write: Write, later: float, well: bool
) -> None:
    """Except in a file, an empty write alone does not show that rows can be stored again."""
    health = Health(is_file=is_file)
    health.tell(of(log(2)), [REFUSED], 100.0)
    assert health.trouble is REFUSED
    health.tell(of(write), [None], 100.0 + later)
    assert (health.trouble is None) == well


def test_a_write_that_is_refused_by_itself_is_no_trouble() -> None:
    """A write refused by itself is no trouble of the database."""
    health = Health(is_file=False)
    health.tell(of(log(2)), [StoreConflict("there already")], 1.0)
    assert health.trouble is None
