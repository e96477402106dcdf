"""The view of a seat with all hands open, for how the cards really lay."""

from typing import Any

from engine.catalogue import AnyGame
from engine.facts import Seat
from engine.views import View


def open_view(game: AnyGame, state: Any, seat: Seat, seats: int) -> View:
    """The view of `seat`, with each zone as the one of `seats` sees it that sees most of it.

    Cards that no seat was shown, such as those of a stock, stay hidden.
    """
    own = game.view(state, seat)
    zones = dict(own.zones)
    for other in range(seats):
        for name, zone in game.view(state, other).zones.items():
            if name not in zones or zone.backs < zones[name].backs:
                zones[name] = zone
    return View(zones, own.values)
