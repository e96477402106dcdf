"""The list of bots, and the random bot of every game."""

import re
from collections import Counter
from random import Random
from typing import Annotated

import pytest

from bots import (
    BadBot,
    Bot,
    Budget,
    described_strengths,
    make_bot,
    parse_spec,
    roster,
    strength_of,
    strengths,
    withheld,
)
from bots.generic.players import PLAYERS as FOR_OTHERS
from bots.hearts.ducker import Ducker
from bots.random_bot import RandomBot, random_action
from bots.recipe import RANDOM, Recipe
from bots.search import compiled
from bots.search.left_out import NotFetched
from bots.spec import Range, Share
from engine.catalogue import GAMES
from engine.choices import Choices, Pick
from tests.bots.tiny_game import Bidder
from tests.counts import count
from tests.games.black_queen.bots.positions import played_at_random, position
from tests.repository import ROOT

BIDDER = Recipe("tests.bots.tiny_game:Bidder")
SEARCHER = Recipe("tests.bots.tiny_game:Bidder", compiled=True)


def evaluation(share: Share = 0.5, most: Annotated[int, Range(2, 5)] = 3) -> Bidder:
    """A bot whose settings have ranges; it bids the share of 9 it was given."""
    return Bidder(round(share * 9), needs_facts=isinstance(share, float))


@pytest.mark.parametrize("share", ["1", "1.0", "0", "0.25"])
def test_numbers_in_range_come_as_the_kind_the_bot_declares(share: str) -> None:
    """A number in range is converted to the declared type, so that kernels compile once."""
    recipe = Recipe("tests.bots.test_roster:evaluation")
    bot = recipe.make(dict(parse_spec(f"1:share={share}").settings))
    assert isinstance(bot, Bidder)
    assert (bot.bid, bot.needs_facts) == (round(float(share) * 9), True)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ("share=1.01", "setting share: 1.01 must be from 0 to 1"),
        ("share=-1", "setting share: -1 must be from 0 to 1"),
        ("most=6", "setting most: 6 must be from 2 to 5"),
        ("most=2.5", "setting most: 2.5 must be of type int"),
    ],
)
def test_numbers_out_of_range_are_refused(settings: str, says: str) -> None:
    """A number out of the range in the bot's signature is refused."""
    recipe = Recipe("tests.bots.test_roster:evaluation")
    with pytest.raises(BadBot, match=f"^{re.escape(says)}$"):
        recipe.make(dict(parse_spec(f"1:{settings}").settings))


