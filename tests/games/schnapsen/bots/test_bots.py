"""What holds for every bot of Schnapsen: legal, by its seat's knowledge alone, explained."""

import subprocess
import sys
from random import Random

import pytest

from bots import BadBot, Bot, Budget, Position, make_bot, parse_spec, strengths
from bots.arena import arrange, play_deal
from bots.schnapsen.sampling_player import SamplingPlayer
from bots.schnapsen.search import Searcher
from engine.cards import parse_cards
from engine.game import Setup, complete_options
from engine.shuffle import Shuffler, seed_from_int
from tests.counts import count
from tests.games.schnapsen.bots.positions import GAME, asked_at, played_at_random
from tests.games.schnapsen.hands import Hands, deal

FEW = Budget(samples=8)
NAMES = (*map(str, strengths("schnapsen")), "sampling")
EACH = pytest.mark.parametrize("name", NAMES)
CLAIMS = pytest.mark.parametrize("claim", ["auto", "manual"])
DECK = " ".join(rank + suit for suit in "CDSH" for rank in "JQKTA")
UNSEEN = "JC QC KC TC AC JD QD KD AD"


def at(hands: Hands) -> Position:
    return asked_at(hands.state, hands.all_facts)


def laid(
    first: str, second: str, won: str, *, talon: str = "", trump: str = "", claim: str = "auto"
) -> Hands:
    """A deal in play: the first player has won these cards, the second all other played ones."""
    rest = [card for card in DECK.split() if card not in f"{first} {second} {won} {talon}"]
    return deal(first, second, talon=talon, trump=trump, taken=(won, " ".join(rest)), claim=claim)


def choice(bot: Bot, hands: Hands) -> str:
    return bot.choose(at(hands), FEW, Random(0)).action


@CLAIMS
@EACH
def test_only_legal_moves(name: str, claim: str) -> None:
    """In random positions every bot's move is one of the choices."""
    rng = Random(count(10))
    bot = make_bot("schnapsen", parse_spec(name))
    for _ in range(count(25)):
        asked = asked_at(*played_at_random(rng, claim))
        assert asked.choices.allows(bot.choose(asked, FEW, rng).action)


@CLAIMS
@EACH
def test_deals_are_played_to_their_end(name: str, claim: str) -> None:
    """Every bot plays whole deals of a match, with and without automatic counting."""
    contest = arrange(
        "schnapsen",
        (0, parse_spec(name)),
        seed=1,
        options={"claim": claim},
        budgets=(FEW, FEW),
    )
    leads = [play_deal(contest, number).lead for number in range(count(3))]
    assert all(-3 <= lead <= 3 for lead in leads)


@EACH
def test_worlds_that_look_alike_are_played_alike(name: str) -> None:
    """Changing the opponent's hand and the talon behind one view does not change the move."""
    rng = Random(count(11))
    bot = make_bot("schnapsen", parse_spec(name))
    told_apart = 0
    for _ in range(count(15)):
        state, facts = played_at_random(rng)
        asked = asked_at(state, facts)
        other = GAME.sample(asked.view, asked.facts, rng)._replace(setup=state.setup)
        told_apart += other.hands != state.hands
        twin = asked_at(other, tuple(fact for fact in facts if fact.seen_by(state.turn)))
        assert bot.choose(asked, FEW, Random(5)) == bot.choose(twin, FEW, Random(5))
    assert told_apart


@EACH
def test_the_same_seed_and_samples_make_the_same_move(name: str) -> None:
    """With a budget of samples the move depends only on the position and the seed."""
    rng = Random(count(12))
    for _ in range(count(10)):
        asked = asked_at(*played_at_random(rng))
        first = make_bot("schnapsen", parse_spec(name)).choose(asked, FEW, Random(7))
        assert make_bot("schnapsen", parse_spec(name)).choose(asked, FEW, Random(7)) == first


@pytest.mark.parametrize("aim", ["losing", "score"])
def test_candidates_explain_themselves(aim: str) -> None:
    """A candidate's value is the chance not to lose or the expected score, with its deviation."""
    rng = Random(count(13))
    bot = Searcher(aim=aim)
    weighed = 0
    for _ in range(count(30)):
        asked = asked_at(*played_at_random(rng))
        decision = bot.choose(asked, FEW, rng)
        actions = [each.action for each in decision.candidates]
        assert actions == [action for action in asked.choices.actions if action in actions]
        for each in decision.candidates:
            weighed += 1
            assert each.why["worlds"] >= 1
            assert 0 <= each.why["deviation"] <= (0.5 if aim == "losing" else 3)
            if aim == "losing":
                assert each.value + each.why["losing"] == pytest.approx(1)
            else:
                assert each.value == each.why["score"]
                assert -3 <= each.value <= 3
    assert weighed


