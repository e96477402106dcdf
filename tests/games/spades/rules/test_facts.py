"""The facts of Spades with their audiences, word for word, and the views of each player."""

from engine.facts import EVERYONE, OPEN, SPECTATOR, Lay, Move, Set, seen_by
from tests.games.spades.hands import GAME, deal


def test_dealing_lays_the_table_for_everybody() -> None:
    """A deal begins with empty zones, all cards in the deck, and the values without bids."""
    opened, *_ = GAME.begin(deal("2C", "3C", "4C", "5C", dealer=0, before=(3, 9)).state).facts
    assert (opened.verb, opened.args) == ("deal_opened", {"seat": 0, "cards": 13})
    assert opened.audience == EVERYONE
    zones = ("trick", *(f"{kind}/{seat}" for seat in range(4) for kind in ("hand", "taken")))
    assert opened.changes == (
        Lay({"deck": 4} | dict.fromkeys(zones, 0)),
        *(Set(f"bid/{seat}", None) for seat in range(4)),
        *(Set(f"blind/{seat}", None) for seat in range(4)),
        *(Set("trump", "♠"), Set("broken", False)),
        *(Set("dealer", 0), Set("leader", 1), Set("turn", (1,))),
        *(Set(f"team/{seat}", seat % 2) for seat in (0, 2, 1, 3)),
        *(Set(f"bags/{seat}", bags) for seat, bags in enumerate((3, 9, 3, 9))),
        *(Set(f"tricks/{seat}", 0) for seat in range(4)),
    )


def test_bags_that_cost_nothing_are_not_shown() -> None:
    """If bags cost nothing the view has no value for them."""
    values = GAME.view(deal("2C", "3C", "4C", "5C", bags=False).state, SPECTATOR).values
    assert not any(key.startswith("bags") for key in values)


def test_a_hand_is_named_to_its_owner_and_counted_for_all_others() -> None:
    """A hand is named in a fact for its owner, and counted in another one for everybody else."""
    facts = GAME.begin(deal("2C 3H", "4C 5H", "6C 7H", "8C 9H").state).facts
    backs = [Move("deck", f"hand/{seat}", 2) for seat in range(4)]
    named = Move("deck", "hand/1", ("4C", "5H"))
    seen = {viewer: seen_by(facts, viewer)[1:] for viewer in (SPECTATOR, 1)}
    assert {viewer: [fact.changes[0] for fact in told] for viewer, told in seen.items()} == {
        SPECTATOR: backs,
        1: [backs[0], named, backs[2], backs[3]],
    }


def test_cards_of_a_player_who_may_bid_blind_lie_in_the_deck() -> None:
    """Cards of a player who may bid blind lie in the deck, hidden from all but the open view."""
    state = deal("2C 3H", "4C 5H", "6C 7H", "8C 9H", unseen=(1,)).state
    dealt = [fact.args["seat"] for fact in seen_by(GAME.begin(state).facts, 1)[1:]]
    assert dealt == [0, 2, 3]
    for viewer in (SPECTATOR, *range(4)):
        zones = GAME.view(state, viewer).zones
        assert (zones["deck"].cards, zones["deck"].backs, len(zones["hand/1"])) == ((), 2, 0)
    assert GAME.view(state, OPEN).cards("deck") == ("4C", "5H")


def test_a_look_tells_the_owner_the_cards() -> None:
    """A look names the cards to their owner, and tells the others that they are in hand."""
    looked = deal("2C 3H", "4C 5H", "6C 7H", "8C 9H", unseen=(0,)).act("look")
    own, other = (seen_by(looked.facts, viewer) for viewer in (0, SPECTATOR))
    assert [fact.changes for fact in own] == [(Move("deck", "hand/0", ("2C", "3H")),)]
    assert [fact.changes for fact in other] == [(Move("deck", "hand/0", 2),)]


