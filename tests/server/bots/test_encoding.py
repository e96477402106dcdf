"""What tables and bot workers send each other arrives as it was, or is refused."""

from contextlib import suppress
from dataclasses import replace
from functools import partial
from random import Random

import pytest

from bots import Budget, Candidate, Decision, position_of
from bots.review import Judgement, Worth
from engine import GAMES, Setup, Shuffler, complete_options
from engine.choices import random_action
from engine.facts import Fact, seen_by
from server.bots.encoding import (
    BadMessage,
    MoveRequest,
    Refusal,
    ReviewRequest,
    TextMissing,
    WorkerState,
    decode_answer,
    decode_bot,
    decode_request,
    decode_state,
    encode_answer,
    encode_bot,
    encode_request,
    encode_state,
)
from server.bots.thinking import BotQuestion
from tests.counts import count
from tests.server.bots.test_described_bots import SOURCE, request
from tests.server.bots.test_judging import question as decision_to_judge


def nothing(digest: str) -> None:
    """Of no digest is the text known."""


@pytest.mark.parametrize("game", [info.id for info in GAMES])
def test_a_question_arrives_as_it_was(game: str) -> None:
    """View, choices, options and facts of any game, at any point of a match."""
    rules, rng = GAMES.game(game), Random(game)
    seats = rules.info.seats[0]
    options = complete_options(rules, seats, {})
    step = rules.start(Setup(seats, options, Shuffler(rng.randbytes(32))))
    facts = {seat: [*seen_by(step.facts, seat)] for seat in range(seats)}
    for _ in range(count(30)):
        if not (asked := rules.to_act(step.state)):
            break
        position = position_of(rules, step.state, asked[0], options, tuple(facts[asked[0]]))
        question = BotQuestion(3, position, rng.randbytes(32), Budget(samples=9), lane="K7QX")
        sent = MoveRequest(question, hint=rng.random() < 0.5, seconds=2.5)
        assert decode_request(encode_request(sent, with_text=False), nothing) == sent
        action = random_action(position.choices, rng)
        step = rules.apply(step.state, asked[0], action)
        for seat, known in facts.items():
            told: tuple[Fact, ...] = tuple(seen_by(step.facts, seat))
            known += told


def test_a_decision_to_judge_arrives_as_it_was() -> None:
    """With what its seat knew then."""
    sent = ReviewRequest(decision_to_judge(), 60.0)
    assert decode_request(encode_request(sent, with_text=False), nothing) == sent


def test_the_text_of_a_game_comes_along_or_is_known() -> None:
    """It is believed only if it is the one that the game's id names."""
    sent = MoveRequest(request(1), False, 5.0)
    whole, short = (encode_request(sent, with_text=with_text) for with_text in (True, False))
    assert decode_request(whole, nothing) == sent
    assert decode_request(short, lambda digest: SOURCE.text) == sent
    with pytest.raises(TextMissing):
        decode_request(short, nothing)
    other = replace(sent.question, source=SOURCE._replace(text="another"))
    with pytest.raises(BadMessage):
        decode_request(encode_request(replace(sent, question=other), with_text=True), nothing)


@pytest.mark.parametrize(
    "answer",
    [
        Decision("play 2C", (Candidate("play 2C", 0.5, {"mean": -1.5}),), "mean", "lead", "mean"),
        Judgement(1, 2, 3, "play 2C", "play 3C", Worth(1.0, 0.5), None, Worth(0.0, 0.0)),
        Refusal.FAILED,
    ],
    ids=lambda answer: type(answer).__name__,
)
def test_an_answer_arrives_as_it_was(answer: Decision | Judgement | Refusal) -> None:
    """With all reasons of a hint."""
    assert decode_answer(encode_answer(answer)) == answer


def test_what_a_worker_says_of_itself_arrives_as_it_was() -> None:
    """So does the name of a bot that tables wait for."""
    state = WorkerState((("hearts", 2),), (("whist", 3, 4.5),), (("spades", 1),), 4, 8, ("d",), 1)
    assert decode_state(encode_state(state)) == state
    assert decode_bot(encode_bot(("hearts", 2))) == ("hearts", 2)


def test_what_nobody_made_is_refused() -> None:
    """Cut, changed or of another kind: it never raises anything else."""
    rng = Random(1)
    question = encode_request(MoveRequest(request(1), True, 5.0), with_text=True)
    answer = encode_answer(Decision("play 2C"))
    wrong = [b"", question[:-1], answer[:-1], encode_bot(("hearts", 2)), b"\xc1", b"\x92\xa1a\x01"]
    for _ in range(count(200)):
        changed = bytearray(question)
        changed[rng.randrange(60)] = rng.randrange(256)
        wrong.append(bytes(changed))
    for data in wrong:
        for read in (decode_answer, decode_state, partial(decode_request, text_of=nothing)):
            # What was changed may have been a letter of a name.
            with suppress(BadMessage, TextMissing):
                read(data)
