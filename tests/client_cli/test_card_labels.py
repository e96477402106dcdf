"""Card labels from the legend of the table, for any deck."""

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
    """A card has the label and colour of the legend: hearts are red, tens have two digits."""
    assert SYMBOLS.card("TH") == Span("10♥", "red")


def test_a_card_is_its_token_without_symbols() -> None:
    """Without symbols a card is shown by its token, in its colour."""
    assert LETTERS.card("TH") == Span("TH", "red")


def test_suits_follow_the_legend() -> None:
    """A hand is sorted by the legend, low to high, one list a suit."""
    assert SYMBOLS.suits(["AH", "2C", "QS", "TC", "QS"]) == [["2C", "TC"], ["QS", "QS"], ["AH"]]


def test_other_decks_are_drawn_by_their_own_words() -> None:
    """Other decks, such as the German one, have their own suits and labels."""
    assert ACORNS.suits(["S7", "EU", "E7"]) == [["E7", "EU"], ["S7"]]
    assert ACORNS.card("EU") == Span("Eichel-Unter", "yellow")


def test_a_card_the_legend_does_not_know_comes_last() -> None:
    """A card that the legend does not know comes last, shown by its token."""
    assert SYMBOLS.ordered(["joker", "AH"]) == ["AH", "joker"]
    assert SYMBOLS.card("joker") == Span("joker")
    assert SYMBOLS.suits(["joker"]) == [["joker"]]


def test_cards_in_a_sentence_are_coloured() -> None:
    """Cards in a sentence are coloured only as whole labels."""
    sentence = LETTERS.coloured("IN CASE Ann plays AS.")
    assert sentence == line("IN CASE Ann plays ", Span("AS", "black"), ".")


def test_a_sentence_without_a_legend_stays_as_it_is() -> None:
    """Without a legend a sentence stays as it is."""
    assert CardLabels((), Look()).coloured("Ann sits down.") == line("Ann sits down.")


def test_a_move_shows_its_cards() -> None:
    """A shown move has its cards and their places."""
    assert SYMBOLS.move("play QS@5") == line("play", " ", Span("Q♠", "black"), Span("@5", "dim"))
    assert SYMBOLS.move("close") == line("close")
