"""`blackqueen bot --check`: tries an engine out, and tells its author what is wrong with it.

The engine gets the questions that a table would ask, without a server: one seat of a match of each
game, in which all others play at random.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from time import perf_counter

from blackqueen.bot.engine import EngineDied, EngineHung, WrongAnswer, running_engine
from blackqueen.client import Turn
from bots.command_line import telling
from engine.catalogue import GAMES, AnyGame
from engine.choices import random_action
from engine.facts import AddressedFact, Fact, seen_by
from engine.game import Setup, complete_options
from engine.shuffle import Shuffler, seed_from_int
from protocol.exits import EngineFailed, Exit
from protocol.playing import illegal
from protocol.safe_text import say

QUESTIONS = 40
"""How many questions of each game an engine is asked."""
_SEAT = 0
_PICKS = (
    "The choices are a pattern here: the field `picks`, not `actions` (docs/protocol.md, Moves)."
)
_FLUSH = "Is the answer flushed? In C: fflush(stdout). In Python: print(…, flush=True)."
_LOOP = "An engine answers line after line, until its input ends."


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of trying one game: the seconds of each answer, and what went wrong if so."""

    seconds: tuple[float, ...]
    failure: EngineFailed | None = None
    turn: Turn | None = None
    lingers: bool = False


async def check(words: Sequence[str], seconds: float, games: Sequence[str], seed: int) -> Exit:
    """Try an engine out at these games, and report the results, one or more lines each.

    Only the first question at which it failed is shown: one fills a screen, and often they fail for
    one reason.
    """
    well = True
    question = ""
    for game in games:
        rules = GAMES.game(game)
        questions = Questions(rules, Random(f"{seed}/{game}"))
        with telling(questions.progress, sys.stderr):
            trial = await _trial(words, seconds, questions)
        say(*_report(rules.info.title, trial), flush=True)
        well = well and trial.failure is None and not trial.lingers
        if not question and trial.failure is not None and trial.turn is not None:
            question = f"The question of {rules.info.title} was: {trial.turn.to_json()}"
    if question:
        say(question)
    say("This engine can play." if well else "This engine needs work.", flush=True)
    return Exit.DONE if well else Exit.ENGINE_FAILED


async def _trial(words: Sequence[str], seconds: float, questions: "Questions") -> Trial:
    """Ask one process of the engine about one game."""
    spent: list[float] = []
    async with running_engine(words, seconds) as engine:
        for turn in questions:
            began = perf_counter()
            try:
                action = await engine.choose(turn)
                if not turn.choices.allows(action):
                    raise EngineFailed(str(illegal(action, turn.choices)))
            except EngineFailed as failure:
                return Trial(tuple(spent), failure, turn)
            spent.append(perf_counter() - began)
            questions.answer = action
        return Trial(tuple(spent), lingers=not await engine.end())


class Questions:
    """The questions to one seat of a match; set `answer` to a legal one before the next."""

    def __init__(self, rules: AnyGame, rng: Random) -> None:
        self.answer = ""
        self._asked = 0
        self._rules = rules
        self._rng = rng
        self._facts: tuple[Fact, ...] = ()

    def progress(self) -> str:
        """The progress so far, for a person who waits."""
        return f"{self._rules.info.title}: question {self._asked} of {QUESTIONS}"

    def __iter__(self) -> Iterator[Turn]:
        rules, rng = self._rules, self._rng
        seats = rules.info.usual_seats
        options = complete_options(rules, seats, {})
        step = rules.start(Setup(seats, options, Shuffler(seed_from_int(rng.getrandbits(63)))))
        self._see(step.facts)
        number = 0
        while self._asked < QUESTIONS and (to_act := rules.to_act(step.state)):
            number += 1
            for seat in to_act:
                choices = rules.choices(step.state, seat)
                if seat == _SEAT:
                    self._asked += 1
                    yield Turn(
                        table="CHECK",
                        game=rules.info.id,
                        match=1,
                        number=number,
                        seat=seat,
                        names=("you", *(f"player {other}" for other in range(1, seats))),
                        options=options,
                        choices=choices,
                        view=rules.view(step.state, seat),
                        facts=self._facts,
                        legend=rules.info.legend,
                    )
                action = self.answer if seat == _SEAT else random_action(choices, rng)
                step = rules.apply(step.state, seat, action)
                self._see(step.facts)

    def _see(self, facts: Sequence[AddressedFact]) -> None:
        """Add the facts told to the seat; a new deal starts anew."""
        for fact in seen_by(facts, _SEAT):
            self._facts = (fact,) if fact.verb == "deal_started" else (*self._facts, fact)


def _report(title: str, trial: Trial) -> Iterator[str]:
    answered = f"{len(trial.seconds)} answers"
    if trial.seconds:
        answered += f", the slowest after {max(trial.seconds) * 1000:.0f} ms"
    if trial.failure is None or trial.turn is None:
        yield f"{title}: {answered}."
        if trial.lingers:
            yield "  It does not end when its input ends, and had to be ended."
        return
    yield f"{title}: {answered}. Then: {trial.failure}"
    if advice := _advice(trial):
        yield f"  {advice}"


def _advice(trial: Trial) -> str:
    """Advice about what the engine's author may have overlooked."""
    assert trial.turn is not None, "an engine fails at a question"
    if isinstance(trial.failure, EngineHung):
        return _FLUSH
    if not trial.turn.choices.actions and not isinstance(trial.failure, WrongAnswer):
        return _PICKS
    return _LOOP if isinstance(trial.failure, EngineDied) and trial.seconds else ""
