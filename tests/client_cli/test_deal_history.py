"""The deal so far: the last trick, and all events in order."""

from client_cli.deal_history import history_lines, last_trick_lines
from client_cli.text import Look
from engine.facts import Fact, Lay, Move, Set
from tests.client_cli.tables import ASCII, WIDE, played, table, text_of

DEALT = (
    Fact("deal_started", {"deal": 2}, (Lay({"deck": 12}),)),
    Fact("deal_laid", {"leader": 1}, (Set("leader", 1),)),
)


def taken(seat: int, cards: str) -> Fact:
    changes = (Move("trick", f"taken/{seat}", tuple(cards.split())), Set("leader", seat))
    return Fact("trick_taken", {"seat": seat, "points": 0}, changes)


TRICK = (played(1, "4C"), played(2, "KC"), played(0, "2C"), taken(2, "4C KC 2C"))
NEXT = (played(2, "QS"), played(0, "AS"))


def test_the_last_trick() -> None:
    """The last trick is shown with its cards in order and its taker."""
    after = table(facts=(*DEALT, *TRICK, *NEXT))
    assert text_of(last_trick_lines(after, WIDE)) == (
        "\nTrick 1: Blaise 4♣, Carl K♣, Ann 2♣. Carl takes it.\n"
    )
    before = table(facts=DEALT, zones={"trick": ""})
    assert text_of(last_trick_lines(before, WIDE)) == "\nNo trick of this deal is over yet.\n"


def test_a_game_without_tricks_has_no_last_one() -> None:
    """A game without tricks has no last trick, but has its deal so far."""
    told = text_of(last_trick_lines(table(zones={"stock": "? ?"}), WIDE))
    assert "There are no tricks here. Type history to see" in told


def test_a_deal_so_far() -> None:
    """The deal so far has a line for each trick and a sentence for everything else."""
    bid = Fact("bid_made", {"seat": 0, "bid": 2})
    after = table(facts=(*DEALT, bid, *TRICK, *TRICK, *NEXT))
    assert (
        text_of(history_lines(after, WIDE))
        == """
Deal 2.
Blaise leads.
You bid 2.
Trick 1: Blaise 4♣, Carl K♣, Ann 2♣. Carl takes it.
Trick 2: Blaise 4♣, Carl K♣, Ann 2♣. Carl takes it.
Trick 3: Carl Q♠, Ann A♠ …
"""
    )
    assert "Trick 3: Carl QS, Ann AS ...\n" in text_of(history_lines(after, ASCII))
    assert text_of(history_lines(table(), WIDE)).startswith("\nNothing has happened")


def test_tricks_of_described_games() -> None:
    """Tricks of described games are found by their zones, without verbs."""
    facts = tuple(
        fact
        for seat, card in ((0, "2C"), (1, "9C"))
        for fact in (
            Fact("option_taken", {"seat": seat, "action": f"play {card}"}),
            Fact(
                "cards_moved",
                {"source": f"hand/{seat}", "target": f"trick/{seat}", "cards": card},
                (Move(f"hand/{seat}", f"trick/{seat}", (card,)),),
            ),
        )
    ) + tuple(
        Fact(
            "cards_moved",
            {"source": f"trick/{seat}", "target": "taken/1", "cards": card},
            (Move(f"trick/{seat}", "taken/1", (card,)),),
        )
        for seat, card in ((0, "2C"), (1, "9C"))
    )
    turned = Fact("card_turned", {"card": "4D"})
    after = table(facts=(*DEALT, *facts, turned))
    told = text_of(history_lines(after, Look(120)))
    assert told.endswith(
        "Trick 1: Ann 2♣, Blaise 9♣. Blaise takes it.\n4♦ is turned up. Its suit is trumps.\n"
    )
    assert "play" not in told
