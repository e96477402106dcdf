"""A bot's decision as a hint: its move, the reason in a sentence, and its alternatives.

Every number in it has a unit, which the phrase of its measure names.
"""

from collections.abc import Mapping, Sequence
from math import isfinite

from bots import Candidate, Decision, Measure
from engine.facts import Value
from engine.phrases import Phrase
from protocol import to_client
from protocol.texts.catalogue import english
from protocol.to_client import HintAnswer
from protocol.wire_form import WireForm, wire_form

_CODES: Mapping[Measure, str] = {
    "lead": "hint_lead",
    "team_lead": "hint_team_lead",
    "team_gain": "hint_team_gain",
    "trick_lead": "hint_trick_lead",
    "score": "hint_score",
    "cost": "hint_cost",
    "chance": "hint_chance",
    "rank": "hint_rank",
    "votes": "hint_votes",
}
"""The phrases that compare two moves."""
_NEGATIVE: Mapping[Measure, str] = {
    "lead": "hint_behind",
    "team_lead": "hint_team_behind",
    "team_gain": "hint_team_loss",
    "trick_lead": "hint_trick_behind",
}
"""Those for a best move whose figure is negative; they are told figures without the sign."""
_ALONE: Mapping[Measure, str] = {
    "tricks": "hint_tricks",
    "needed": "hint_needed",
    "nil_risk": "hint_nil",
    "far_behind": "hint_far_behind",
}
"""The phrases of rules of thumb, which look at one figure and compare no moves."""
_SHARES: tuple[Measure, ...] = ("chance", "rank", "votes", "nil_risk")
"""What is from 0 to 1, and told as so many in 100."""


def hint_message(
    table: str,
    turn: int,
    decision: Decision,
    strength: int,
    *,
    seats: int,
    weaker: bool = False,
    seconds: int | None = None,
) -> WireForm:
    """Return the message of a decision, without the number of the command that it answers.

    Its candidates are in the order in which the bot, of that `strength`, prefers them. It is
    `weaker` than the strong bot of the game, which usually gives hints and is ready in about this
    many `seconds`, if it is being prepared.
    """
    told = [
        to_client.Candidate(action=each.action, value=each.value, why=dict(each.why))
        for each in _ranked(decision)
        # A move that could not be tried has no value that a message could hold.
        if isfinite(each.value)
    ]
    hint: WireForm = wire_form(
        HintAnswer(
            id=0,
            table=table,
            turn=turn,
            action=decision.action,
            candidates=tuple(told),
            phrase=hint_phrase(decision, seats, None if not weaker else strength),
            strength=strength,
            weaker=weaker,
            seconds=seconds,
            titles=_titles(told),
        )
    )
    return hint


def _titles(candidates: Sequence[to_client.Candidate]) -> dict[str, str]:
    """Return the titles of the candidates' figures."""
    kinds = dict.fromkeys(name.partition("/")[0] for each in candidates for name in each.why)
    titles = english().figures
    return {kind: titles[kind] for kind in kinds if kind in titles}


def hint_phrase(decision: Decision, seats: int, weaker: int | None = None) -> Phrase:
    """Return the recommendation, with its figure and that of the next best move.

    `weaker` is the strength of a bot that is not the strong one of the game.
    """
    move: dict[str, Value] = {"move": decision.action}
    alone = Phrase("hint", move)
    if weaker is not None:
        alone = Phrase("hint_weaker", {**move, "strength": weaker})
    best, *others = _ranked(decision) or (Candidate(decision.action, 0.0),)
    measure = decision.measure
    if measure in _ALONE and isfinite(best.value):
        return Phrase(_ALONE[measure], {**move, "value": _rounded(best, decision)})
    if not _is_weighed(best):
        return alone
    others = [each for each in others if _is_weighed(each)]
    # Equal moves, such as touching cards, explain nothing, and a move that was given up early may
    # look better than it is.
    value = _figure(best, decision)
    good = -1 if measure == "cost" else 1
    worse = [each for each in others if good * _figure(each, decision) < good * value]
    if not worse:
        return Phrase("hint_equal", move) if others else alone
    if measure == "worth":
        return Phrase("hint_better", {**move, "other": worse[0].action})
    # Who beats the only other player wins.
    code = _CODES["chance" if measure == "rank" and seats == 2 else measure]
    less = _figure(worse[0], decision)
    if value < 0 and measure in _NEGATIVE:
        code, value, less = _NEGATIVE[measure], -value, -less
    figures = _figures(value, less)
    told = {**move, "value": figures[0], "other": worse[0].action, "less": figures[1]}
    return Phrase(code, told)


def _ranked(decision: Decision) -> list[Candidate]:
    """Rank the candidates by the bot's measure, the recommended one first."""

    def rank(candidate: Candidate) -> tuple[bool, float, float]:
        chosen = candidate.action == decision.action
        by = candidate.value if decision.by == "value" else candidate.why.get(decision.by, 0.0)
        return chosen, by, candidate.value

    return sorted(decision.candidates, key=rank, reverse=True)


def _is_weighed(candidate: Candidate) -> bool:
    """Whether the bot has rated a move; it need not if there is nothing to choose."""
    return isfinite(candidate.value) and any((candidate.value, *candidate.why.values()))


def _figure(candidate: Candidate, decision: Decision) -> float:
    """Return a candidate's figure for the message: its measure, a share in percent."""
    figure = candidate.why.get(decision.figure, candidate.value)
    return figure * (100 if decision.measure in _SHARES else 1)


def _rounded(candidate: Candidate, decision: Decision) -> int | str:
    """Round a figure: tricks to one digit, everything else to whole numbers from 0."""
    figure = _figure(candidate, decision)
    return f"{figure:.1f}" if decision.measure == "tricks" else max(round(figure), 0)


def _figures(value: float, less: float) -> tuple[int | str, int | str]:
    """Format both numbers with as few digits as make them differ."""
    if round(value) != round(less):
        return round(value), round(less)
    digits = 1 if round(value, 1) != round(less, 1) else 2
    return f"{value:.{digits}f}", f"{less:.{digits}f}"
