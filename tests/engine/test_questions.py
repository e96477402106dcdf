"""The question put to a seat fits its choices, in every native game and rule set."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from engine import GAMES, Setup, Shuffler, seed_from_int
from engine.cards import suit_text
from engine.choices import Choices, random_action
from engine.phrases import Phrase
from engine.questions import prompt_of
from engine.recycle import load
from engine.recycle.games import description
from tests.protocol.everything_said import ways_to_play

NAMES = [info.id for info in GAMES]


def questions_of(game_id: str) -> Iterator[tuple[Any, int, Choices, Phrase]]:
    """Every question of some short matches: the state, the seat, its choices and the question."""
    game = GAMES.game(game_id)
    seats = game.info.usual_seats
    for seed, options in product(range(6), ways_to_play(game, seats)):
        rng = Random(seed)
        step = game.start(Setup(seats, options, Shuffler(seed_from_int(seed))))
        while asked := game.to_act(step.state):
            for seat in range(seats):
                prompt = prompt_of(game, step.state, seat)
                assert (prompt is not None) == (seat in asked)
                if prompt is not None:
                    yield step.state, seat, game.choices(step.state, seat), prompt
            action = random_action(game.choices(step.state, asked[0]), rng)
            step = game.apply(step.state, asked[0], action)
        assert prompt_of(game, step.state, 0) is None


@pytest.mark.parametrize("game", NAMES)
def test_the_question_fits_the_choices(game: str) -> None:
    """A seat is asked to bid where bids are offered, and to follow where only one suit is."""
    asked = set()
    for state, seat, choices, prompt in questions_of(game):
        verbs = {action.split(" ")[0] for action in choices.actions}
        cards = {action.split(" ")[1] for action in choices.actions if action.startswith("play")}
        trick, suit = state.deal.trick, prompt.args.get("suit")
        asked.add(prompt.code)
        match prompt.code:
            case "ask_bid" | "ask_bid_nil" | "ask_last_bid":
                assert verbs == {"bid"}
                assert ("bid 0" in choices.actions) or prompt.code != "ask_bid_nil"
                assert f"bid {prompt.args.get('bid')}" not in choices.actions
            case "ask_blind":
                assert verbs == {"look", "blind"}
            case "ask_pass":
                (pick,) = choices.picks
                assert prompt.args["count"] == pick.least == pick.most
                assert prompt.args["receiver"] != seat
            case "ask_lead":
                assert (trick, verbs - {"claim"}) == ((), {"play"})
            case "ask_lead_open":
                assert "close" in verbs
                assert prompt.args["marriage"] == ("marry" in verbs)
                assert prompt.args["exchange"] == ("exchange" in verbs)
            case "ask_lead_marriage":
                assert verbs - {"claim"} == {"play", "marry"}
            case "ask_follow" | "ask_beat":
                led = suit_text(trick[0])
                assert {card[1] for card in cards} == {led}
            case "ask_void" | "ask_trump":
                assert suit not in {card[1] for card in cards}
            case "ask_play":
                assert len(cards) == len(state.deal.hands[seat])
            case "must_lead_announced":
                assert cards == {prompt.args["card"]}
            case other:
                assert (other, verbs) == ("claim_or_pass", {"claim", "pass"})
    assert {"ask_lead", "ask_follow"} <= asked


def test_a_described_game_says_it_in_its_view() -> None:
    """A described game has no question, because its view has the prompt."""
    game = load(description("Golf4"), "Golf4")
    step = game.start(Setup(game.info.usual_seats, {}, Shuffler(seed_from_int(1))))
    (seat,) = game.to_act(step.state)[:1]
    assert prompt_of(game, step.state, seat) is None
