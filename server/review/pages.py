"""Reviews in their sent and stored forms."""

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bots.review import Judgement, Summary, Worth, summarize
from engine.choices import Action, Choices
from engine.facts import Value
from engine.phrases import Phrase
from protocol.to_client import Odds, OpenDeal, Points, ReviewedMove, ReviewSummary, TurningPoint
from protocol.wire_form import WireForm, wire_form
from server.review.decisions import ReviewedDecision


class JudgedDecision(NamedTuple):
    """A decision with the bot's analysis of it."""

    decision: ReviewedDecision
    judgement: Judgement


def move_form(judged: JudgedDecision) -> WireForm:
    """Return a decision in its sent form."""
    (seq, _, moment), judgement = judged
    choices = moment.position.choices
    form: WireForm = wire_form(
        ReviewedMove(
            entry=seq,
            deal=judgement.deal,
            move=judgement.move,
            trick=judgement.trick,
            action=judgement.action,
            best=judgement.best,
            text=_words(choices, judgement.action),
            best_text=_words(choices, judgement.best),
            equal=judgement.agrees and judgement.action != judgement.best,
            worth=_points(judgement.worth),
            given_away=_points(judgement.given_away),
            ahead=_points(judgement.ahead),
            phrase=move_phrase(judgement),
            known=_known(judgement),
            lay=_lay(judgement, choices),
        )
    )
    return form


def summary_form(judged: Sequence[JudgedDecision], left_out: int) -> WireForm:
    """Return the summary of a complete review in its sent form."""
    summary = summarize([each.judgement for each in judged])
    turns = tuple(
        TurningPoint(at=turn.at, change=Points(points=turn.change.points, error=turn.change.error))
        for turn in summary.turns
    )
    form: WireForm = wire_form(
        ReviewSummary(
            decisions=summary.decisions,
            agreed=summary.agreed,
            weighed=summary.weighed,
            left_out=left_out,
            given_away=_points(summary.given_away),
            worst=summary.worst,
            best=summary.best,
            turns=turns,
            phrases=tuple(_sentences(summary, judged, left_out)),
        )
    )
    return form


def move_phrase(judgement: Judgement) -> Phrase:
    """Compare a decision with that of the bot, in a sentence."""
    told: dict[str, Value] = {**_place(judgement), "move": judgement.action}
    if judgement.action == judgement.best:
        return Phrase("review_same", told)
    told["other"] = judgement.best
    if judgement.agrees:
        return Phrase("review_equal", told)
    if judgement.given_away is None:
        return Phrase("review_other", told)
    return Phrase("review_worse", {**told, "points": _figure(judgement.given_away)})


def _known(judgement: Judgement) -> Odds | None:
    """Return the first column of a decision: how often its moves were best, by what one knew."""
    if judgement.shares is None:
        return None
    share, best = judgement.shares
    told: dict[str, Value] = {"move": judgement.action, "percent": round(100 * share)}
    code = "review_share"
    if judgement.action != judgement.best:
        code = "review_shares"
        told |= {"other": judgement.best, "others": round(100 * best)}
    return Odds(share=round(share, 3), best_share=round(best, 3), phrase=Phrase(code, told))


def _lay(judgement: Judgement, choices: Choices) -> OpenDeal | None:
    """Return the second column of a decision: where its moves stand with all hands open."""
    if judgement.places is None:
        return None
    place, bots, moves, best = judgement.places
    is_same = judgement.action == judgement.best
    told: dict[str, Value] = {
        "move": judgement.action,
        "other": best if is_same else judgement.best,
    }
    if place == bots == 1:
        code = "review_deal_best" if is_same else "review_deal_equal"
    else:
        code = "review_deal_place" if is_same or bots == 1 else "review_deal_places"
        told |= {"rank": place, "moves": moves}
    if code == "review_deal_best":
        del told["other"]
    if code == "review_deal_places":
        told["others"] = bots
    return OpenDeal(
        place=place,
        best_place=bots,
        moves=moves,
        best=best,
        best_text=_words(choices, best),
        phrase=Phrase(code, told),
    )


def _sentences(
    summary: Summary, judged: Sequence[JudgedDecision], left_out: int
) -> Iterator[Phrase]:
    """Return the sentences of a complete review's summary."""
    counts: dict[str, Value] = {"agreed": summary.agreed, "decisions": summary.decisions}
    if not summary.decisions:
        yield Phrase("review_nothing")
    elif summary.given_away is None:
        yield Phrase("review_moves", counts)
    else:
        yield Phrase("review_total", {**counts, "points": _figure(summary.given_away)})
    for at, code in ((summary.worst, "review_worst"), (summary.best, "review_best")):
        if at is not None:
            one = judged[at].judgement
            worth = one.given_away if code == "review_worst" else one.ahead
            place = _place(one)
            del place["nth"]
            assert worth is not None, "it was the greatest of those that are known"
            yield Phrase(code, {**place, "move": one.action, "points": _figure(worth)})
    for turn in summary.turns:
        change = _figure(turn.change, sign="+")
        yield Phrase("review_turn", {**_place(judged[turn.at].judgement), "points": change})
    if left_out:
        yield Phrase("review_left_out", {"count": left_out})


def _place(judgement: Judgement) -> dict[str, Value]:
    """Return the place in the match at which a decision was made."""
    return {"deal": judgement.deal, "trick": judgement.trick, "nth": judgement.move}


def _figure(worth: Worth, sign: str = "") -> str:
    """Return points with their error, if they have any."""
    points = f"{worth.points:{sign}.1f}"
    return f"{points} ± {worth.error:.1f}" if worth.error else points


class StoredReview(NamedTuple):
    """A complete review as it is stored: its sent form, and the bot that judged."""

    strength: int
    moves: list[WireForm]
    summary: WireForm

    def text(self) -> str:
        """Return the stored form of the review."""
        return json.dumps(self._asdict(), separators=(",", ":"))


def made_of(text: str) -> StoredReview:
    """Read a review from its stored form."""
    return StoredReview(**json.loads(text))


def _points(worth: Worth | None) -> Points | None:
    if worth is None:
        return None
    return Points(points=round(worth.points, 3), error=round(worth.error, 3))


def _words(choices: Choices, action: Action) -> str:
    """Return a move in the words of the game, if it has any."""
    if action not in choices.actions or not choices.texts:
        return ""
    return choices.texts[choices.actions.index(action)]
