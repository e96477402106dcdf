"""A review drawn as lines: a sentence for each decision, and some for the whole match."""

from collections.abc import Sequence

from client_cli.card_labels import CardLabels
from client_cli.tell import tell
from client_cli.text import Look, Span, clean, line, paint, words
from engine.facts import Seat
from engine.phrases import Phrase
from protocol.texts import in_words, worded
from protocol.to_client import ReviewedMove, ReviewPage, ReviewSummary

SILENT_SECONDS = 60.0
"""After so long without a word somebody would wonder whether anything happens."""


class ReviewLines:
    """The lines of a review, which starts with its first page.

    `names` are those at the table, by seat, and `you` is the seat that the reader had.
    """

    def __init__(
        self, first: ReviewPage, look: Look, names: Sequence[str] = (), you: Seat | None = None
    ) -> None:
        self._labels = CardLabels(first.legend, look)
        self._game = first.game
        self._names = names
        self._you = you
        self._look = look
        self._known: list[ReviewedMove] = []

    def of(self, page: ReviewPage) -> list[str]:
        """The lines of a page: its decisions and, after the last one, the summary."""
        told: list[str] = []
        for each in page.decisions:
            self._known.append(each)
            lost = each.given_away
            bad = lost is not None and lost.points > 2 * lost.error
            told += self._sentence(each.phrase, each, bad=bad)
            if each.action != each.best:
                told += self._columns(each)
        if page.summary is not None and not page.more:
            told.append("")
            for phrase in page.summary.phrases:
                told += self._sentence(phrase, self._about(phrase, page.summary))
        return told

    def _columns(self, move: ReviewedMove) -> list[str]:
        """What one could know of a decision, and how the cards lay, below its sentence."""
        parts = [part.phrase for part in (move.known, move.lay) if part is not None]
        lines = [line for phrase in parts for line in self._sentence(phrase, move)]
        return [f"    {line}" for line in lines]

    def _about(self, phrase: Phrase, summary: ReviewSummary) -> ReviewedMove | None:
        """The decision whose move a phrase of the summary names, if it names one."""
        at = {"review_worst": summary.worst, "review_best": summary.best}.get(phrase.code)
        return None if at is None or not 0 <= at < len(self._known) else self._known[at]

    def _sentence(
        self, phrase: Phrase, move: ReviewedMove | None, *, bad: bool = False
    ) -> list[str]:
        """The sentence of a phrase, with a decision's moves in the words of the game."""
        called = {} if move is None else self._called(move)
        args = {
            name: called.get(value, value) if isinstance(value, str) else value
            for name, value in phrase.args.items()
        }
        told = Phrase(phrase.code, args)
        said = worded(told, self._labels.named, self._names, self._you, self._game)
        if said is None:
            # Of a newer server.
            return []
        said = said.replace("±", self._look.pick("±", "+-"))
        mark = (Span("! ", "warn"),) if bad else ()
        coloured = self._labels.coloured(clean(said, self._look))
        drawn = words(line(*mark, coloured), self._look.width, indent=4)
        return [paint(each, self._look) for each in drawn]

    def _called(self, move: ReviewedMove) -> dict[str, str]:
        """The words of the game for the moves of a decision, if it has any."""
        texts = [(move.best, move.best_text), (move.action, move.text)]
        if move.lay is not None:
            texts.append((move.lay.best, move.lay.best_text))
        return {
            action: in_words(text, self._labels.named, self._names, self._you)
            for action, text in texts
            if text
        }


class Waiting:
    """Says how long it takes until the bot is ready: once, and again if that was not enough.

    If nothing new comes it says so each minute.
    """

    def __init__(self) -> None:
        self._due: float | None = None
        self._had = -1
        self._heard = 0.0

    def told(self, seconds: int | None, now: float, had: int) -> str:
        """The sentence that is due at a time in seconds, with so many seconds left; else nothing.

        `count` decisions are there by then.
        """
        if had != self._had:
            self._had, self._heard = had, now
        first = self._due is None
        if not seconds or (self._due is not None and now <= self._due):
            if now - self._heard < SILENT_SECONDS:
                return ""
            self._heard = now
            return tell("review.goes_on", count=had)
        self._due = now + seconds
        self._heard = now
        return tell("review.prepared" if first else "review.late", seconds=seconds)
