"""Where an annotation lays the piles of one kind and name: ``;; @place UP slots in 2 rows``."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from engine.layout import PLACES, SLOTS

_SORT = "vloc|iloc|hloc|oloc"
_PLACED = re.compile(
    rf"(?:(?P<sort>{_SORT}) )?(?P<name>[A-Z]+) (?P<place>{'|'.join(PLACES)})"
    rf"(?: in (?P<rows>[1-9]) rows?)?(?: over (?:(?P<below_sort>{_SORT}) )?(?P<below>[A-Z]+))?"
)


class Id(NamedTuple):
    """The piles of one kind and name, of all owners; an annotation may omit the kind."""

    sort: str
    name: str


@dataclass(frozen=True, slots=True)
class Placed:
    """The place of piles; slots fill `rows`. `over` are the piles below them."""

    place: str
    rows: int = 1
    over: Id | None = None


def placed_in(rest: str) -> tuple[Id, Placed] | None:
    """The piles and their place that an annotation names; None if the syntax is wrong.

    >>> placed_in("vloc UP slots in 2 rows over DOWN")
    (Id(sort='vloc', name='UP'), Placed(place='slots', rows=2, over=Id(sort='', name='DOWN')))
    >>> placed_in("DISCARD pile"), placed_in("DISCARD heap"), placed_in("DISCARD pile in 2 rows")
    ((Id(sort='', name='DISCARD'), Placed(place='pile', rows=1, over=None)), None, None)
    """
    found = _PLACED.fullmatch(rest)
    if found is None or (found["rows"] and found["place"] != SLOTS):
        return None
    over = Id(found["below_sort"] or "", found["below"]) if found["below"] else None
    placed = Placed(found["place"], int(found["rows"] or 1), over)
    return Id(found["sort"] or "", found["name"]), placed
