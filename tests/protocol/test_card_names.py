"""Names of cards: shown for cards in sight, and understood when they are typed."""

from engine.cards import FRENCH, LegendCard
from engine.choices import Choices
from protocol.texts import card_name, suit_name, with_labels
from protocol.typed import names_a_move, resolve


def test_every_french_card_has_a_name_of_its_own() -> None:
    """Each French card is named by its rank and suit, and no two names are equal."""
    names = [card_name(card) for card in FRENCH]
    assert names[0] == "two of clubs"
    assert names[-1] == "ace of hearts"
    assert len(set(names)) == 52


def test_cards_of_other_decks_keep_their_labels() -> None:
    """A card of unknown suit or rank is shown by its label."""
    assert card_name(LegendCard("R-7", "red 7", "red", 0, "red")) == "red 7"
    assert card_name(LegendCard("0S", "0♠", "♠", 0, "black")) == "0♠"
    assert (suit_name("♦"), suit_name("red")) == ("diamonds", None)


def test_names_that_are_typed_mean_cards() -> None:
    """A typed card name is found in any case and among other words, and means its card."""
    assert with_labels("say the Ace  of spades") == "say the Ace  of spades"
    assert with_labels("pass TEN OF HEARTS, queen of spades") == "pass 10♥, Q♠"
    choices = Choices(("play 2C", "play QS", "play QS@2"))
    assert resolve("queen of spades", choices, FRENCH) == "play QS"
    assert resolve("play two of clubs", choices, FRENCH) == "play 2C"
    assert resolve("q of spades", choices, FRENCH) == "play QS"
    assert with_labels("10 of hearts") == "10♥"
    assert names_a_move("ten of hearts", Choices(), FRENCH)
    assert all(with_labels(card_name(card)) == card.label for card in FRENCH)