@pytest.fixture
def bidding(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game with a strength that needs Numba and a bot that has only a name."""
    monkeypatch.setattr(roster, "STRENGTHS", {"bid_low": (RANDOM, BIDDER, SEARCHER)})
    monkeypatch.setattr(roster, "NAMED", {"bid_low": {"bidder": BIDDER, "searcher": SEARCHER}})


def test_black_queen_has_four_strengths() -> None:
    """Black Queen is played at strengths 0 to 3; the last needs Numba."""
    assert strengths("black_queen") == (0, 1, 2, 3)
    assert [roster.is_compiled("black_queen", strength) for strength in range(4)] == [
        False,
        False,
        False,
        True,
    ]


def test_every_game_has_the_random_bot() -> None:
    """Strength 0 of every game is the random bot, also without other bots."""
    for game in (*(info.id for info in GAMES), "some_new_game"):
        assert isinstance(make_bot(game, 0), RandomBot)


@pytest.mark.parametrize("strength", [-1, 4])
def test_unknown_strength(strength: int) -> None:
    """An unknown strength is an error that lists the known ones."""
    with pytest.raises(BadBot, match="there are 0, 1, 2, 3"):
        make_bot("black_queen", strength)


@pytest.mark.parametrize("game", [*roster.STRENGTHS, "a_described_game"])
def test_what_a_bot_may_spend_to_be_repeatable_has_no_clock(game: str) -> None:
    """The repeatable budget of every strength has samples and no clock."""
    for strength in (*strengths(game), 9):
        budget = roster.repeatable(game, strength)
        assert budget.milliseconds is None
        assert budget.samples is not None
        assert budget.samples >= 1
    assert roster.repeatable("schnapsen", 2) == Budget(samples=10)


@pytest.mark.parametrize("game", roster.STRENGTHS)
def test_every_recipe_makes_a_bot(game: str) -> None:
    """Every recipe makes a bot of its game with its default settings."""
    for strength in strengths(game):
        # A server does not look at a bot with kernels, but sends it away to think.
        assert not (make_bot(game, strength).in_place and roster.is_compiled(game, strength))
    for name in roster.NAMED.get(game, {}):
        assert isinstance(make_bot(game, parse_spec(name)).needs_facts, bool)


@pytest.mark.parametrize("game", roster.STRENGTHS)
def test_a_bot_that_compiles_has_a_plain_one_in_its_place(game: str) -> None:
    """Each compiled bot has a plain one in its place that is not the random player."""
    for strength in strengths(game):
        standby = roster.standby(game, strength)
        assert standby == strength or roster.is_compiled(game, strength)
        assert standby >= min(strength, 1)
        if strength:
            bot = roster.make_standby(game, strength)
            assert bot.in_place
            assert type(bot) is not RandomBot


def test_where_the_weakest_bot_compiles_its_plain_relative_plays() -> None:
    """Strength 1 of Hearts has a plain relative, which plays for strength 2 as well."""
    assert [roster.standby("hearts", strength) for strength in (0, 1, 2)] == [0, 1, 1]
    assert type(roster.make_standby("hearts", 2)) is Ducker
    assert roster.standby("black_queen", 3) == 2


ANY_GAME = pytest.mark.parametrize("game", [*roster.STRENGTHS, "a_described_game"])


@ANY_GAME
def test_easy_is_never_the_random_player(game: str) -> None:
    """The strengths of the words ascend, and easy is never the random player."""
    easy, medium, strong = roster.LEVELS.get(game, FOR_OTHERS.levels)
    assert 1 <= easy <= medium <= strong == strengths(game)[-1]
    assert easy < strong


@ANY_GAME
def test_every_strength_says_how_it_plays(game: str) -> None:
    """Every strength describes its play in one sentence, and each word has one strength."""
    told = described_strengths(game)
    assert tuple(each.strength for each in told) == strengths(game)
    assert all(re.fullmatch(r"[A-Z][^.]+\.", each.how) for each in told)
    # It may be read alone, where nobody sees what the weaker ones do.
    assert not [each.how for each in told if re.search("the same|deeper|better", each.how)]
    assert all(each.ahead is None or each.ahead > 0 for each in told)
    named = {level: each.strength for each in told for level in each.levels}
    assert named == {
        "easy": strength_of(game, "easy"),
        "medium": strength_of(game, "medium"),
        "strong": strength_of(game, "strong"),
    }


@ANY_GAME
def test_the_page_shows_each_strength_beside_its_neighbours(game: str) -> None:
    """The documentation shows each strength's lead over its neighbours as the roster has it."""
    page = (ROOT / "docs" / "bots.md").read_text("utf-8")
    for each in described_strengths(game)[1:]:
        ahead = r"\S.*" if each.ahead is None else rf"\+{re.escape(f'{each.ahead:g}')} \("
        row = rf"\| {', '.join(each.levels)} \| {each.strength} \| {re.escape(each.how)} \| {ahead}"
        assert re.search(row, page), f"docs/bots.md has no row for {each}"


@ANY_GAME
def test_without_numba_a_word_names_the_best_that_is_left(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without Numba a word names the best remaining bot, never the random player."""
    monkeypatch.setattr("bots.recipe.available", lambda: False)
    assert strength_of(game, "easy") >= 1
    assert strength_of(game, "strong") == strengths(game)[-1]


def test_a_word_stands_for_a_number_in_a_spec() -> None:
    """A word may stand for the strength in a spec with settings."""
    assert str(roster.numbered("black_queen", parse_spec("strong:risk=0.5"))) == "3:risk=0.5"
    assert str(roster.numbered("hearts", parse_spec("medium"))) == "1"
    assert str(roster.numbered("whist", parse_spec("judge"))) == "judge"
    recipe = roster.recipe_of("black_queen", parse_spec("medium"))
    assert recipe is roster.recipe_of("black_queen", parse_spec("2"))


def test_numba_that_cannot_be_fetched_is_a_bad_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """If Numba cannot be fetched a compiled bot is refused with advice, and plain ones are not."""

    def obtain() -> None:
        raise NotFetched("Numba could not be fetched; try again")

    monkeypatch.setattr("bots.recipe.obtain", obtain)
    with pytest.raises(BadBot, match="could not be fetched; try again"):
        make_bot("hearts", 1)
    assert type(roster.make_standby("hearts", 1)) is Ducker


def test_compiling_can_be_forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """After compiling is forbidden only bots without kernels are offered."""
    monkeypatch.setattr(compiled, "_forbidden", False)
    compiled.available.cache_clear()
    before = compiled.available()
    compiled.forbid_compiling()
    now = compiled.available()
    monkeypatch.undo()
    compiled.available.cache_clear()
    assert (before, now) == (True, False)


@pytest.mark.usefixtures("bidding")
def test_a_spec_names_a_bot_and_its_settings() -> None:
    """A spec names a bot by strength or name, with defaults for other settings."""
    for text, bid in (("1:bid=4", 4), ("bidder:bid=7:needs_facts=true", 7), ("1", 3)):
        bot = make_bot("bid_low", parse_spec(text))
        assert isinstance(bot, Bidder)
        assert bot.bid == bid
        assert bot.needs_facts is ("true" in text)


@pytest.mark.usefixtures("bidding")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("7", "no bot of strength 7; there are 0, 1, 2, easy, medium, strong, bidder, searcher"),
        ("maxn", "no bot named maxn"),
        ("bidder:bids=4", "setting bids: unknown; the settings of this bot: bid, needs_facts"),
        ("0:bid=4", "the settings of this bot: none"),
        ("bidder:bid=0.5", "setting bid: 0.5 must be of type int"),
        ("bidder:needs_facts=1", "setting needs_facts: 1 must be of type bool"),
        ("bidder:bid=-1", "a bid is 0 to 9"),
    ],
)
def test_what_is_no_bot_is_refused_with_what_there_is(text: str, says: str) -> None:
    """A wrong name or setting is refused with the right ones."""
    with pytest.raises(BadBot, match=says):
        make_bot("bid_low", parse_spec(text))


@pytest.mark.parametrize(
    ("game", "text", "says"),
    [
        ("black_queen", "3:worlds=0", "setting worlds: 0 must be a whole number from 1"),
        ("black_queen", "3:worlds=-1", "setting worlds: -1 must be a whole number from 1"),
        ("black_queen", "3:worlds=0.5", "setting worlds: 0.5 must be a whole number from 1"),
        ("black_queen", "3:worlds=true", "setting worlds: True must be a whole number from 1"),
        ("black_queen", "3:worlds=many", "setting worlds: 'many' must be a whole number from 1"),
        ("black_queen", "3:milliseconds=0", "setting milliseconds: 0 must be more than 0"),
        ("black_queen", "3:milliseconds=nan", "setting milliseconds: nan must be more than 0"),
        ("black_queen", "3:milliseconds=inf", "setting milliseconds: inf must be a finite number"),
        ("black_queen", "3:risk=nan", "setting risk: nan must be a finite number"),
        ("black_queen", "ismcts:simulations=0", "setting simulations: 0 must be"),
        ("black_queen", "3:risk=-1", "setting risk: -1 must be at least 0"),
        ("black_queen", "ismcts:exploration=-0.5", "setting exploration: -0.5 must be at least 0"),
        ("hearts", "2:noise=-3", "setting noise: -3 must be at least 0"),
        ("hearts", "ismcts:exploration=-9", "setting exploration: -9 must be at least 0"),
        ("hearts", "2:worlds=-5", "setting worlds: -5 must be"),
        ("hearts", "2:passes=0", "setting passes: 0 must be"),
        ("hearts", "2:milliseconds=-1.5", "setting milliseconds: -1.5 must be"),
        ("hearts", "ismcts:simulations=-1", "setting simulations: -1 must be"),
        ("whist", "2:winner=99", "setting winner: 99 must be from 0 to 1"),
        ("whist", "2:depth=-3", "setting depth: -3 must be at least 0"),
        ("whist", "2:paranoia=-5", "setting paranoia: -5 must be at least 0"),
        ("whist", "3:rustic=7", "setting rustic: 7 must be from 0 to 1"),
        ("whist", "ismcts:exploration=-1", "setting exploration: -1 must be at least 0"),
        ("schnapsen", "3:every=-5", "setting every: -5 must be at least 0"),
        ("whist", "2:worlds=0", "setting worlds: 0 must be"),
        ("whist", "3:simulations=0", "setting simulations: 0 must be"),
        ("whist", "3:milliseconds=0", "setting milliseconds: 0 must be"),
        ("schnapsen", "sampling:samples=-1", "setting samples: -1 must be"),
    ],
)
def test_a_search_of_nothing_is_refused(game: str, text: str, says: str) -> None:
    """A search with no samples is refused."""
    with pytest.raises(BadBot, match=re.escape(says)):
        make_bot(game, parse_spec(text))


@pytest.mark.usefixtures("bidding")
def test_without_numba_the_plain_bots_remain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Numba strengths that need it are not offered, and are an error."""
    assert (strengths("bid_low"), withheld("bid_low")) == ((0, 1, 2), ())
    monkeypatch.setattr("bots.recipe.available", lambda: False)
    assert (strengths("bid_low"), withheld("bid_low")) == ((0, 1), (2,))
    for text in ("2", "searcher"):
        with pytest.raises(BadBot, match="needs Numba"):
            make_bot("bid_low", parse_spec(text))


def test_without_numba_hearts_is_played_by_more_than_chance(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without Numba a plain player stands in for strength 1 of Hearts."""
    assert strengths("hearts") == (0, 1, 2)
    assert roster.lowered("hearts") == ()
    monkeypatch.setattr("bots.recipe.available", lambda: False)
    assert (strengths("hearts"), withheld("hearts")) == ((0, 1), (2,))
    assert (roster.lowered("hearts"), roster.lowered("schnapsen")) == (
        ("strong",),
        ("medium", "strong"),
    )
    assert not roster.thinks_apart("hearts", 1)
    bot = make_bot("hearts", 1)
    assert bot.in_place
    assert not isinstance(bot, RandomBot)


def test_two_words_that_name_one_bot_are_known() -> None:
    """Two words that name one bot are found in games with two strengths, and not with three."""
    specs = [parse_spec(text) for text in ("easy", "medium", "medium:noise=1", "strong", "2", "s")]
    for game in ("hearts", "spades", "Agram2.rcy"):
        assert list(roster.same_words(game, specs)) == [
            f"medium and easy are the same bot of {game}"
        ]
    for game in ("black_queen", "whist", "schnapsen"):
        assert list(roster.same_words(game, specs)) == []


def test_bots_of_black_queen_stay_in_the_loop() -> None:
    """The first three bots of Black Queen need neither facts nor a process of their own."""
    bots: list[Bot] = [make_bot("black_queen", strength) for strength in range(3)]
    assert all(bot.in_place and not bot.needs_facts for bot in bots)


def test_random_moves_are_equally_likely() -> None:
    """Strength 0 plays each of its legal moves about equally often."""
    asked = position(played_at_random(4, 8, seed=1, share=0.0))
    rng = Random(5)
    tries = count(200) * len(asked.choices.actions)
    played = Counter(
        make_bot("black_queen", 0).choose(asked, Budget(), rng).action for _ in range(tries)
    )
    assert set(played) == set(asked.choices.actions)
    expected = tries / len(played)
    assert all(abs(times - expected) < 5 * expected**0.5 for times in played.values())


def test_random_picks_are_allowed() -> None:
    """From a pick a legal choice of every size is drawn."""
    choices = Choices(("wait",), (Pick("pass", ("2C", "3D", "3D", "AH"), 1, 3),))
    drawn = {random_action(choices, Random(seed)) for seed in range(300)}
    assert all(choices.allows(action) for action in drawn)
    assert "wait" in drawn
    assert {len(action.split()) - 1 for action in drawn if action != "wait"} == {1, 2, 3}
