"""A described game is a `Game`: facts fold to views, samples agree, texts are moves."""

from random import Random

import pytest

from engine import OPEN, Match, Setup, Shuffler, View, Zone, fold, seed_from_int
from engine.choices import random_action
from engine.errors import BadAction, BadSetup, IllegalAction, NotYourTurn
from engine.facts import SPECTATOR, Fact, seen_by
from engine.recycle.state import freeze
from engine.titles import title_of
from engine.unseen import NoDeal
from tests.engine.recycle.running.playing import SETUP, WORTH, described, follow, setup

MIXED = """(setup (create players 3)
  (create deck RED (game hloc STOCK) (deck (RANK (A, TWO, THREE, FOUR)) (SUIT (CLUBS, HEARTS))))
  (create deck BLUE (game hloc STOCK)
          (deck (RANK (A, TWO, THREE, FOUR)) (SUIT (CLUBS, HEARTS)))))"""
STOCK = "(game hloc STOCK)"
HIDDEN = SETUP.replace("vloc", "hloc")
PLAY = "(stage player once (choice ((any ((current player) iloc HAND) 'C (move 'C {})))))"
DEAL = (
    f"(do ({WORTH} (shuffle {STOCK}) (all player 'P (repeat 2 (move (top {STOCK}) (top"
    " ('P iloc HAND)))))))"
)
RICH = (
    DEAL,
    PLAY.format("(bottom (game vloc T))"),
    f"(do ((shuffle {STOCK}) (shuffle (game vloc T)) (remember (top (game vloc T)) (top"
    " (game mem M)))"
    " (repeat all (move (top (game vloc T)) (top (game hloc GONE))))))",
    "(stage player simultaneous (choice ((any ((current player) iloc HAND) 'C"
    " (do ((move 'C (top ((current player) oloc SHOWN)))"
    " (set ((current player) sto BID) (score 'C using (game points WORTH)))"
    " (set (game str (cardatt RANK 'C)) (cardatt SUIT 'C))))))))",
    "(do ((swap (game vloc T) (game hloc GONE)) (move (top (game vloc T)) (bottom (game vloc T)))"
    " (move (top (game vloc T)) (top (game vloc PILE (+ 1 1))))"
    " (create teams (1, 2)) (cycle next (3 player)) (turn pass)))",
    "(choice ((move (top (game vloc T)) (top ((current player) iloc HAND)))"
    f" (move (top {STOCK}) (bottom ((next player) iloc HAND)))))",
    f"(do ((create deck {STOCK} (deck (RANK (A))))))",
    "(choice ((turn pass) (move (top (game vloc NONE)) (top (game vloc T)))))",
)
"""Everything that facts have to tell."""


@pytest.mark.parametrize("where", [HIDDEN, MIXED])
@pytest.mark.parametrize("seed", range(6))
def test_facts_fold_to_views_and_samples_agree(where: str, seed: int) -> None:
    """Facts fold to views and samples agree for every kind of pile, value, change and back."""
    game = described(*RICH, setup=where)
    state = follow(game, seed)
    assert game.outcome(state) is not None


def test_cards_are_conserved() -> None:
    """The open view always has every card of the decks that were made."""
    game = described(*RICH, setup=HIDDEN)
    state = follow(game, 1)
    view = game.view(state, OPEN)
    assert sum(map(len, view.zones.values())) == 9
    assert all(not zone.backs for zone in view.zones.values())


def test_who_sees_what() -> None:
    """All see vloc and mem, the owner iloc, nobody hloc, and all but the owner oloc."""
    piles = ("vloc V", "iloc I", "hloc H", "oloc O")
    moves = " ".join(f"(move (top {STOCK}) (top ((1 player) {pile})))" for pile in piles)
    more = f"(move (top {STOCK}) (top (game iloc TI)))"
    more += f" (move (top {STOCK}) (top (game oloc TO)))"
    game = described(f"(do ({moves} {more}))", "(choice ((turn pass)))", setup=HIDDEN)
    state = game.start(setup(game)).state
    seen = {
        viewer: {name for name, zone in game.view(state, viewer).zones.items() if zone.cards}
        for viewer in (SPECTATOR, 0, 1)
    }
    assert seen[SPECTATOR] == {"v/0"}
    assert seen[0] == {"v/0", "i/0", "to"}
    assert seen[1] == {"v/0", "o/0", "to"}


def test_moves_are_checked() -> None:
    """A text that is no move, a move not on offer and a wrong player give different errors."""
    game = described(*RICH, setup=HIDDEN)
    state = game.start(setup(game)).state
    with pytest.raises(NotYourTurn):
        game.apply(state, 1, game.choices(state, 0).actions[0])
    with pytest.raises(BadAction):
        game.apply(state, 0, "Play  QS")
    with pytest.raises(IllegalAction):
        game.apply(state, 0, "play QS")
    assert not game.choices(state, 1)
    with pytest.raises(BadSetup):
        game.options(2)


