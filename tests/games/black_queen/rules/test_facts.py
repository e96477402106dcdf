"""The facts of Black Queen and their audiences, word for word."""

from engine.facts import EVERYONE, SPECTATOR, Lay, Move, Set, Show, seen_by
from engine.games.black_queen import BlackQueen
from tests.games.black_queen.hands import deal


def test_dealing_lays_the_table_for_everybody() -> None:
    """A deal begins with empty zones, all cards in the deck, and the values."""
    laid, *_ = BlackQueen().begin(deal("2C | QS/2H", "3C | 4S/5S", leader=1).state).facts
    assert laid.verb == "deal_laid"
    assert laid.args == {"leader": 1}
    assert laid.audience == EVERYONE
    zones = ("trick", "hand/0", "taken/0", "column/0/1", "hand/1", "taken/1", "column/1/1")
    assert laid.changes == (
        Lay({"deck": 6} | dict.fromkeys(zones, 0)),
        Set("leader", 1),
        Set("turn", (1,)),
        Set("points/0", 0),
        Set("points/1", 0),
    )


def test_a_hand_is_named_to_its_owner_and_counted_for_all_others() -> None:
    """A hand is named in a fact for its owner, and counted in another one for everybody else."""
    facts = BlackQueen().begin(deal("2C 3H", "4C 5H").state).facts
    seen = {viewer: seen_by(facts, viewer)[1:] for viewer in (SPECTATOR, 0, 1)}
    named = [
        Move("deck", f"hand/{seat}", cards)
        for seat, cards in enumerate((("2C", "3H"), ("4C", "5H")))
    ]
    backs = [Move("deck", f"hand/{seat}", 2) for seat in (0, 1)]
    changes = {viewer: [fact.changes[0] for fact in told] for viewer, told in seen.items()}
    assert changes == {
        SPECTATOR: [backs[0], backs[1]],
        0: [named[0], backs[1]],
        1: [backs[0], named[1]],
    }
    assert all(fact.verb == "hand_dealt" for told in seen.values() for fact in told)


def test_columns_are_dealt_as_backs_with_faces_on_them() -> None:
    """Everybody is told the face-up cards and nothing of those below."""
    facts = BlackQueen().begin(deal("2C | QS/2H KD/3H", "3C | 4S/5S 6S/7S").state).facts
    columns = [fact for fact in facts if fact.verb == "columns_dealt"]
    assert [fact.args for fact in columns] == [{"seat": 0, "count": 2}, {"seat": 1, "count": 2}]
    assert columns[0].audience == EVERYONE
    assert columns[0].changes == (
        Move("deck", "column/0/1", 1),
        Move("deck", "column/0/2", 1),
        Move("deck", "column/0/1", ("QS",)),
        Move("deck", "column/0/2", ("KD",)),
    )


def test_without_columns_none_are_dealt() -> None:
    """A deal without columns has no facts about columns."""
    facts = BlackQueen().begin(deal("2C", "3C").state).facts
    assert {fact.verb for fact in facts} == {"deal_laid", "hand_dealt"}


def test_a_trick_is_told_card_by_card() -> None:
    """Facts move each card to the trick and the trick to its taker, and turn up bare cards."""
    lead = deal("2C 3C | QS/2H", "4S 5S | 6S/7S").play("QS@1")
    (played,) = lead.facts
    assert (played.verb, played.args) == ("card_played", {"seat": 0, "card": "QS"})
    assert played.changes == (Move("column/0/1", "trick", ("QS",)), Set("turn", (1,)))
    answered, taken, *flips = lead.play("4S").facts
    assert answered.changes == (Move("hand/1", "trick", ("4S",)),)
    assert (taken.verb, taken.args) == ("trick_taken", {"seat": 0, "points": -12})
    assert taken.changes == (
        Move("trick", "taken/0", ("QS", "4S")),
        Set("points/0", -12),
        Set("leader", 0),
        Set("turn", (0,)),
    )
    assert [(fact.verb, fact.args) for fact in flips] == [
        ("card_flipped", {"seat": 0, "card": "2H"})
    ]
    assert flips[0].changes == (Show("column/0/1", ("2H",)),)
    assert all(fact.audience == EVERYONE for fact in (played, answered, taken, *flips))
