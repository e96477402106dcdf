"""A reference implementation of Hearts with strings and lists, following the rules' text.

It is slow and trusts its caller; what the engine does is compared with it.
"""

from collections.abc import Sequence
from itertools import combinations

RANKS = "23456789TJQKA"


class Table:
    """A deal before anything is passed or played; cards go `shift` players to the left."""

    def __init__(
        self,
        hands: Sequence[Sequence[str]],
        *,
        shift: int,
        standard: bool = True,
        shooter_scores: bool = False,
    ) -> None:
        self.hands = [list(hand) for hand in hands]
        self.shift = shift
        self.standard = standard
        self.shooter_scores = shooter_scores
        self.aside: dict[int, list[str]] = {}
        self.kept: list[list[str]] = [[], [], [], []]
        self.trick: list[tuple[int, str]] = []
        self.broken = False
        self.turn = -1
        if not shift:
            self._find_leader()

    def asked(self) -> list[int]:
        if self.turn == -1:
            return [player for player in range(4) if player not in self.aside]
        return [self.turn] if self.hands[self.turn] else []

    def moves(self, player: int) -> set[str]:
        """The moves of a player; none if they may not act."""
        if player not in self.asked():
            return set()
        hand = sorted(self.hands[player], key=_order)
        if self.turn == -1:
            return {"pass " + " ".join(three) for three in combinations(hand, 3)}
        return {f"play {card}" for card in self._playable(hand)}

    def play(self, player: int, move: str) -> None:
        verb, *cards = move.split(" ")
        for card in cards:
            self.hands[player].remove(card)
        if verb == "pass":
            self.aside[player] = cards
            if len(self.aside) == 4:
                for giver, given in self.aside.items():
                    self.hands[(giver + self.shift) % 4] += given
                self._find_leader()
            return
        self.trick.append((player, cards[0]))
        self.broken = self.broken or cards[0][1] == "H"
        self.turn = (player + 1) % 4
        if len(self.trick) == 4:
            led = self.trick[0][1][1]
            _, self.turn = max(
                (RANKS.index(card[0]), who) for who, card in self.trick if card[1] == led
            )
            self.kept[self.turn] += [card for _, card in self.trick]
            self.trick = []

    def points(self) -> list[int]:
        return [sum(13 * (c == "QS") + (c[1] == "H") for c in cards) for cards in self.kept]

    def scores(self) -> list[int]:
        """The scores of a deal that has been played out."""
        points = self.points()
        if 26 not in points:
            return points
        if self.shooter_scores:
            return [-26 if own == 26 else 0 for own in points]
        return [0 if own == 26 else 26 for own in points]

    def sees(self, viewer: int) -> dict[str, tuple[list[str], int]]:
        """Every zone as `viewer` sees it (a player, or -1): the cards, and how many backs."""
        zones: dict[str, tuple[list[str], int]] = {
            "deck": ([], 0),
            "trick": ([card for _, card in self.trick], 0),
        }
        for player in range(4):
            aside = self.aside.get(player, []) if self.turn == -1 else []
            for kind, cards in (("hand", self.hands[player]), ("passing", aside)):
                own = player == viewer
                zones[f"{kind}/{player}"] = (sorted(cards), 0) if own else ([], len(cards))
            if not self.shift:
                del zones[f"passing/{player}"]
            zones[f"taken/{player}"] = (self.kept[player], 0)
        return zones

    def _find_leader(self) -> None:
        self.turn = 0
        if self.standard:
            (self.turn,) = (player for player in range(4) if "2C" in self.hands[player])

    def _playable(self, hand: list[str]) -> list[str]:
        first_trick = self.standard and not any(self.kept)
        if not self.trick:
            if first_trick:
                return ["2C"]
            if self.broken:
                return hand
            return [card for card in hand if card[1] != "H"] or hand
        led = self.trick[0][1][1]
        following = [card for card in hand if card[1] == led]
        if following or not first_trick:
            return following or hand
        return [card for card in hand if card != "QS" and card[1] != "H"] or hand


def _order(card: str) -> tuple[int, int]:
    """The order of cards in a hand: by suit, low cards first."""
    return "CDSH".index(card[1]), RANKS.index(card[0])
