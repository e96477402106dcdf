"""Teams: who plays with whom, as values of a view.

``team/SEAT`` is the number of the seat's team, from 0. ``team_total/TEAM`` is what each player of
that team has in total; a match adds it to the view. Neither is there where nobody has a partner.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from engine.facts import Seat, Value

Teams: TypeAlias = Sequence[Sequence[Seat]]
"""The seats of each team; a player without a partner is a team of one."""

_TEAM = "team/"
TEAM_TOTAL = "team_total/"


def team_values(teams: Teams) -> dict[str, Value]:
    """The values `team/SEAT` that a game's view has; none if nobody has a partner.

    >>> team_values([(0, 2), (1, 3)])
    {'team/0': 0, 'team/2': 0, 'team/1': 1, 'team/3': 1}
    >>> team_values([(0,), (1,)])
    {}
    """
    if all(len(seats) < 2 for seats in teams):
        return {}
    return {f"{_TEAM}{seat}": team for team, seats in enumerate(teams) for seat in seats}


def teams_in(values: Mapping[str, Value]) -> tuple[tuple[Seat, ...], ...]:
    """The seats of each team by the values of a view; none if nobody has a partner.

    >>> teams_in({"turn": (3,), "team/0": 0, "team/2": 0, "team/1": 1, "team/3": 1})
    ((0, 2), (1, 3))
    """
    seats: dict[int, list[Seat]] = {}
    for key, team in values.items():
        if key.startswith(_TEAM) and isinstance(team, int):
            seats.setdefault(team, []).append(int(key.removeprefix(_TEAM)))
    return tuple(tuple(sorted(seats[team])) for team in sorted(seats))


def team_totals(values: Mapping[str, Value], totals: Sequence[int]) -> dict[str, Value]:
    """The values `team_total/TEAM` for the teams in `values`, from the `totals` by seat.

    Partners score the same. A team whose players have different totals, because they were not
    partners in every deal, has no total.

    >>> team_totals({"team/0": 0, "team/1": 1, "team/2": 0, "team/3": 1}, (5, 3, 5, 4))
    {'team_total/0': 5}
    """
    found: dict[str, Value] = {}
    for team, seats in enumerate(teams_in(values)):
        different = {totals[seat] for seat in seats}
        if len(different) == 1:
            found[f"{TEAM_TOTAL}{team}"] = different.pop()
    return found
