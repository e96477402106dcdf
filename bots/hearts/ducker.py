"""A second bot by rules of thumb, unlike the careful one, for comparison.

It counts nothing and fears only the queen of spades: it leads its lowest card, stays below the
trick as closely as it can, takes what it must with its highest card, and throws away what counts
most. The queen goes as soon as another player would get her, and otherwise last of all.
"""

from random import Random

from bots.bot import Budget, Decision, Position
from engine.cards import Card, parse_card, parse_cards, rank_of, suit_of
from engine.games.hearts.cards import BLACK_QUEEN, parse_action, pass_text, points
from engine.games.hearts.state import PASSED
from engine.games.trick_games import play_text


class Ducker:
    """Plays by its hand and the trick alone."""

    in_place = True
    needs_facts = False

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        """The card or the three to pass: a function of the position alone."""
        if position.choices.picks:
            hand = sorted(parse_cards(" ".join(position.choices.picks[0].cards)), key=_weight)
            return Decision(pass_text(tuple(sorted(hand[-PASSED:]))))
        cards = [parse_action(action)[0] for action in position.choices.actions]
        trick = [parse_card(token) for token in position.view.cards("trick")]
        return Decision(play_text(_card(cards, trick)))


def _card(cards: list[Card], trick: list[Card]) -> Card:
    others = [card for card in cards if card != BLACK_QUEEN] or cards
    if not trick:
        return min(others, key=rank_of)
    led = suit_of(trick[0])
    if suit_of(cards[0]) != led:
        return max(cards, key=_weight)
    best = max(card for card in trick if suit_of(card) == led)
    below = [card for card in cards if card < best]
    if BLACK_QUEEN in below:
        return BLACK_QUEEN
    return max(below or others)


def _weight(card: Card) -> tuple[int, int]:
    """The queen of spades first, then high cards, hearts before others."""
    return 13 * (points((card,)) == 13) + rank_of(card), points((card,))
