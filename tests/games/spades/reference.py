"""A reference implementation of Spades with strings and lists, following the rules' text.

It is slow and trusts its caller; what the engine does is compared with it.
"""

from collections.abc import Sequence

RANKS = "23456789TJQKA"


class Table:
    """A deal before the first bid: `hands` by player, and who may bid nil `unseen`.

    `bags` are those that each player's team brings along. `nil` is None at a table without nil.
    """

    def __init__(
        self,
        hands: Sequence[Sequence[str]],
        dealer: int,
        *,
        unseen: Sequence[int] = (),
        bags: Sequence[int] = (0, 0, 0, 0),
        nil: int | None = 100,
        bags_cost: bool = True,
        nil_tricks: bool = False,
        breaking: bool = True,
    ) -> None:
        self.hands = [list(hand) for hand in hands]
        self.unseen = list(unseen)
        self.bags = list(bags)
        self.nil = nil
        self.bags_cost = bags_cost
        self.nil_tricks = nil_tricks
        self.breaking = breaking
        self.bids: dict[int, int] = {}
        self.blind: list[int] = []
        self.won: list[list[list[str]]] = [[], [], [], []]
        self.trick: list[tuple[int, str]] = []
        self.spade_seen = False
        self.turn = (dealer + 1) % 4

    def moves(self) -> set[str]:
        """The moves of the player to move."""
        if len(self.bids) == 4:
            return {f"play {card}" for card in self._playable()}
        if self.turn in self.unseen:
            return {"look", "blind nil"}
        return {f"bid {number}" for number in range(0 if self.nil else 1, 14)}

    def play(self, move: str) -> None:
        verb, _, what = move.partition(" ")
        player = self.turn
        if verb == "look":
            self.unseen.remove(player)
            return
        self.turn = (player + 1) % 4
        if verb == "blind":
            self.unseen.remove(player)
            self.blind.append(player)
            self.bids[player] = 0
        elif verb == "bid":
            self.bids[player] = int(what)
        else:
            self._lay_down(player, what)

    def scores(self) -> list[int]:
        """The scores of a deal that has been played out."""
        return [self._team(player) for player in range(4)]

    def sees(self, viewer: int) -> dict[str, tuple[list[str], int]]:
        """Every zone as `viewer` sees it (a player, or -1): the cards, and how many backs."""
        zones: dict[str, tuple[list[str], int]] = {
            "deck": ([], sum(len(self.hands[player]) for player in self.unseen)),
            "trick": ([card for _, card in self.trick], 0),
        }
        for player, hand in enumerate(self.hands):
            shown = sorted(hand) if player == viewer else []
            zones[f"hand/{player}"] = (shown, len(hand) - len(shown))
            if player in self.unseen:
                zones[f"hand/{player}"] = ([], 0)
            zones[f"taken/{player}"] = ([card for trick in self.won[player] for card in trick], 0)
        return zones

    def _lay_down(self, player: int, card: str) -> None:
        self.hands[player].remove(card)
        self.trick.append((player, card))
        if card[1] == "S":
            self.spade_seen = True
        if len(self.trick) < 4:
            return
        spades = [(RANKS.index(c[0]), who) for who, c in self.trick if c[1] == "S"]
        led = self.trick[0][1][1]
        same = [(RANKS.index(c[0]), who) for who, c in self.trick if c[1] == led]
        _, self.turn = max(spades or same)
        self.won[self.turn].append([c for _, c in self.trick])
        self.trick = []

    def _playable(self) -> list[str]:
        hand = self.hands[self.turn]
        if self.trick:
            led = self.trick[0][1][1]
            return [card for card in hand if card[1] == led] or hand
        if self.breaking and not self.spade_seen:
            return [card for card in hand if card[1] != "S"] or hand
        return hand

    def _team(self, player: int) -> int:
        """The deal's score for a player and their partner."""
        pair = (player, (player + 2) % 4)
        points = contract = helpful = idle = 0
        for one in pair:
            won = len(self.won[one])
            if self.bids[one]:
                contract += self.bids[one]
                helpful += won
                continue
            value = (self.nil or 0) * (1 + (one in self.blind))
            points += value if won == 0 else -value
            if self.nil_tricks:
                helpful += won
            else:
                idle += won
        if helpful < contract:
            points -= 10 * contract
            new_bags = idle
        else:
            points += 10 * contract
            new_bags = idle + helpful - contract
        points += new_bags
        had = self.bags[player]
        while self.bags_cost and had + new_bags >= 10:
            points -= 100
            had -= 10
        return points
