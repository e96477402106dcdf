"""Black Queen: options, dealing, who leads, and matches of several deals."""

from collections import Counter
from random import Random

import pytest

from engine import GAMES, Setup, Shuffler, complete_options, seed_from_int
from engine.cards import card_texts
from engine.errors import BadOption, BadSetup, NotYourTurn
from engine.facts import AddressedFact, Move, only, seen_by
from engine.games.black_queen import BlackQueen, State, pack
from tests.conformance.playing import play

MATCH = GAMES.game("black_queen")
EACH = {2: 26, 3: 17, 4: 26, 5: 20, 6: 26, 7: 22, 8: 26}


def first_state(seats: int, deal: int = 0, seed: int = 1, **options: int) -> State:
    """The first deal of a seed's match, before its first card."""
    shuffler = Shuffler(seed_from_int(seed)).of_deal(deal)
    return BlackQueen().start(Setup(seats, options, shuffler)).state


def scored(facts: tuple[AddressedFact, ...]) -> list[tuple[int, ...]]:
    """The scores of the deals that ended, by deal."""
    scores = [fact.args["scores"] for fact in facts if fact.verb == "deal_scored"]
    assert all(isinstance(score, tuple) for score in scores)
    return [score for score in scores if isinstance(score, tuple)]


@pytest.mark.parametrize("seats", range(2, 9))
def test_a_third_of_the_cards_lies_face_down_by_default(seats: int) -> None:
    """The default of `columns` is c // 3 for hands of c cards, and that of `deals` is 4."""
    options = complete_options(MATCH, seats, {})
    assert options == {"deals": 4, "columns": EACH[seats] // 3}


@pytest.mark.parametrize("seats", range(2, 9))
def test_columns_go_from_none_to_half_the_cards(seats: int) -> None:
    """`columns` may be 0 to c // 2."""
    most = EACH[seats] // 2
    for columns in (0, most):
        state = first_state(seats, columns=columns)
        assert {len(row) for row in state.up} == {columns}
        assert {len(hand) for hand in state.hands} == {EACH[seats] - 2 * columns}


@pytest.mark.parametrize("columns", [-1, 14])
def test_an_error_about_columns_names_option_and_bounds(columns: int) -> None:
    """The error for a wrong `columns` names the bounds, which depend on the number of players."""
    words = f"option columns: {columns} must be a whole number from 0 to 13"
    setup = Setup(4, {"columns": columns}, Shuffler(seed_from_int(1)))
    with pytest.raises(BadOption, match=words):
        MATCH.start(setup)
    with pytest.raises(BadOption, match=words):
        BlackQueen().start(setup)


def test_columns_are_bounded_by_the_players_at_the_start() -> None:
    """The bounds of `columns` are those for the actual number of players."""
    first_state(4, columns=13)
    with pytest.raises(BadOption, match="columns: 13 must be a whole number from 0 to 8"):
        first_state(3, columns=13)


@pytest.mark.parametrize("deals", [0, 101, "4", True, None, 1.0])
def test_an_error_about_deals_names_option_and_bounds(deals: object) -> None:
    """The error for a wrong `deals` says that it is a whole number from 1 to 100."""
    with pytest.raises(BadOption, match=r"option deals: .* must be a whole number from 1 to 100"):
        complete_options(MATCH, 4, {"deals": deals})


def test_an_unknown_option_is_named_with_those_there_are() -> None:
    """The error for an unknown option names the option and the known ones."""
    with pytest.raises(BadOption, match="option colums: unknown; Black Queen has deals, columns"):
        complete_options(MATCH, 4, {"colums": 3})


@pytest.mark.parametrize("seats", [-1, 0, 1, 9])
def test_two_to_eight_play(seats: int) -> None:
    """Black Queen refuses any number of players but two to eight, before it deals."""
    with pytest.raises(BadSetup, match=f"takes 2 to 8 players, not {seats}"):
        MATCH.start(Setup(seats, {}, Shuffler(seed_from_int(1))))
    with pytest.raises(BadSetup):
        MATCH.options(seats)


@pytest.mark.parametrize("seats", range(2, 9))
def test_the_whole_pack_is_dealt(seats: int) -> None:
    """Hands, face-up and face-down cards make up the pack, and nothing is played yet."""
    state = first_state(seats, columns=3)
    piles = (*state.hands, *state.up, *state.down)
    assert Counter(card for pile in piles for card in pile) == Counter(pack(seats))
    assert not state.trick
    assert not any(state.taken)


def test_a_seed_is_a_deal_and_another_seed_another() -> None:
    """Dealing depends on the seed and on nothing else."""
    assert first_state(4, seed=7) == first_state(4, seed=7)
    assert first_state(4, seed=7).hands != first_state(4, seed=8).hands
    assert first_state(4, seed=7).hands != first_state(4, deal=1, seed=7).hands


def test_each_deal_is_led_by_the_next_seat() -> None:
    """The first leader of deal k is seat k + o, with one o for the whole match."""
    for seed in range(10):
        leaders = [first_state(5, deal, seed).leader for deal in range(12)]
        assert leaders == [(leaders[0] + deal) % 5 for deal in range(12)]


def test_the_first_leader_is_drawn_from_the_seed() -> None:
    """Every seat leads some match."""
    assert {first_state(5, seed=seed).leader for seed in range(60)} == set(range(5))


def test_each_deal_of_a_match_is_a_new_one() -> None:
    """The pack is shuffled again for every deal, and the lead moves on by one seat."""
    setup = Setup(4, {"deals": 4}, Shuffler(seed_from_int(9)))
    facts = [fact for step in play(MATCH, setup, Random(9)).steps for fact in step.facts]
    leaders = [fact.args["leader"] for fact in facts if fact.verb == "deal_laid"]
    first = first_state(4, seed=9).leader
    assert leaders == [(first + deal) % 4 for deal in range(4)]
    own = [fact.changes for fact in facts if fact.verb == "hand_dealt" and fact.audience == only(0)]
    assert own == [
        (Move("deck", "hand/0", card_texts(first_state(4, deal, seed=9).hands[0])),)
        for deal in range(4)
    ]
    assert len(set(own)) == 4


def test_totals_add_up_over_the_deals() -> None:
    """The totals of a match are the sums of the scores that its deals were told to have."""
    played = play(MATCH, Setup(4, {"deals": 5}, Shuffler(seed_from_int(3))), Random(3))
    facts = tuple(fact for step in played.steps for fact in step.facts)
    final = played.steps[-1].state
    assert len(scored(facts)) == 5
    assert final.totals == tuple(map(sum, zip(*scored(facts), strict=True)))
    assert final.played == tuple(scored(facts))
    outcome = MATCH.outcome(final)
    assert outcome is not None
    assert outcome.scores == final.totals


def test_the_end_of_a_deal_and_the_next_are_one_step() -> None:
    """The last card of a deal brings its scores and the next deal's cards."""
    played = play(MATCH, Setup(3, {"deals": 2}, Shuffler(seed_from_int(3))), Random(3))
    last_of_first = played.steps[51]
    verbs = [fact.verb for fact in last_of_first.facts]
    end = verbs.index("deal_scored")
    assert verbs[:2] == ["card_played", "trick_taken"]
    assert verbs[end : end + 3] == ["deal_scored", "deal_started", "deal_laid"]
    assert last_of_first.facts[end].args["deal"] == 1
    assert last_of_first.facts[end + 1].args["deal"] == 2


def test_the_end_of_the_match_tells_totals_and_ranks() -> None:
    """The last fact of a match has totals and ranks, and then nobody is to move."""
    played = play(MATCH, Setup(4, {"deals": 1}, Shuffler(seed_from_int(4))), Random(4))
    final = played.steps[-1]
    outcome = MATCH.outcome(final.state)
    assert outcome is not None
    ended = final.facts[-1]
    assert ended.verb == "match_ended"
    assert ended.args == {"totals": outcome.scores, "ranks": outcome.ranks}
    assert MATCH.to_act(final.state) == ()
    assert not MATCH.choices(final.state, 0)
    with pytest.raises(NotYourTurn, match="the match is over"):
        MATCH.apply(final.state, 0, "play QS")


def test_a_match_of_several_deals_can_be_sampled_and_finished() -> None:
    """A sample of a match has the totals so far, and plays the right number of deals."""
    setup = Setup(4, {"deals": 3, "columns": 2}, Shuffler(seed_from_int(5)))
    played = play(MATCH, setup, Random(5))
    at = next(k for k, step in enumerate(played.steps) if step.state.number == 1) + 10
    facts = tuple(fact for step in played.steps[104 : at + 1] for fact in step.facts)
    begun = next(k for k, fact in enumerate(facts) if fact.verb == "deal_started")
    view = MATCH.view(played.steps[at].state, 2)
    mine = seen_by(facts[begun:], 2)
    sample = MATCH.sample(view, mine, Random(6))
    assert sample.setup.options == setup.options
    assert sample.totals == played.steps[at].state.totals
    finished = sample
    rng = Random(7)
    while asked := MATCH.to_act(finished):
        action = rng.choice(MATCH.choices(finished, asked[0]).actions)
        finished = MATCH.apply(finished, asked[0], action).state
    assert len(finished.played) == 2
    assert finished.number == 2


def test_rules_page_of_the_game_comes_with_it() -> None:
    """The rules text of the game is the one in its folder."""
    assert MATCH.info.rules.startswith("# Black Queen")
