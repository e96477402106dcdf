"""Matches of Whist: options, hand sizes, the dealer, and the score sheet."""

from collections import Counter
from random import Random

import pytest

from engine import GAMES, SPECTATOR, Setup, Shuffler, View, complete_options, fold, seed_from_int
from engine.cards import card_text, suit_of
from engine.errors import BadOption, BadSetup
from engine.facts import AddressedFact, Value, seen_by
from engine.games.whist import State, Whist
from tests.conformance.playing import Played, play

MATCH = GAMES.game("whist")
LARGEST = {3: 10, 4: 10, 5: 10, 6: 8, 7: 7}


def first_state(seats: int, deal: int = 0, seed: int = 1, **options: int) -> State:
    """The first deal of a seed's match, before its first bid."""
    shuffler = Shuffler(seed_from_int(seed)).of_deal(deal)
    return Whist().start(Setup(seats, options, shuffler)).state


def whole_match(seats: int = 4, cards: int = 3, seed: int = 5) -> Played[object]:
    setup = Setup(seats, {"cards": cards}, Shuffler(seed_from_int(seed)))
    return play(MATCH, setup, Random(seed))


def told(played: Played[object], verb: str) -> list[AddressedFact]:
    return [fact for step in played.steps for fact in step.facts if fact.verb == verb]


class TestOptions:
    @pytest.mark.parametrize("seats", range(3, 8))
    def test_defaults(self, seats: int) -> None:
        """By default hands leave a card to turn up, the hook is on, and nil scores 10."""
        options = complete_options(MATCH, seats, {})
        assert options == {"cards": LARGEST[seats], "hook": True, "nil_score": 10}

    @pytest.mark.parametrize(
        ("name", "value"),
        [("cards", 0), ("cards", 9), ("nil_score", -1), ("nil_score", 21), ("hook", 1)],
    )
    def test_bounds(self, name: str, value: object) -> None:
        """`cards` is bounded by the pack and the players, and nil scores 0 to 20."""
        with pytest.raises(BadOption, match=f"option {name}: {value}"):
            complete_options(MATCH, 6, {name: value})

    @pytest.mark.parametrize("seats", [0, 2, 8])
    def test_three_to_seven_play(self, seats: int) -> None:
        """Any other number of players is refused."""
        with pytest.raises(BadSetup, match=f"takes 3 to 7 players, not {seats}"):
            MATCH.options(seats)

    def test_five_play_unless_told_otherwise(self) -> None:
        """The default number of players is five."""
        assert MATCH.info.usual_seats == 5


class TestDealing:
    @pytest.mark.parametrize("seats", range(3, 8))
    def test_hands_go_down_to_one_and_up_again(self, seats: int) -> None:
        """Hand sizes go down to one and up again by deal number; two deals have one card."""
        most = LARGEST[seats]
        deals = [first_state(seats, deal) for deal in range(2 * most)]
        sizes = [*range(most, 0, -1), *range(1, most + 1)]
        assert [deal.cards for deal in deals] == sizes
        assert [{len(hand) for hand in deal.hands} for deal in deals] == [{n} for n in sizes]

    def test_a_match_may_begin_lower(self) -> None:
        """With `cards` 2 the hand sizes are 2 1 1 2."""
        assert [first_state(5, deal, cards=2).cards for deal in range(4)] == [2, 1, 1, 2]

    @pytest.mark.parametrize("seats", range(3, 8))
    def test_the_next_card_is_turned_up_for_trumps(self, seats: int) -> None:
        """Hands, turned-up card and rest make up the pack; the turned-up card gives trumps."""
        state = first_state(seats)
        dealt = Counter(card for hand in state.hands for card in hand)
        assert dealt + Counter(state.stock) + Counter([state.turned]) == Counter(range(52))
        assert state.trump == suit_of(state.turned)
        view = Whist().view(state, SPECTATOR)
        assert view.cards("turned") == (card_text(state.turned),)
        assert view.values["trump"] == "♣♦♠♥"[state.trump]

    def test_the_deal_passes_to_the_left(self) -> None:
        """The dealer of deal k is seat k + o, with one o for the whole match."""
        for seed in range(10):
            dealers = [first_state(5, deal, seed).dealer for deal in range(12)]
            assert dealers == [(dealers[0] + deal) % 5 for deal in range(12)]

    def test_the_first_dealer_is_drawn_from_the_seed(self) -> None:
        """Every seat deals first in some match."""
        assert {first_state(5, seed=seed).dealer for seed in range(60)} == set(range(5))

    def test_the_player_on_the_dealers_left_begins(self) -> None:
        """The player on the dealer's left bids first and leads the first trick."""
        for deal in range(5):
            state = first_state(5, deal)
            assert state.turn == state.leader == (state.dealer + 1) % 5


