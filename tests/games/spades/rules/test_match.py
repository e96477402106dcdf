"""Matches of Spades: options, the dealer, blind bids, and how a match ends."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import SPECTATOR, Match, MatchState, Setup, Shuffler, complete_options, seed_from_int
from engine.cards import TOKENS
from engine.errors import BadOption, BadSetup
from engine.games.spades import GAME, Spades, State, lacking
from tests.conformance.playing import Played, play
from tests.counts import count
from tests.games.spades.hands import deal

MATCH = Match(GAME)


def first_state(
    number: int = 0, seed: int = 1, totals: tuple[int, ...] = (), **options: object
) -> State:
    """The first deal of a seed's match, before its first bid."""
    shuffler = Shuffler(seed_from_int(seed)).of_deal(number)
    chosen = complete_options(MATCH, 4, options)
    return Spades().start(Setup(4, chosen, shuffler, totals)).state


def whole_match(seed: int, **options: object) -> Played[MatchState[State]]:
    """A match of random moves."""
    chosen = complete_options(MATCH, 4, options)
    return play(MATCH, Setup(4, chosen, Shuffler(seed_from_int(seed))), Random(seed))


class TestOptions:
    def test_defaults(self) -> None:
        """By default a match goes to 500 or −200, with bags, nil, and blind nil if behind."""
        assert complete_options(MATCH, 4, {}) == {
            "target": 500,
            "floor": -200,
            "bags": True,
            "nil": "100",
            "blind": "behind",
            "nil_tricks": False,
            "breaking": True,
        }

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            *(("target", 0), ("target", 10_001), ("floor", 0), ("floor", -10_001), ("bags", 1)),
            *(("nil", "200"), ("nil", 100), ("blind", "sometimes"), ("breaking", "yes")),
        ],
    )
    def test_bounds(self, name: str, value: object) -> None:
        """The target must be above 0 and the floor below it, and words are listed ones."""
        with pytest.raises(BadOption, match=f"option {name}: {value!r}"):
            complete_options(MATCH, 4, {name: value})

    @pytest.mark.parametrize("seats", [2, 3, 5])
    def test_four_play(self, seats: int) -> None:
        """Any other number of players is refused."""
        with pytest.raises(BadSetup, match=f"takes 4 players, not {seats}"):
            MATCH.options(seats)

    def test_partners_sit_opposite(self) -> None:
        """Seats 0 and 2 play against seats 1 and 3."""
        values = GAME.view(first_state(), SPECTATOR).values
        assert [values[f"team/{seat}"] for seat in range(4)] == [0, 1, 0, 1]


class TestDealing:
    def test_the_whole_pack_is_dealt(self) -> None:
        """All 52 cards are dealt, thirteen to each player."""
        hands = first_state().hands
        assert Counter(card for hand in hands for card in hand) == Counter(range(52))
        assert {len(hand) for hand in hands} == {13}

    def test_the_deal_passes_to_the_left(self) -> None:
        """The first dealer is drawn from the seed, the deal passes left, the next player bids."""
        for seed in range(10):
            states = [first_state(number, seed) for number in range(6)]
            first = states[0].dealer
            assert [state.dealer for state in states] == [(first + k) % 4 for k in range(6)]
            assert all(state.turn == state.leader == (state.dealer + 1) % 4 for state in states)
        assert {first_state(seed=seed).dealer for seed in range(40)} == set(range(4))

    def test_bags_are_the_last_digits_of_the_totals(self) -> None:
        """A team's bags are the last digit of its total; a single deal begins without any."""
        assert first_state().bags == (0, 0)
        assert first_state(totals=(-47, 208, -47, 208)).bags == (3, 8)


class TestBlindNil:
    @pytest.mark.parametrize(("behind", "asked"), [(99, False), (100, True), (230, True)])
    def test_a_team_that_is_a_hundred_behind_is_asked(self, behind: int, asked: bool) -> None:
        """Both players of a team that is a hundred behind may bid nil blind, and nobody else."""
        totals = (behind + 10, 10) * 2
        assert first_state(totals=totals).looked == (True, not asked) * 2

    def test_a_table_may_ask_everybody_or_nobody(self) -> None:
        """With `always` or `never` the totals do not matter; without nil nobody bids blind."""
        totals = (300, 0, 300, 0)
        assert first_state(blind="always").looked == (False,) * 4
        assert first_state(blind="never", totals=totals).looked == (True,) * 4
        assert first_state(blind="always", nil="off", totals=totals).looked == (True,) * 4


