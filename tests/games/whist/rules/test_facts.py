"""The facts of Whist and their audiences, word for word."""

from engine.facts import EVERYONE, SPECTATOR, Lay, Move, Set, seen_by
from engine.games.whist import Whist
from tests.games.whist.hands import deal


def test_dealing_lays_the_table_for_everybody() -> None:
    """A deal begins with empty zones, all cards in the deck, and the values without bids."""
    opened, *_ = Whist().begin(deal("2C", "3C", "4C", turned="9S", dealer=0).state).facts
    assert (opened.verb, opened.args) == ("deal_opened", {"seat": 0, "cards": 1})
    assert opened.audience == EVERYONE
    zones = ("turned", "trick", *(f"{kind}/{seat}" for seat in range(3) for kind in HAND_TAKEN))
    assert opened.changes == (
        Lay({"deck": 52} | dict.fromkeys(zones, 0)),
        *(Set(f"bid/{seat}", None) for seat in range(3)),
        *(Set("deals", 2), Set("cards", 1), Set("trump", "♠")),
        *(Set("dealer", 0), Set("leader", 1), Set("turn", (1,))),
        *(Set(f"tricks/{seat}", 0) for seat in range(3)),
    )


HAND_TAKEN = ("hand", "taken")


def test_a_hand_is_named_to_its_owner_and_counted_for_all_others() -> None:
    """The owner and the others get different facts of a hand; the upturned card is for all."""
    facts = Whist().begin(deal("2C 3H", "4C 5H", "6C 7H", turned="9S").state).facts
    seen = {viewer: seen_by(facts, viewer)[1:] for viewer in (SPECTATOR, 1)}
    backs = [Move("deck", f"hand/{seat}", 2) for seat in range(3)]
    named = Move("deck", "hand/1", ("4C", "5H"))
    turned = Move("deck", "turned", ("9S",))
    assert {viewer: [fact.changes[0] for fact in told] for viewer, told in seen.items()} == {
        SPECTATOR: [*backs, turned],
        1: [backs[0], named, backs[2], turned],
    }
    assert facts[-1].args == {"card": "9S"}


def test_bids_are_told_one_by_one_and_then_together() -> None:
    """Each bid is told with the next player, and after the last the sum and the leader."""
    hands = deal("2C", "3C", "4C", turned="9S").bid(1)
    (made,) = hands.facts
    assert (made.verb, made.args) == ("bid_made", {"seat": 0, "bid": 1})
    assert made.changes == (Set("bid/0", 1), Set("turn", (1,)))
    last, ended = hands.bid(1, 0).facts
    assert last.changes == (Set("bid/2", 0), Set("turn", (0,)))
    assert (ended.verb, ended.args) == ("bidding_ended", {"leader": 0, "bids": 2, "cards": 1})
    assert made.audience == last.audience == ended.audience == EVERYONE


def test_a_trick_is_told_card_by_card() -> None:
    """Facts move each card to the trick, and the trick to its taker with tricks and bid."""
    hands = deal("2C 3C", "KC 4H", "5H 6H", turned="9S").bid(0, 2, 2).play("2C")
    (played,) = hands.facts
    assert (played.verb, played.args) == ("card_played", {"seat": 0, "card": "2C"})
    assert played.changes == (Move("hand/0", "trick", ("2C",)), Set("turn", (1,)))
    answered, won = hands.play("KC", "5H").facts
    assert answered.changes == (Move("hand/2", "trick", ("5H",)),)
    assert (won.verb, won.args) == ("trick_won", {"seat": 1, "tricks": 1, "bid": 2})
    assert won.changes == (
        Move("trick", "taken/1", ("2C", "KC", "5H")),
        Set("tricks/1", 1),
        Set("leader", 1),
        Set("turn", (1,)),
    )
    assert played.audience == answered.audience == won.audience == EVERYONE


def test_after_the_last_trick_nobody_is_asked() -> None:
    """After the last trick the view has no turn."""
    over = deal("2C", "KC", "5H", turned="9S").bid(0, 1, 1).play("2C", "KC", "5H")
    assert over.facts[-1].changes[-1] == Set("turn", ())