def test_hidden_faces_are_not_told() -> None:
    """The player of a hidden card sees its face in the action; the others see its source."""
    game = described(DEAL, PLAY.format("(top (game hloc GONE))"), setup=HIDDEN)
    state = game.start(setup(game)).state
    action = game.choices(state, 0).actions[0]
    facts = game.apply(state, 0, action).facts
    words = {
        viewer: [fact.args["action"] for fact in seen_by(facts, viewer) if "action" in fact.args]
        for viewer in (0, 1, SPECTATOR)
    }
    assert words == {0: [action], 1: ["play to gone"], SPECTATOR: ["play to gone"]}


def test_unseen_choices_are_told_when_all_have_chosen() -> None:
    """Others see only that a player chose until all have chosen; the player sees their choice."""
    game = described(DEAL, RICH[3], setup=HIDDEN)
    state = game.start(setup(game)).state
    assert game.to_act(state) == (0, 1, 2)
    step = game.apply(state, 1, game.choices(state, 1).actions[1])
    assert game.to_act(step.state) == (0, 2)
    assert game.view(step.state, 1).values["play/chosen"] == (1, 1)
    assert "play/chosen" not in game.view(step.state, 0).values
    step = game.apply(step.state, 2, game.choices(step.state, 2).actions[0])
    step = game.apply(step.state, 0, game.choices(step.state, 0).actions[0])
    for viewer in (SPECTATOR, 0):
        facts = seen_by(step.facts, viewer)
        assert [each.args["seat"] for each in facts if each.verb == "option_taken"] == [0, 1, 2]
    assert "play/chosen" not in game.view(step.state, 1).values


def test_a_stop_is_told_to_everybody() -> None:
    """The reason and the place of a stop are told to everybody, and stay in the view."""
    game = described(f"(choice ((move (top (game vloc NONE)) (top {STOCK}))))", setup=HIDDEN)
    state = game.start(setup(game)).state
    assert game.choices(state, 0).actions == ("go on",)
    step = game.apply(state, 0, "go on")
    stopped = [dict(fact.args) for fact in step.facts if fact.verb == "game_stopped"]
    assert stopped == [{"reason": "there is no card to move", "line": 6, "column": 10}]
    assert (
        game.view(step.state, 2).values["stopped"] == "line 6, column 10: there is no card to move"
    )


def test_worlds_go_the_same_way() -> None:
    """The fast and the checked way of playing give equal tables for equal options."""
    game = described(*RICH, setup=HIDDEN)
    for seed in range(5):
        rng = Random(seed)
        state = game.start(setup(game, seed)).state
        world = game.world(state)
        while state.asked:
            seat = state.asked[0]
            actions = game.choices(state, seat).actions
            index = rng.randrange(len(actions))
            assert (world.seat, world.count) == (seat, len(actions))
            state = game.apply(state, seat, actions[index]).state
            world.play(index)
            assert freeze(world.clone(), state.setup) == state
        assert (world.seat, world.count) == (-1, 0)


def test_options_that_are_drawn_stay_the_same() -> None:
    """Options that depend on random draws are, when chosen, those that were offered."""
    bid = "(any (range 1 .. (random 1 .. 9)) 'N (set (game sto X) (+ 'N (random 90))))"
    game = described(f"(stage player once (choice ({bid})))", setup=HIDDEN)
    offered = set()
    for seed in range(12):
        state = game.start(setup(game, seed)).state
        world = game.world(state)
        for _ in range(3):
            actions = game.choices(state, state.asked[0]).actions
            assert game.world(state).count == world.count == len(actions)
            offered.add(len(actions))
            state = game.apply(state, state.asked[0], actions[-1]).state
            world.play(len(actions) - 1)
            assert world.state.values == game.world(state).state.values
    assert len(offered) > 4


def test_a_match_of_several_deals() -> None:
    """The option `deals` sets how many deals a match has."""
    game = described(DEAL, PLAY.format("(top (game vloc T))"), setup=HIDDEN)
    match = Match(game)
    step = match.start(Setup(3, {"deals": 2}, Shuffler(seed_from_int(1))))
    rng, moves = Random(1), 0
    while asked := match.to_act(step.state):
        view = match.view(step.state, asked[0])
        assert match.view(match.sample(view, (), rng), asked[0]) == view
        action = random_action(match.choices(step.state, asked[0]), rng)
        step = match.apply(step.state, asked[0], action)
        moves += 1
    assert moves == 6