def test_a_sure_win_is_found_and_sure() -> None:
    """Two trumps and an ace on lead win for certain: no chance of losing, and no deviation."""
    hands = laid("AS TS AH", "KC QC JC", "AC TC KH QH", trump="S")
    decision = Searcher().choose(at(hands), FEW, Random(0))
    assert all(each.why["losing"] == each.why["deviation"] == 0 for each in decision.candidates)


def test_a_higher_score_decides_between_sure_wins() -> None:
    """Among certain wins the higher score decides: the ace led at once keeps the other below 33."""
    hands = laid("KH AS", "TH QD", "AH TS QS KS AC TC JH TD", trump="S")
    decision = Searcher().choose(at(hands), FEW, Random(0))
    found = {each.action: (each.value, each.why["score"]) for each in decision.candidates}
    assert found == {"play AS": (1, 2), "play KH": (1, 1)}
    assert decision.action == "play AS"


def test_forced_moves_are_played_without_a_search() -> None:
    """A single choice is played without a search."""
    hands = laid("AS KH", "TH QD", "AH QC", trump="S")
    led = hands.play("KH")
    decision = Searcher().choose(at(led), Budget(), Random(0))
    assert (decision.action, decision.candidates) == ("play TH", ())


@pytest.mark.parametrize("name", NAMES[1:])
def test_players_who_count_for_themselves_claim_in_time(name: str) -> None:
    """If players claim, a bot with the lead claims at 66 points, and not with fewer."""
    bot = make_bot("schnapsen", parse_spec(name))
    few = laid("AS KS", "QS JS", "AH TH", trump="S", claim="manual")
    assert choice(bot, few) != "claim"
    enough = laid("AS KS", "QS JS", "AH TH AC TC AD TD KH QH", trump="S", claim="manual")
    assert choice(bot, enough) == "claim"


def test_closing_is_weighed_by_every_hand() -> None:
    """At the first lead the value of closing comes from all 2,002 hands of the other."""
    hands = deal("AS TS KS QS AH", "JH QH KH TH JS", talon=UNSEEN + " | TD", leader=0)
    decision = Searcher().choose(at(hands), FEW, Random(0))
    close = next(each for each in decision.candidates if each.action == "close")
    assert (close.why["worlds"], close.why["deviation"]) == (2002, 0)


def test_more_worlds_are_tried_than_wanted_only_where_all_are() -> None:
    """The number of worlds is the setting's, or all of them if there are fewer."""
    opening = deal("AS TS KH QC JD", "JH QH KS TH JS", talon="JC KC TC AC QD KD AD AH QS | TD")
    decision = Searcher(worlds=20).choose(at(opening), Budget(), Random(0))
    tried = {each.action: each.why["worlds"] for each in decision.candidates}
    assert {worlds for action, worlds in tried.items() if action.startswith("play")} == {20}
    late = laid("AS TS KH QC JD", "JH QH KS TH JS", "JC TC", talon="AH QS KC | TD")
    decision = Searcher(worlds=10**6, by_rules=0).choose(at(late), Budget(), Random(0))
    assert max(each.why["worlds"] for each in decision.candidates) <= 56 * 6


@pytest.mark.parametrize(
    "spec",
    [
        "3:aim=luck",
        "2:worlds=0",
        "3:worlds=0",
        "3:by_rules=2",
        "3:own_heat=-0.1",
        "3:others_heat=1001",
        "sampling:samples=0",
        "3:nonsense=1",
    ],
)
def test_wrong_settings_are_refused(spec: str) -> None:
    """A setting that makes no sense is an error that names it."""
    with pytest.raises(BadBot):
        make_bot("schnapsen", parse_spec(spec))


def test_strength_2_is_content_with_ten_worlds() -> None:
    """Strength 2 tries ten worlds by default."""
    hands = deal("AS TS KH QC JD", "JH QH KS TH JS", talon="JC KC TC AC QD KD AD AH QS | TD")
    decision = make_bot("schnapsen", 2).choose(at(hands), Budget(), Random(0))
    plays = [each for each in decision.candidates if each.action.startswith("play")]
    assert {each.why["worlds"] for each in plays} == {10}


def test_the_sampling_player_counts_moves() -> None:
    """The sampling player uses as many samples as it is given."""
    hands = deal("AS TS KH QC JD", "JH QH KS TH JS", talon="JC KC TC AC QD KD AD AH QS | TD")
    decision = SamplingPlayer(samples=5).choose(at(hands), Budget(), Random(0))
    assert {each.why["worlds"] for each in decision.candidates} == {5}
    assert isinstance(make_bot("schnapsen", parse_spec("sampling:samples=5")), SamplingPlayer)


