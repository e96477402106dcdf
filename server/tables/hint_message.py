"""A bot's decision as a hint: its move, the reason in a sentence, and what it weighed."""

from collections.abc import Mapping
from math import isfinite

from bots import Candidate, Decision, Measure
from engine.facts import Value
from engine.phrases import Phrase
from protocol import to_client
from protocol.to_client import HintAnswer
from protocol.wire_form import WireForm, wire_form

_CODES: Mapping[Measure, str] = {
    "worth": "hint_worth",
    "lead": "hint_lead",
    "team_lead": "hint_team_lead",
    "score": "hint_score",
    "chance": "hint_chance",
    "tricks": "hint_tricks",
}
"""The phrases that compare two moves; of tricks one figure alone is told."""
_BEHIND: Mapping[Measure, str] = {"lead": "hint_behind", "team_lead": "hint_team_behind"}
"""Those for a best move that leaves the player behind; their figures are positive."""


def hint_message(table: str, turn: int, decision: Decision, strength: int) -> WireForm:
    """The message that shows a decision, without the number of the command that it answers.

    Its candidates come in the order in which the bot, of that `strength`, prefers them.
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
            phrase=hint_phrase(decision),
            strength=strength,
        )
    )
    return hint


def hint_phrase(decision: Decision) -> Phrase:
    """The recommendation, with what it comes to and what the next best move would."""
    move: dict[str, Value] = {"move": decision.action}
    best, *others = _ranked(decision) or (Candidate(decision.action, 0.0),)
    if not _is_weighed(best):
        return Phrase("hint", move)
    if decision.measure == "tricks":
        return Phrase(_CODES["tricks"], {**move, "value": f"{best.value:.1f}"})
    others = [each for each in others if _is_weighed(each)]
    # Equal moves, such as touching cards, explain nothing, and a move that was given up early may
    # look better than it is.
    worse = [each for each in others if _mean(each) < _mean(best)]
    if not worse:
        return Phrase("hint_equal" if others else "hint", move)
    code = _CODES[decision.measure]
    value, less = (_figure(each, decision) for each in (best, worse[0]))
    if value < 0 and decision.measure in _BEHIND:
        code, value, less = _BEHIND[decision.measure], -value, -less
    figures = _figures(value, less)
    told = {**move, "value": figures[0], "other": worse[0].action, "less": figures[1]}
    return Phrase(code, told)


def _ranked(decision: Decision) -> list[Candidate]:
    """The candidates by what the move was chosen by, the recommended one first."""

    def rank(candidate: Candidate) -> tuple[bool, float, float]:
        chosen = candidate.action == decision.action
        by = candidate.value if decision.by == "value" else candidate.why.get(decision.by, 0.0)
        return chosen, by, candidate.value

    return sorted(decision.candidates, key=rank, reverse=True)


def _is_weighed(candidate: Candidate) -> bool:
    """Whether the bot has judged a move; it need not if there is nothing to choose."""
    return isfinite(candidate.value) and any((candidate.value, *candidate.why.values()))


def _mean(candidate: Candidate) -> float:
    return candidate.why.get("mean", candidate.value)


def _figure(candidate: Candidate, decision: Decision) -> float:
    """What is told of a candidate: its mean, a chance in percent."""
    return _mean(candidate) * (100 if decision.measure == "chance" else 1)


def _figures(value: float, less: float) -> tuple[int | str, int | str]:
    """Both numbers, with as few digits as tell them apart."""
    if round(value) != round(less):
        return round(value), round(less)
    digits = 1 if round(value, 1) != round(less, 1) else 2
    return f"{value:.{digits}f}", f"{less:.{digits}f}"
