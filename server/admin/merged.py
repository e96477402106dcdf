"""Merges the nodes' answers about players."""

from collections.abc import Mapping
from itertools import chain

from server.nodes.admin_errors import TRY_AGAIN, AdminError
from server.nodes.node_requests import Body
from server.nodes.player_list import PlayerInfo


def merged(answers: Mapping[str, Body]) -> dict[str, PlayerInfo]:
    """Return each player once, by id, with the seats at any node that the answers name.

    Raises `AdminError` if some seats could not be taken away.
    """
    left = [tuple(seat) for each in answers.values() for seat in each.get("left", ())]
    if left:
        seats = ", ".join(f"{player} at table {code}" for player, code in left)
        raise AdminError(
            TRY_AGAIN, f"these seats could not be taken away, `kick` them again: {seats}"
        )
    found: dict[str, PlayerInfo] = {}
    for line in chain.from_iterable(each["players"] for each in answers.values()):
        person = PlayerInfo.model_validate(line)
        before = found.get(person.player)
        found[person.player] = person if before is None else _both(before, person)
    return found


def _both(one: PlayerInfo, other: PlayerInfo) -> PlayerInfo:
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
