"""What a described game moves, told briefly and once."""

from client_cli.movements import Movements, gathered
from client_cli.narrator import narrate
from client_cli.text import Look
from engine.facts import Fact
from tests.client_cli.tables import ASCII, WIDE, event, table, text_of


def chosen(seat: int, action: str) -> Fact:
    return Fact("option_taken", {"seat": seat, "action": action})


def moved(source: str, target: str, cards: str | int) -> Fact:
    key = "cards" if isinstance(cards, str) else "count"
    return Fact("cards_moved", {"source": source, "target": target, key: cards})


def told(*facts: Fact, look: Look = WIDE) -> list[str]:
    return text_of(narrate(event(table(), *facts), look)).strip().splitlines()


def test_a_card_that_is_played_is_told_once() -> None:
    """A player who has named the card need not be told where it goes."""
    facts = (chosen(1, "play QS"), moved("hand/1", "trick/1", "QS"))
    assert told(*facts) == ["Blaise: play Q♠."]
    assert told(chosen(0, "play QS"), moved("hand/0", "trick/0", "QS")) == ["You: play Q♠."]


def test_a_trick_that_is_taken_is_one_line() -> None:
    """Movements to one place are gathered, and the last card played is among them."""
    trick = [moved(f"trick/{seat}", "taken/0", card) for seat, card in enumerate(("2C", "3C"))]
    facts = (chosen(1, "play 3C"), moved("hand/1", "trick/1", "3C"), *trick)
    assert told(*facts) == ["Blaise: play 3♣.", "2♣ 3♣ → your taken."]


def test_backs_are_counted() -> None:
    """One card or several, alone or beside cards that are seen."""
    assert told(moved("stock", "hand/1", 1)) == ["1 card → Blaise's hand from stock."]
    assert told(moved("stock", "hand/0", 3)) == ["3 cards → your hand from stock."]
    mixed = (moved("stock", "pile/1/2", 2), moved("hand/0", "pile/1/2", "QS"))
    assert told(*mixed) == ["Q♠ 2 cards → Blaise's pile 2."]


def test_other_places_are_other_lines() -> None:
    """And what stands between two movements keeps its place."""
    facts = (moved("stock", "hand/0", 1), chosen(1, "pass"), moved("stock", "hand/0", 1))
    assert [isinstance(each, Movements) for each in gathered(facts)] == [True, False, True]
    assert told(moved("a", "b", 1), moved("a", "c", 1)) == [
        "1 card → b from a.",
        "1 card → c from a.",
    ]


def test_movements_without_symbols() -> None:
    """ASCII terminals read arrows made of letters."""
    assert told(moved("stock", "pile", "TH"), look=ASCII) == ["TH -> pile from stock."]


def test_a_move_of_several_parts_has_its_cards_labelled() -> None:
    """A comma after a card is none of the card's."""
    assert told(chosen(0, "play TS, play 6C")) == ["You: play 10♠, play 6♣."]


def test_a_movement_without_a_target_is_told_like_any_fact() -> None:
    """A newer server may mean something else by the verb."""
    assert told(Fact("cards_moved", {"target": 3})) == []