def test_a_blind_nil_is_told_before_the_cards() -> None:
    """A blind nil is told to everybody before its bidder gets the hand."""
    blind = deal("2C", "3C", "4C", "5C", unseen=(0, 3)).act("blind nil")
    told, hand = seen_by(blind.facts, 0)
    assert (told.verb, told.args) == ("blind_nil_bid", {"seat": 0})
    assert told.changes == (Set("bid/0", 0), Set("blind/0", True), Set("turn", (1,)))
    assert hand.changes == (Move("deck", "hand/0", ("2C",)),)
    last = blind.bid(1, 1).act("blind nil")
    last.expect_told("blind_nil_bid", "hand_dealt", "hand_dealt", "bidding_ended")
    assert GAME.view(last.state, SPECTATOR).values["blind/3"] is True


def test_bids_are_told_one_by_one_and_then_together() -> None:
    """Each bid is told, nil by its own word, and after the last the sum and the leader."""
    hands = deal("2C", "3C", "4C", "5C").bid(1)
    (made,) = hands.facts
    assert (made.verb, made.args) == ("bid_made", {"seat": 0, "bid": 1})
    assert made.changes == (Set("bid/0", 1), Set("turn", (1,)))
    (nil,) = hands.bid(0).facts
    assert (nil.verb, nil.args) == ("nil_bid", {"seat": 1})
    assert nil.changes == (Set("bid/1", 0), Set("turn", (2,)))
    last, ended = hands.bid(0, 1, 4).facts
    assert last.changes == (Set("bid/3", 4), Set("turn", (0,)))
    assert (ended.verb, ended.args) == ("bidding_ended", {"leader": 0, "bids": 6, "cards": 13})
    assert made.audience == nil.audience == last.audience == ended.audience == EVERYONE


def test_a_trick_is_told_card_by_card() -> None:
    """Facts move each card to the trick, and the trick to its taker with tricks and bid."""
    hands = deal("2C 3C", "KC 4H", "5H 6H", "7S 8H").bid(1, 2, 1, 1).play("2C")
    (played,) = hands.facts
    assert (played.verb, played.args) == ("card_played", {"seat": 0, "card": "2C"})
    assert played.changes == (Move("hand/0", "trick", ("2C",)), Set("turn", (1,)))
    answered, broken, won = hands.play("KC", "5H", "7S").facts
    assert answered.changes == (Move("hand/3", "trick", ("7S",)),)
    assert (broken.verb, broken.changes) == ("spades_broken", (Set("broken", True),))
    assert (won.verb, won.args) == ("trick_won", {"seat": 3, "tricks": 1, "bid": 1})
    assert won.changes == (
        Move("trick", "taken/3", ("2C", "KC", "5H", "7S")),
        Set("tricks/3", 1),
        Set("leader", 3),
        Set("turn", (3,)),
    )
    assert played.audience == answered.audience == broken.audience == won.audience == EVERYONE


def test_the_end_of_a_deal_tells_how_the_teams_have_fared() -> None:
    """The end of a deal tells each nil, each contract and ten bags in words only."""
    hands = deal("2C", "KC", "3H", "4H", before=(0, 9)).bid(0, 0, 2, 0).play("2C", "KC", "3H", "4H")
    won, *told = hands.facts[1:]
    assert won.changes[-1] == Set("turn", ())
    assert [(fact.verb, fact.args) for fact in told] == [
        ("nil_made", {"seat": 0, "points": 100}),
        ("contract_failed", {"seat": 0, "partner": 2, "tricks": 2, "bags": 0}),
        ("nil_failed", {"seat": 1, "points": 100}),
        ("nil_made", {"seat": 3, "points": 100}),
        ("bags_penalised", {"seat": 1, "partner": 3, "points": 100}),
    ]
    assert all(fact.audience == EVERYONE and not fact.changes for fact in told)
    made = deal("2C", "KC", "3H", "4H").bid(1, 1, 1, 1).play("2C", "KC", "3H", "4H").facts[-1]
    assert made.verb == "contract_failed"
    one = deal("AC", "KC", "3H", "4H").bid(1, 1, 0, 1).play("AC", "KC", "3H", "4H").facts[2:]
    assert [fact.verb for fact in one] == ["nil_made", "contract_made", "contract_failed"]
