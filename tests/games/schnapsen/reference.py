"""A reference implementation of Schnapsen with strings and lists, following the rules' text.

It is slow and trusts its caller; what the engine does is compared with it.
"""

from collections.abc import Sequence

COUNTS = {"J": 2, "Q": 3, "K": 4, "T": 10, "A": 11}


class Table:
    """A deal before its first card. The last card of `stock` is the trump that lies face up."""

    def __init__(
        self,
        hands: Sequence[Sequence[str]],
        stock: Sequence[str],
        leader: int,
        *,
        trump: str = "",
        min_talon: int = 2,
        freeze: bool = True,
        manual: bool = False,
    ) -> None:
        self.hands = [list(hand) for hand in hands]
        self.stock = list(stock)
        self.trump = trump or stock[-1][1]
        self.min_talon = min_talon
        self.freeze = freeze
        self.manual = manual
        self.turn = leader
        self.led = ""
        self.tricks: list[list[str]] = [[], []]
        self.married = [0, 0]
        self.to_lead = ""
        self.known: list[list[str]] = [[], []]
        self.closer: int | None = None
        self.at_closing = (0, 0)
        self.scores: list[int] | None = None

    def moves(self) -> set[str]:
        """The moves of the player to move."""
        if self.scores:
            return set()
        hand = self.hands[self.turn]
        if self.led:
            return {f"play {card}" for card in self._answers(hand)}
        claim = {"claim"} if self.manual else set()
        if not hand:
            return claim | {"pass"}
        if self.to_lead:
            return claim | {f"play {self.to_lead}"}
        moves = claim | {f"play {card}" for card in hand}
        for suit in "CDSH":
            if "K" + suit in hand and "Q" + suit in hand:
                moves |= {f"marry K{suit}", f"marry Q{suit}"}
        if self.stock and self.closer is None and len(self.stock) >= self.min_talon:
            moves.add("close")
            if "J" + self.trump in hand:
                moves.add("exchange")
        return moves

    def play(self, move: str) -> None:
        verb, _, card = move.partition(" ")
        me, other = self.turn, 1 - self.turn
        if verb == "play":
            self._lay(card)
        elif verb == "marry":
            self.married[me] += 40 if card[1] == self.trump else 20
            partner = ("Q" if card[0] == "K" else "K") + card[1]
            for each in (card, partner):
                if each not in self.known[me]:
                    self.known[me].append(each)
            if self.manual:
                self.to_lead = card
            elif self.points(me) >= 66:
                self._lay(card)
                self._win(me)
            else:
                self._lay(card)
        elif verb == "exchange":
            jack = "J" + self.trump
            self.hands[me].remove(jack)
            if jack in self.known[me]:
                self.known[me].remove(jack)
            self.hands[me].append(self.stock[-1])
            self.known[me].append(self.stock[-1])
            self.stock[-1] = jack
        elif verb == "close":
            self.closer = me
            self.at_closing = (self.points(other), len(self.tricks[other]))
        elif verb == "claim":
            if self.points(me) >= 66:
                self._win(me)
            elif self.closer == me:
                self._fail()
            else:
                self._give(other, 2 if self.tricks[other] else 3)
        else:
            self._no_more_cards(me)

    def points(self, player: int) -> int:
        if not self.tricks[player]:
            return 0
        return sum(COUNTS[card[0]] for card in self.tricks[player]) + self.married[player]

    def sees(self, viewer: int) -> dict[str, tuple[list[str], int]]:
        """Every zone as `viewer` sees it (a player, or -1): the cards, and how many backs."""
        zones: dict[str, tuple[list[str], int]] = {
            "talon": ([], max(0, len(self.stock) - 1)),
            "turned": (self.stock[-1:], 0),
            "trick": ([self.led] if self.led else [], 0),
        }
        for player, hand in enumerate(self.hands):
            known = self.known[player]
            backs = len(hand) - len(known)
            zones[f"hand/{player}"] = (sorted(hand), 0) if player == viewer else (known, backs)
            zones[f"taken/{player}"] = (self.tricks[player], 0)
        return zones

    def _answers(self, hand: list[str]) -> list[str]:
        if self.closer is None and self.stock:
            return hand
        suit = [card for card in hand if card[1] == self.led[1]]
        for cards in (
            [card for card in suit if COUNTS[card[0]] > COUNTS[self.led[0]]],
            suit,
            [card for card in hand if card[1] == self.trump],
        ):
            if cards:
                return cards
        return hand

    def _lay(self, card: str) -> None:
        me = self.turn
        self.hands[me].remove(card)
        if card in self.known[me]:
            self.known[me].remove(card)
        self.to_lead = ""
        self.turn = 1 - me
        if not self.led:
            self.led = card
            return
        led, self.led = self.led, ""
        beaten = card[1] == self.trump if card[1] != led[1] else COUNTS[card[0]] > COUNTS[led[0]]
        taker = me if beaten else 1 - me
        self.tricks[taker] += [led, card]
        self.turn = taker
        if not self.manual and self.points(taker) >= 66:
            self._win(taker)
            return
        if self.closer is None and self.stock:
            for player in (taker, 1 - taker):
                self.hands[player].append(self.stock.pop(0))
            if not self.stock:
                self.known[1 - taker].append(self.hands[1 - taker][-1])
        if not self.hands[taker] and not self.manual:
            self._no_more_cards(taker)

    def _win(self, player: int) -> None:
        other = 1 - player
        points, tricks = self.points(other), len(self.tricks[other])
        if self.closer == player and self.freeze:
            points, tricks = self.at_closing
        if self.closer == other:
            self._fail()
        elif tricks == 0:
            self._give(player, 3)
        else:
            self._give(player, 2 if points < 33 else 1)

    def _fail(self) -> None:
        assert self.closer is not None
        self._give(1 - self.closer, 2 if self.at_closing[1] else 3)

    def _no_more_cards(self, last: int) -> None:
        if self.closer is None:
            self._give(last, 1)
        else:
            self._fail()

    def _give(self, player: int, score: int) -> None:
        self.scores = [0, 0]
        self.scores[player] = score
