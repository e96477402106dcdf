"""Merges the nodes' answers about the players who were removed."""

from collections.abc import Mapping

from server.admin.answers import PlayerLine
from server.admin.overview import player_line
from server.nodes.cannot_do import TRY_AGAIN, CannotDo
from server.nodes.node_requests import Body


def merged(answers: Mapping[str, Body]) -> tuple[PlayerLine, ...]:
    """Return each player once, with the seats that they lost at any node.

    Raises `CannotDo` if some seats could not be taken away.
    """
    left = [tuple(seat) for each in answers.values() for seat in each.get("left", ())]
    if left:
        seats = ", ".join(f"{player} at table {code}" for player, code in left)
        raise CannotDo(
            TRY_AGAIN, f"these seats could not be taken away, `kick` them again: {seats}"
        )
    found: dict[str, PlayerLine] = {}
    for line in [player_line(line) for each in answers.values() for line in each["players"]]:
        before = found.get(line.player)
        found[line.player] = line if before is None else _both(before, line)
    return tuple(found.values())


def _both(one: PlayerLine, other: PlayerLine) -> PlayerLine:
    seats = dict(zip(one.tables, one.seats, strict=True))
    seats |= zip(other.tables, other.seats, strict=True)
    known = one if one.online or not other.online else other
    return known.model_copy(
        update={
            "name": known.name or one.name or other.name,
            "tables": tuple(sorted(seats)),
            "seats": tuple(seats[code] for code in sorted(seats)),
            "online": known.online if known.online is not None else other.online,
        }
    )