def test_known_cards_stay_where_they_are() -> None:
    """A card that was seen to enter a hidden pile lies there in every sample."""
    hide = "(move 'C (top (game hloc GONE)))"
    game = described(
        DEAL,
        "(stage player once (choice ((any ((current player) iloc HAND) 'C " + hide + "))))",
        "(do ((repeat all (move (top (game hloc GONE)) (top (game hloc FAR))))))",
        "(choice ((turn pass)))",
        setup=HIDDEN,
    )
    step = game.start(setup(game))
    facts: tuple[Fact, ...] = ()
    mine = ""
    for _ in range(3):
        facts += seen_by(step.facts, 1)
        seat = step.state.asked[0]
        action = game.choices(step.state, seat).actions[0]
        mine = action.split()[1] if seat == 1 else mine
        step = game.apply(step.state, seat, action)
    facts += seen_by(step.facts, 1)
    sampler = game.sampler(game.view(step.state, 1), facts)
    piles = []
    for seed in range(12):
        far = game.view(freeze(sampler.world(Random(seed)), step.state.setup), OPEN).cards("far")
        assert mine in far
        piles.append(far)
    assert len(set(piles)) > 3


def test_views_that_contradict_themselves() -> None:
    """Views that show a card twice, or whose places do not fit the unseen cards, are refused."""
    game = described(DEAL, PLAY.format("(top (game vloc T))"), setup=HIDDEN)
    step = game.start(setup(game))
    view = game.view(step.state, 0)
    zones = dict(view.zones)
    zones["t"] = zones["hand/0"]
    with pytest.raises(NoDeal):
        game.sampler(View(zones, view.values), ())
    del zones["t"]
    with pytest.raises(NoDeal):
        game.sampler(View({**view.zones, "stock": view.zones["t"]}, view.values), ())


@pytest.mark.parametrize(
    "condition", ["(> (size (game vloc T)) 0)", "(== (// 1 (size (game vloc T))) 1)"]
)
def test_a_view_in_which_nobody_can_go_on(condition: str) -> None:
    """A view in which no deal of the hidden cards leaves a choice has no sample."""
    move = f"(do ((move (top {STOCK}) (top (game vloc T)))))"
    game = described(move, f"(choice (({condition} (turn pass))))", setup=HIDDEN)
    view = game.view(game.start(setup(game)).state, 0)
    assert game.sampler(view, ()).world(Random(1)).count == 1
    zones = {"stock": Zone(backs=8), "t": Zone()}
    with pytest.raises(NoDeal):
        game.sampler(View(zones, view.values), ()).world(Random(1))


def test_a_sample_leaves_everybody_who_chooses_unseen_something() -> None:
    """Samples of a simultaneous choice leave every player with an option."""
    deal = f"(do ((all player 'P (repeat 2 (move (top {STOCK}) (top ('P iloc HAND)))))))"
    hearts = "(filter ((current player) iloc HAND) 'C (== (cardatt SUIT 'C) HEARTS))"
    play = f"(any {hearts} 'C (move 'C (top ((current player) vloc SHOWN))))"
    game = described(deal, f"(stage player simultaneous (choice ({play})))", setup=HIDDEN)
    step = game.start(setup(game))
    view, facts = game.view(step.state, 0), seen_by(step.facts, 0)
    for seed in range(20):
        sample = game.sample(view, facts, Random(seed))
        assert all(game.choices(sample, seat) for seat in range(3))


def test_cards_that_move_within_a_pile() -> None:
    """Changes within a visible pile are told by showing the whole pile."""
    swap = "(swap (top (game vloc T)) (bottom (game vloc T)))"
    turn = "(move (bottom (game vloc T)) (top (game vloc T)))"
    fill = f"(do ((repeat 4 (move (top {STOCK}) (top (game vloc T))))))"
    game = described(fill, f"(choice ({swap} {turn}))", setup=HIDDEN)
    start = game.start(setup(game))
    for action, lying in zip(
        game.choices(start.state, 0).actions, ("3C 4C 3H 4H", "4C 3H 3C 4H"), strict=True
    ):
        step = game.apply(start.state, 0, action)
        view = fold(seen_by((*start.facts, *step.facts), SPECTATOR))
        assert view == game.view(step.state, SPECTATOR)
        assert view.cards("t") == tuple(lying.split())


@pytest.mark.parametrize(
    ("name", "title"),
    [("Hearts4", "Hearts"), ("CrazyEights4", "Crazy Eights"), ("LAMA3", "LAMA"), ("7", "7")],
)
def test_titles(name: str, title: str) -> None:
    """A game's title is its file name without the number of players."""
    assert title_of(name) == title
