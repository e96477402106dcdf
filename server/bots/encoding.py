"""What tables and bot workers send each other, as bytes and back.

A request is a question to a bot, or a decision to judge; both hold what the seat knows and nothing
else, as in `server.bots.thinking`. Whatever arrives is checked: `BadMessage` if it cannot be right.
The text of a described game may be left out, and is then found by the digest in the game's id.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

import msgpack
from pydantic import Field, TypeAdapter

from bots import Budget, Decision, Position
from bots.review import Judgement, Moment
from protocol.wire_form import choices_form, facts_form, view_form, wire_form
from server.bots.job_queue import BotName
from server.bots.thinking import BotQuestion, ReviewQuestion
from server.games.descriptions import Source, digest_in, digest_of

T = TypeVar("T")

MOST_BYTES = 256 * 1024
"""A longer question is not sent."""
MOST_SECONDS = 600.0

TextOf: TypeAlias = Callable[[str], str | None]
"""The text of a description by its digest, if it is known."""


class BadMessage(Exception):
    """Bytes that nothing here has made."""


class TextMissing(Exception):
    """A question is about a description whose text is not known here."""


class Refusal(StrEnum):
    """Why a worker has no answer. One that has no time for a question says nothing at all."""

    FAILED = "failed"
    BAD = "bad"
    TEXT_MISSING = "text_missing"


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """A question to a bot, to be answered within `seconds` of its sending."""

    question: BotQuestion
    hint: bool
    seconds: float
    trace: str = ""
    """What it is for, as in `server.ops.tracing`."""


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """A decision to judge."""

    question: ReviewQuestion
    seconds: float


Request: TypeAlias = MoveRequest | ReviewRequest
Answer: TypeAlias = Decision | Judgement | Refusal


@dataclass(frozen=True, slots=True)
class WorkerState:
    """What a worker says of itself each second.

    `warming` has game, strength and about how many seconds it takes until the bot is ready.
    `hints` and `described_hints` are how many more hints it takes, `descriptions` the digests of
    the texts that it knows, `free` its processes that do nothing.
    """

    ready: tuple[BotName, ...] = ()
    warming: tuple[tuple[str, int, float], ...] = ()
    failed: tuple[BotName, ...] = ()
    hints: int = 0
    described_hints: int = 0
    descriptions: tuple[str, ...] = ()
    free: int = 0


_Seconds = Annotated[float, Field(gt=0, le=MOST_SECONDS)]
_Strength = Annotated[int, Field(ge=0, le=100)]


@dataclass(frozen=True, slots=True)
class _Move:
    strength: _Strength
    position: Position
    seed: bytes
    budget: Budget
    lane: str
    hint: bool
    seconds: _Seconds
    text: str | None = None
    trace: str = ""


@dataclass(frozen=True, slots=True)
class _Review:
    strength: _Strength
    moment: Moment
    number: int
    aim: Literal["high", "low"]
    budget: Budget
    plainly: bool
    seconds: _Seconds
    text: str | None = None


_MOVE, _REVIEW = TypeAdapter(_Move), TypeAdapter(_Review)
_DECISION, _JUDGEMENT = TypeAdapter(Decision), TypeAdapter(Judgement)
_REFUSAL, _STATE = TypeAdapter(Refusal), TypeAdapter(WorkerState)
_BOT: TypeAdapter[BotName] = TypeAdapter(BotName)


def encode_request(request: Request, *, with_text: bool) -> bytes:
    """A request as bytes, with the text of a described game or without."""
    source = request.question.source
    form: dict[str, Any] = {
        "strength": request.question.strength,
        "budget": wire_form(request.question.budget),
        "seconds": round(request.seconds, 3),
    }
    if source is not None and with_text:
        form["text"] = source.text
    match request:
        case MoveRequest(question=question):
            form |= {
                "position": _position_form(question.position),
                "seed": question.seed,
                "lane": question.lane,
                "hint": request.hint,
                "trace": request.trace,
            }
            return _packed("move", form)
        case ReviewRequest(question=judged):
            moment = judged.moment
            form |= {
                "moment": {
                    "position": _position_form(moment.position),
                    "action": moment.action,
                    "deal": moment.deal,
                    "move": moment.move,
                    "trick": moment.trick,
                },
                "number": judged.number,
                "aim": judged.aim,
                "plainly": judged.plainly,
            }
            return _packed("review", form)


def decode_request(data: bytes, text_of: TextOf) -> Request:
    """The request in bytes. `BadMessage` if there is none, `TextMissing` if its game is unknown."""
    kind, form = _unpacked(data)
    if kind == "move":
        asked = _checked(_MOVE, form)
        source = _source(asked.position.game, asked.text, text_of)
        question = BotQuestion(
            asked.strength, asked.position, asked.seed, asked.budget, source, asked.lane
        )
        return MoveRequest(question, asked.hint, asked.seconds, asked.trace)
    if kind == "review":
        judged = _checked(_REVIEW, form)
        source = _source(judged.moment.position.game, judged.text, text_of)
        review = ReviewQuestion(
            judged.strength,
            judged.moment,
            judged.number,
            judged.aim,
            judged.budget,
            source,
            judged.plainly,
        )
        return ReviewRequest(review, judged.seconds)
    raise BadMessage("no request")


def encode_answer(answer: Answer) -> bytes:
    """The answer of a worker as bytes."""
    match answer:
        case Decision():
            return _packed("decision", wire_form(answer))
        case Judgement():
            return _packed("judgement", wire_form(answer))
        case Refusal():
            return _packed("refusal", answer.value)


def decode_answer(data: bytes) -> Answer:
    """The answer in bytes; `BadMessage` if there is none."""
    kind, form = _unpacked(data)
    if kind == "decision":
        return _checked(_DECISION, form)
    if kind == "judgement":
        return _checked(_JUDGEMENT, form)
    if kind == "refusal":
        return _checked(_REFUSAL, form)
    raise BadMessage("no answer")


def encode_state(state: WorkerState) -> bytes:
    """What a worker says of itself, as bytes."""
    return _packed("state", wire_form(state))


def decode_state(data: bytes) -> WorkerState:
    """What a worker says of itself; `BadMessage` if it says nothing."""
    kind, form = _unpacked(data)
    if kind != "state":
        raise BadMessage("no state")
    return _checked(_STATE, form)


def encode_bot(bot: BotName) -> bytes:
    """The name of a bot that is to be made ready first, as bytes."""
    return _packed("prepare", bot)


def decode_bot(data: bytes) -> BotName:
    """The name of a bot that is to be made ready first; `BadMessage` if there is none."""
    kind, form = _unpacked(data)
    if kind != "prepare":
        raise BadMessage("no bot")
    return _checked(_BOT, form)


def _position_form(position: Position) -> dict[str, Any]:
    return {
        "game": position.game,
        "seat": position.seat,
        "view": view_form(position.view),
        "choices": choices_form(position.choices),
        "options": dict(position.options),
        "facts": facts_form(position.facts),
    }


def _source(game: str, text: str | None, text_of: TextOf) -> Source | None:
    """What makes a described game; None for a game of the program."""
    digest = digest_in(game)
    if digest is None:
        return None
    if text is None:
        text = text_of(digest)
        if text is None:
            raise TextMissing(game)
    elif not digest.startswith(digest_of(text)):
        raise BadMessage("another text than the game's")
    return Source(game, text)


def _packed(kind: str, form: object) -> bytes:
    packed: bytes = msgpack.packb((kind, form))
    return packed


def _unpacked(data: bytes) -> tuple[str, Any]:
    try:
        kind, form = msgpack.unpackb(data, strict_map_key=True, use_list=False)
    except Exception as error:
        raise BadMessage(type(error).__name__) from None
    return str(kind), form


def _checked(adapter: TypeAdapter[T], form: object) -> T:
    try:
        return adapter.validate_python(form)
    except Exception as error:
        # Its words would repeat cards.
        raise BadMessage(type(error).__name__) from None