@pytest.mark.parametrize(
    ("hand", "talon", "move"),
    [
        ("JD AS KS QH TC", "JC KC TC AC QD KD AD AH JS | TD", "exchange"),
        ("KD QD KS QS TC", "JC KC TC AC JD AH AD QH JS | TD", "marry QD"),
        ("KS JS QS TC AD", "JC KC QC AC JD AH TH QH JH | TD", "marry QS"),
        ("JH QS TC AD KC", "JS JC QC AC JD AH TH QH KH | TD", "play JH"),
    ],
)
def test_the_rules_of_the_rule_player(hand: str, talon: str, move: str) -> None:
    """The rule player exchanges, announces trumps first and leads the queen first, or ducks."""
    given = parse_cards(hand + " " + talon.replace("|", ""))
    rest = " ".join(card for card in DECK.split() if parse_cards(card)[0] not in given)
    hands = deal(hand, " ".join(rest.split()[:5]), talon=talon)
    assert choice(make_bot("schnapsen", 1), hands) == move


def test_the_rule_player_takes_what_wins_the_deal() -> None:
    """The rule player ruffs a king that makes 66, leaves it otherwise, and claims if it must."""
    won, talon = "AC TC AH TH AD TD", "QD KD | QS"
    for taken, move in ((won, "play JS"), ("AC TC AH TH", "play JD")):
        hands = deal("JD JS", "KC QC", talon=talon, taken=(taken, ""), leader=1, claim="manual")
        assert choice(make_bot("schnapsen", 1), hands.play("KC")) == move
    hands = deal("JD JS", "KC QC", talon=talon, taken=(won, ""), leader=1, claim="manual")
    assert choice(make_bot("schnapsen", 1), hands.play("KC", "JS")) == "claim"


def test_the_rule_player_leads_the_trump_that_wins_the_deal() -> None:
    """With 53 points the rule player leads the ace of trumps, which wins; with fewer a low card."""
    talon = "QC KC | JS"
    for taken, move in (("AC TC AH TH AD", "play AS"), ("AC TC AH TH", "play JD")):
        hands = deal("JD AS TD", "KD QD QS", talon=talon, taken=(taken, "JC QH"), leader=0)
        assert choice(make_bot("schnapsen", 1), hands) == move


WARMED = """
from random import Random
import bots.schnapsen.plan_values, bots.schnapsen.worlds, bots.search.draws
from bots import Budget, make_bot
from tests.games.schnapsen.bots.positions import asked_at, played_at_random

kernels = [
    each
    for module in (bots.schnapsen.plan_values, bots.schnapsen.worlds, bots.search.draws)
    for each in vars(module).values()
    if hasattr(each, "signatures")
]

def loaded():
    return {each.__name__: each.signatures for each in kernels}

bot, rng = make_bot("schnapsen", 3), Random(1)
bot.warm_up()
warm = loaded()
for _ in range(40):
    bot.choose(asked_at(*played_at_random(rng)), Budget(samples=2), rng)
assert any(warm.values())
assert loaded() == warm, (loaded(), warm)
"""


def test_after_warming_up_nothing_is_left_to_load() -> None:
    """After `warm_up` no kind of move loads a further kernel in a fresh process."""
    subprocess.run([sys.executable, "-W", "error", "-c", WARMED], check=True, timeout=120)


@pytest.mark.parametrize("seed", [69, 90, 256, 377])
def test_a_certain_win_is_not_given_up(seed: int) -> None:
    """A certain win by closing is preferred to an open lead that wins in 99 % of the worlds."""
    asked = certain_to_win(seed)
    for trial in range(count(10)):
        decision = Searcher().choose(asked, Budget(samples=1000), Random(trial))
        chosen = next(each for each in decision.candidates if each.action == decision.action)
        assert (chosen.value, chosen.why["deviation"]) == (1.0, 0.0)


def certain_to_win(seed: int) -> Position:
    """The first lead of a random deal at which closing wins against all 56 possible hands."""
    options = complete_options(GAME, 2, {})
    step = GAME.start(Setup(2, options, Shuffler(seed_from_int(seed))))
    facts = step.facts
    while step.state.result is None:
        asked = asked_at(step.state, facts)
        if "close" in asked.choices.actions:
            decision = Searcher().choose(asked, Budget(samples=1), Random(0))
            close = next(each for each in decision.candidates if each.action == "close")
            if close.value == 1.0 and close.why["worlds"] == 56:
                return asked
        action = make_bot("schnapsen", parse_spec("1")).choose(asked, FEW, Random(0)).action
        step = GAME.apply(step.state, step.state.turn, action)
        facts += step.facts
    raise AssertionError("closing was never certain to win")