class TestMatch:
    def test_it_ends_when_the_ladder_is_climbed(self) -> None:
        """A match ends after its last hand size: five players with ten cards play twenty deals."""
        played = whole_match(seats=5, cards=10)
        assert len(told(played, "deal_scored")) == 20
        assert MATCH.outcome(played.steps[-1].state) is not None

    def test_totals_are_the_sums_of_the_deals(self) -> None:
        """Totals are the sums of the deals' scores, and the highest is best."""
        played = whole_match()
        scores = [numbers(fact.args["scores"]) for fact in told(played, "deal_scored")]
        outcome = MATCH.outcome(played.steps[-1].state)
        assert outcome is not None
        assert outcome.scores == tuple(map(sum, zip(*scores, strict=True)))
        assert outcome.ranks[outcome.scores.index(max(outcome.scores))] == 1

    def test_the_sheet_keeps_bids_tricks_and_scores_of_every_deal(self) -> None:
        """The score sheet has the bids, tricks and scores of every deal and seat, for everybody."""
        played = whole_match()
        bids: dict[int, dict[int, int]] = {}
        tricks: dict[int, Counter[int]] = {}
        scores: dict[int, Value] = {}
        deal = 0
        for fact in (fact for step in played.steps for fact in step.facts):
            match fact.verb, dict(fact.args):
                case "deal_started", {"deal": int(deal)}:
                    bids[deal], tricks[deal] = {}, Counter()
                case "bid_made", {"seat": int(seat), "bid": int(bid)}:
                    bids[deal][seat] = bid
                case "trick_won", {"seat": int(seat)}:
                    tricks[deal][seat] += 1
                case "deal_scored", {"scores": score}:
                    scores[deal] = score
        view = MATCH.view(played.steps[-1].state, SPECTATOR)
        sheet = {key: value for key, value in view.values.items() if key.startswith("sheet/")}
        expected: dict[str, Value] = {}
        for number in range(1, 7):
            expected[f"sheet/bid/{number}"] = tuple(bids[number][seat] for seat in range(4))
            expected[f"sheet/tricks/{number}"] = tuple(tricks[number][seat] for seat in range(4))
            expected[f"sheet/score/{number}"] = scores[number]
        assert sheet == expected

    def test_a_new_deal_brings_the_sheet_along(self) -> None:
        """Each new deal's facts carry the score sheet, for viewers that fold only that deal."""
        played = whole_match()
        facts = [fact for step in played.steps for fact in step.facts]
        starts = [at for at, fact in enumerate(facts) if fact.verb == "deal_started"]
        view = fold(seen_by(tuple(facts[starts[3] : starts[4]]), 2))
        assert {key.split("/")[2] for key in view.values if key.startswith("sheet/bid/")} == {
            *("1", "2", "3", "4")
        }

    def test_a_game_without_a_sheet_shows_none(self) -> None:
        """A game without a score sheet, such as Black Queen, has no fact or value about one."""
        game = GAMES.game("black_queen")
        setup = Setup(2, {"deals": 2, "columns": 0}, Shuffler(seed_from_int(1)))
        last = play(game, setup, Random(1)).steps[-1].state
        assert not any(key.startswith("sheet") for key in game.view(last, 0).values)

    def test_a_sampled_match_goes_on_with_the_same_dealer(self) -> None:
        """A sampled match goes on with the match's next dealer and hand size."""
        dealt = whole_match().steps[0]
        view = MATCH.view(dealt.state, 1)
        for seed in range(20):
            state = MATCH.sample(view, seen_by(dealt.facts, 1), Random(seed))
            second = second_deal(state)
            assert second.number("dealer") == (view.number("dealer") + 1) % 4
            assert second.number("cards") == 2


def second_deal(state: object) -> View:
    """The table when a match has come from its first deal to the second."""
    while (view := MATCH.view(state, SPECTATOR)).number("deal") == 1:
        seat = MATCH.to_act(state)[0]
        state = MATCH.apply(state, seat, MATCH.choices(state, seat).actions[0]).state
    return view


def numbers(value: Value) -> tuple[int, ...]:
    assert isinstance(value, tuple)
    return value
