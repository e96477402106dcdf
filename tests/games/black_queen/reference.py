"""A reference implementation of Black Queen with strings and lists, following the rules' text.

It is slow and trusts its caller; what the engine does is compared with it.
"""

from collections.abc import Sequence

RANKS = "23456789TJQKA"
NOTHING = ""


class Table:
    """`columns[player][k]` is a list of two: the face-down card and the face-up card on it."""

    def __init__(
        self,
        hands: Sequence[Sequence[str]],
        columns: Sequence[Sequence[Sequence[str]]],
        leader: int,
    ) -> None:
        self.hands = [list(hand) for hand in hands]
        self.columns = [[list(column) for column in row] for row in columns]
        self.kept: list[list[str]] = [[] for _ in hands]
        self.trick: list[tuple[int, str]] = []
        self.turn = leader

    def moves(self) -> set[str]:
        """The cards that the player to move may play."""
        cards = {f"play {card}": card for card in self.hands[self.turn]}
        for number, (_, up) in enumerate(self.columns[self.turn], start=1):
            if up:
                cards[f"play {up}@{number}"] = up
        if self.trick:
            led = self.trick[0][1][1]
            following = {move for move, card in cards.items() if card[1] == led}
            if following:
                return following
        return set(cards)

    def play(self, move: str) -> None:
        card, at, number = move.removeprefix("play ").partition("@")
        if at:
            self.columns[self.turn][int(number) - 1][1] = NOTHING
        else:
            self.hands[self.turn].remove(card)
        self.trick.append((self.turn, card))
        self.turn = (self.turn + 1) % len(self.hands)
        if len(self.trick) == len(self.hands):
            self._keep_trick()

    def scores(self) -> list[int]:
        """The scores of a deal that has been played out."""
        lost = [sum(12 * (c == "QS") + (c[1] == "H") for c in cards) for cards in self.kept]
        scores = []
        for cards, points in zip(self.kept, lost, strict=True):
            if not cards:
                scores.append(10)
            elif points == 0:
                scores.append(5)
            elif points == sum(lost):
                scores.append(points)
            else:
                scores.append(-points)
        return scores

    def sees(self, viewer: int) -> dict[str, tuple[list[str], int]]:
        """Every zone as `viewer` sees it (a player, or -1): the cards, and how many backs."""
        zones: dict[str, tuple[list[str], int]] = {
            "deck": ([], 0),
            "trick": ([card for _, card in self.trick], 0),
        }
        for player, hand in enumerate(self.hands):
            zones[f"hand/{player}"] = (sorted(hand), 0) if player == viewer else ([], len(hand))
            zones[f"taken/{player}"] = (self.kept[player], 0)
            for number, (down, up) in enumerate(self.columns[player], start=1):
                zones[f"column/{player}/{number}"] = ([up] if up else [], int(bool(down)))
        return zones

    def _keep_trick(self) -> None:
        led, best = self.trick[0][1][1], -1
        for player, card in self.trick:
            if card[1] == led and RANKS.index(card[0]) >= best:
                best, self.turn = RANKS.index(card[0]), player
        self.kept[self.turn] += [card for _, card in self.trick]
        self.trick = []
        for row in self.columns:
            for column in row:
                if column[1] == NOTHING:
                    column.reverse()
