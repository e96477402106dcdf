"""How hostile each opponent has been: learnt from the score sheet of the match."""

from engine.facts import Seat
from engine.views import View

_DOUBT = 4.0
"""Deals without anything to learn, counted in beside those played."""


def paranoia_of(view: View, seat: Seat, strength: float) -> tuple[float, ...]:
    """For each seat how much of ours it is taken to give up its own for, 0 to `strength`.

    Where an opponent misses its bid, our bid fails no more often than usual unless it was after
    us. What it fails more often by, held down by doubt while few deals are played, is the measure.
    """
    seats = sum(name.startswith("hand/") for name in view.zones)
    # A match may have begun with a later deal, and a deal on its own has no number.
    played = range(1, view.number("deal")) if strength and "deal" in view.values else ()
    missed = [_missed(view, deal) for deal in played if f"sheet/bid/{deal}" in view.values]
    usual = sum(deal[seat] for deal in missed) / len(missed) if missed else 0.0
    learnt = []
    for other in range(seats):
        deals = [deal for deal in missed if deal[other]] if other != seat else []
        excess = sum(deal[seat] for deal in deals) - usual * len(deals)
        learnt.append(strength * max(0.0, excess) / (len(deals) + _DOUBT))
    return tuple(learnt)


def _missed(view: View, deal: int) -> tuple[bool, ...]:
    """Who missed the bid in a deal that is over."""
    bids, tricks = view.values[f"sheet/bid/{deal}"], view.values[f"sheet/tricks/{deal}"]
    assert isinstance(bids, tuple)
    assert isinstance(tricks, tuple)
    return tuple(bid != taken for bid, taken in zip(bids, tricks, strict=True))