class TestMatch:
    @settings(max_examples=count(25))
    @given(seed=st.integers(0, 2**32), target=st.integers(1, 120), floor=st.integers(-600, -1))
    def test_it_ends_when_a_team_has_won_or_lost(self, seed: int, target: int, floor: int) -> None:
        """A match ends after a deal in which a team wins or loses; partners share their rank."""
        end = whole_match(seed, target=target, floor=floor).steps[-1].state
        assert over(end.totals, target, floor)
        sums = [0, 0, 0, 0]
        for scores in end.played[:-1]:
            sums = [a + b for a, b in zip(sums, scores, strict=True)]
            assert not over(tuple(sums), target, floor)
        outcome = MATCH.outcome(end)
        assert outcome is not None
        assert outcome.scores[:2] == outcome.scores[2:]
        better = int(end.totals[1] > end.totals[0])
        assert outcome.ranks == ((3, 1) if better else (1, 3)) * 2

    @pytest.mark.parametrize(
        ("totals", "ends"),
        [
            *(((499, 120), False), ((500, 120), True), ((510, 500), True), ((500, 500), False)),
            *(((0, -199), False), ((0, -200), True), ((-210, -200), True), ((-200, -200), False)),
        ],
    )
    def test_equal_totals_play_on(self, totals: tuple[int, int], ends: bool) -> None:
        """With equal totals beyond the target or below the floor the match goes on."""
        options = complete_options(MATCH, 4, {})
        assert GAME.match_over(options, totals * 2, 5) == ends

    def test_a_new_deal_knows_the_totals(self) -> None:
        """A new deal uses the match's totals for blind bids, and carries bags over."""
        seen = set()
        for seed in range(8):
            for step in whole_match(seed, target=2000, floor=-2000).steps:
                state, deal = step.state, step.state.deal
                if not state.over and deal.bidding and deal.bids.count(-1) == 4:
                    first, second = state.totals[:2]
                    assert deal.bags == (first % 10, second % 10)
                    if deal.turn == (deal.dealer + 1) % 4 and len(step.facts) > 2:
                        behind = (second - first >= 100, first - second >= 100) * 2
                        assert deal.looked == tuple(not so for so in behind)
                        seen.add(behind)
        assert len(seen) == 3

    def test_the_sheet_keeps_bids_and_tricks(self) -> None:
        """The score sheet keeps each seat's bid and tricks beside the deal's score."""
        end = whole_match(3).steps[-1].state
        values = MATCH.view(end, SPECTATOR).values
        assert values["sheet/bid/1"] is not None
        assert sum(values["sheet/tricks/1"]) == 13  # type: ignore[arg-type]
        assert values["sheet/score/1"] == end.played[0]


ONE_SUIT_EACH = [" ".join(token for token in TOKENS if token[1] == suit) for suit in "SHDC"]


class TestSample:
    def test_a_deal_by_itself_has_the_usual_options(self) -> None:
        """The view of a single deal has no options, no number and no totals."""
        state = deal(*ONE_SUIT_EACH, dealer=2, bags=False).state
        sample = GAME.sample(GAME.view(state, 0), (), Random(1))
        assert sample.setup.options == complete_options(GAME, 4, {})
        assert (sample.dealer, sample.bags) == (2, (0, 0))
        assert sample.hands[0] == state.hands[0]
        assert sample.hands[1:] != state.hands[1:]

    def test_who_does_not_follow_lacks_the_suit(self) -> None:
        """No sample gives a seat a card of a suit in which it did not follow."""
        led = deal(*ONE_SUIT_EACH, breaking=False).bid(13, 0, 0, 0).play("AS")
        after = led.play("AH")
        facts = [told.fact for told in (*led.facts, *after.facts)]
        view = GAME.view(after.state, 2)
        view = replace(view, values={**view.values, "option/breaking": False})
        samples = [GAME.sample(view, facts, Random(seed)) for seed in range(5)]
        assert not any(card // 13 == 2 for sample in samples for card in sample.hands[1])

    def test_who_follows_shows_nothing(self) -> None:
        """Neither following suit nor leading another suit shows a void."""
        led = deal("2C 3S", "4C 5S", "6C 7S", "8C 9S").bid(1, 1, 1, 1).play("2C")
        facts = [told.fact for told in (*led.facts, *led.play("4C").facts)]
        assert lacking(facts, breaking=True) == (frozenset(),) * 4

    def test_who_leads_a_spade_unbroken_has_nothing_else(self) -> None:
        """Samples give a seat that leads an unbroken spade only spades, unless the rule is off."""
        after = deal(*ONE_SUIT_EACH).bid(13, 0, 0, 0).play("AS")
        facts = [fact.fact for fact in after.facts]
        view = GAME.view(after.state, 1)
        samples = [GAME.sample(view, facts, Random(seed)) for seed in range(5)]
        assert [sample.hands[0] for sample in samples] == [after.state.hands[0]] * 5
        free = replace(view, values={**view.values, "option/breaking": False})
        others = [GAME.sample(free, facts, Random(seed)) for seed in range(5)]
        assert all(sample.hands[0] != after.state.hands[0] for sample in others)


def over(totals: tuple[int, ...], target: int, floor: int) -> bool:
    """Whether a match with these totals is over."""
    one, two = totals[:2]
    return one != two and (max(one, two) >= target or min(one, two) <= floor)
