"""The labels of cards, from the legend of the table, whatever deck that is."""

from client_cli.card_labels import CardLabels
from client_cli.text import Look, Span, line
from engine.cards import FRENCH, LegendCard

SYMBOLS = CardLabels(FRENCH, Look())
LETTERS = CardLabels(FRENCH, Look(symbols=False))
ACORNS = CardLabels(
    (
        LegendCard("EU", "Eichel-Unter", "Eichel", 1, "yellow"),
        LegendCard("E7", "Eichel-Sieben", "Eichel", 0, "yellow"),
        LegendCard("S7", "Schellen-Sieben", "Schellen", 5, "yellow"),
    ),
    Look(),
)


def test_a_card_has_its_label_and_colour() -> None:
    """Hearts are red, tens have two digits."""
    assert SYMBOLS.card("TH") == Span("10♥", "red")


def test_a_card_is_its_token_without_symbols() -> None:
    """The colour stays: it needs no symbols."""
    assert LETTERS.card("TH") == Span("TH", "red")


def test_suits_follow_the_legend() -> None:
    """A hand is sorted as the legend says, low to high, one list a suit."""
    assert SYMBOLS.suits(["AH", "2C", "QS", "TC", "QS"]) == [["2C", "TC"], ["QS", "QS"], ["AH"]]


def test_other_decks_are_drawn_by_their_own_words() -> None:
    """A German deck has its own suits and labels."""
    assert ACORNS.suits(["S7", "EU", "E7"]) == [["E7", "EU"], ["S7"]]
    assert ACORNS.card("EU") == Span("Eichel-Unter", "yellow")


def test_a_card_the_legend_does_not_know_comes_last() -> None:
    """It is shown by its token, and nothing breaks."""
    assert SYMBOLS.ordered(["joker", "AH"]) == ["AH", "joker"]
    assert SYMBOLS.card("joker") == Span("joker")
    assert SYMBOLS.suits(["joker"]) == [["joker"]]


def test_cards_in_a_sentence_are_coloured() -> None:
    """Only whole labels count: the letters of a word are no card."""
    sentence = LETTERS.coloured("IN CASE Ann plays AS.")
    assert sentence == line("IN CASE Ann plays ", Span("AS", "black"), ".")


def test_a_sentence_without_a_legend_stays_as_it_is() -> None:
    """Before the first deal there may be no legend."""
    assert CardLabels((), Look()).coloured("Ann sits down.") == line("Ann sits down.")


def test_a_move_shows_its_cards() -> None:
    """The place of a card stands beside it."""
    assert SYMBOLS.move("play QS@5") == line("play", " ", Span("Q♠", "black"), Span("@5", "dim"))
    assert SYMBOLS.move("close") == line("close")
