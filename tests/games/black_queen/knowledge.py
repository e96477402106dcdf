"""What each viewer may know of a deal of Black Queen, derived from the rules alone."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine import SPECTATOR, View, Viewer
from tests.server.secrecy.knowledge import Reveal

RANKS = "23456789TJQKA"
Row: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BlackQueenKnowledge:
    """The knowledge of a deal: `up` and `down` have a card or nothing (``""``) for each column.

    `reveals` led to the present position.
    """

    hands: tuple[Row, ...]
    up: tuple[Row, ...]
    down: tuple[Row, ...]
    leader: int
    trick: Row = ()
    taken: tuple[Row, ...] = ()
    reveals: tuple[Reveal, ...] = ()

    @classmethod
    def at_deal(cls, view: View) -> "BlackQueenKnowledge":
        """The knowledge at the start of a deal, from a view in which every card is open."""
        seats = range(sum(zone.startswith("hand/") for zone in view.zones))
        columns = sum(zone.startswith("column/0/") for zone in view.zones)
        piles = [
            [view.zones[f"column/{seat}/{column + 1}"].cards for column in range(columns)]
            for seat in seats
        ]
        return cls(
            hands=tuple(view.zones[f"hand/{seat}"].cards for seat in seats),
            down=tuple(tuple(pile[0] for pile in piles[seat]) for seat in seats),
            up=tuple(tuple(pile[1] for pile in piles[seat]) for seat in seats),
            leader=view.number("leader"),
            taken=((),) * len(seats),
        )

    @property
    def turn(self) -> int:
        return (self.leader + len(self.trick)) % len(self.hands)

    @property
    def over(self) -> bool:
        return not any(self.hands) and not any(map(any, self.up)) and not self.trick

    def played(self, seat: int, action: str) -> "BlackQueenKnowledge":
        card, _, column = action.removeprefix("play ").partition("@")
        source = f"column/{seat}/{column}" if column else f"hand/{seat}"
        reveals = [(source, "trick", card)]
        if column:
            after = replace(self, up=_put(self.up, seat, int(column) - 1, ""))
        else:
            hand = list(self.hands[seat])
            hand.remove(card)
            after = replace(self, hands=(*self.hands[:seat], tuple(hand), *self.hands[seat + 1 :]))
        after = replace(after, trick=(*self.trick, card))
        if len(after.trick) == len(self.hands):
            after = after._trick_over(reveals)
        return replace(after, reveals=tuple(reveals))

    def _trick_over(self, reveals: list[Reveal]) -> "BlackQueenKnowledge":
        best, taker = -1, self.leader
        for place, card in enumerate(self.trick):
            if card[1] == self.trick[0][1] and RANKS.index(card[0]) >= best:
                best, taker = RANKS.index(card[0]), (self.leader + place) % len(self.hands)
        reveals += [("trick", f"taken/{taker}", card) for card in self.trick]
        taken = tuple(
            pile + self.trick if seat == taker else pile for seat, pile in enumerate(self.taken)
        )
        after = replace(self, leader=taker, trick=(), taken=taken)
        for seat, row in enumerate(self.down):
            for place, card in enumerate(row):
                if card and not self.up[seat][place]:
                    zone = f"column/{seat}/{place + 1}"
                    reveals.append((zone, zone, card))
                    up, down = _put(after.up, seat, place, card), _put(after.down, seat, place, "")
                    after = replace(after, up=up, down=down)
        return after

    def moved(self, viewer: Viewer) -> tuple[Reveal, ...]:
        """All cards that move in Black Queen are seen by every viewer."""
        return self.reveals

    def dealt(self, viewer: Viewer) -> Iterator[Reveal]:
        if viewer != SPECTATOR:
            yield from (("deck", f"hand/{viewer}", card) for card in self.hands[viewer])
        for seat, row in enumerate(self.up):
            for place, card in enumerate(row):
                if card:
                    yield "deck", f"column/{seat}/{place + 1}", card

    def shown(self, viewer: Viewer) -> dict[str, Counter[str]]:
        zones = {"trick": Counter(self.trick), "deck": Counter[str]()}
        for seat, hand in enumerate(self.hands):
            zones[f"hand/{seat}"] = Counter(hand if seat == viewer else ())
            zones[f"taken/{seat}"] = Counter(self.taken[seat])
            for place, card in enumerate(self.up[seat]):
                zones[f"column/{seat}/{place + 1}"] = Counter([card] if card else ())
        return zones

    def tokens(self, viewer: Viewer) -> frozenset[str]:
        """Every card of which `viewer` sees at least one copy."""
        own = self.hands[viewer] if viewer != SPECTATOR else ()
        return frozenset((*own, *self.trick)).union(*self.taken, *self.up) - {""}

    def spoken(self, viewer: Viewer) -> frozenset[str]:
        """The cards that a text names are those that moved."""
        return frozenset()

    def allowed(self, seat: int) -> set[str]:
        """What `seat` may play: suit is followed, from hand and from the columns."""
        if self.over or seat != self.turn:
            return set()
        own = [(card, card) for card in self.hands[seat]]
        own += [(card, f"{card}@{at}") for at, card in enumerate(self.up[seat], start=1) if card]
        following = [pair for pair in own if self.trick and pair[0][1] == self.trick[0][1]]
        return {f"play {move}" for _, move in following or own}


def _put(rows: tuple[Row, ...], seat: int, place: int, card: str) -> tuple[Row, ...]:
    row = (*rows[seat][:place], card, *rows[seat][place + 1 :])
    return (*rows[:seat], row, *rows[seat + 1 :])
