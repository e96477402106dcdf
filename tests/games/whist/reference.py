"""A reference implementation of Whist with strings and lists, following the rules' text.

It is slow and trusts its caller; what the engine does is compared with it.
"""

from collections.abc import Sequence

RANKS = "23456789TJQKA"


class Table:
    """A deal before the first bid: `hands` by player, the card turned up, and how many are left."""

    def __init__(
        self,
        hands: Sequence[Sequence[str]],
        turned: str,
        dealer: int,
        *,
        left_over: int,
        hook: bool = True,
        nil_score: int = 10,
    ) -> None:
        self.hands = [list(hand) for hand in hands]
        self.turned = turned
        self.dealer = dealer
        self.left_over = left_over
        self.hook = hook
        self.nil_score = nil_score
        self.tricks_to_win = len(hands[0])
        self.bids: dict[int, int] = {}
        self.won: list[list[list[str]]] = [[] for _ in hands]
        self.trick: list[tuple[int, str]] = []
        self.turn = self._left_of(dealer)

    def moves(self) -> set[str]:
        """The bids or cards of the player to move."""
        if len(self.bids) < len(self.hands):
            numbers = set(range(self.tricks_to_win + 1))
            if self.hook and self.turn == self.dealer:
                numbers.discard(self.tricks_to_win - sum(self.bids.values()))
            return {f"bid {number}" for number in numbers}
        cards = self.hands[self.turn]
        if self.trick:
            led = self.trick[0][1][1]
            cards = [card for card in cards if card[1] == led] or cards
        return {f"play {card}" for card in cards}

    def play(self, move: str) -> None:
        verb, what = move.split(" ")
        player, self.turn = self.turn, self._left_of(self.turn)
        if verb == "bid":
            self.bids[player] = int(what)
            return
        self.hands[player].remove(what)
        self.trick.append((player, what))
        if len(self.trick) == len(self.hands):
            self.turn = self._winner()
            self.won[self.turn].append([card for _, card in self.trick])
            self.trick = []

    def scores(self) -> list[int]:
        """The scores of a deal that has been played out."""
        scores = []
        for player, won in enumerate(self.won):
            points = len(won)
            if len(won) == self.bids[player]:
                points += 10 if won else self.nil_score
            scores.append(points)
        return scores

    def sees(self, viewer: int) -> dict[str, tuple[list[str], int]]:
        """Every zone as `viewer` sees it (a player, or -1): the cards, and how many backs."""
        zones: dict[str, tuple[list[str], int]] = {
            "deck": ([], self.left_over),
            "turned": ([self.turned], 0),
            "trick": ([card for _, card in self.trick], 0),
        }
        for player, hand in enumerate(self.hands):
            zones[f"hand/{player}"] = (sorted(hand), 0) if player == viewer else ([], len(hand))
            zones[f"taken/{player}"] = ([card for trick in self.won[player] for card in trick], 0)
        return zones

    def _left_of(self, player: int) -> int:
        return (player + 1) % len(self.hands)

    def _winner(self) -> int:
        trump, led = self.turned[1], self.trick[0][1][1]

        def strength(played: tuple[int, str]) -> tuple[bool, bool, int]:
            card = played[1]
            return card[1] == trump, card[1] == led, RANKS.index(card[0])

        return max(self.trick, key=strength)[0]
