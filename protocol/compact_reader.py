"""Reads frames of one connection, in which events may be in the compact form.

A server may send anything: lists of words are bounded, and so is what the words in one frame may
come to. What is not of this form raises `ProtocolError`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, repeat
from typing import Any, Final

from pydantic import ValidationError

from protocol.compact_form import (
    HUNDREDTHS,
    IN_BYTES,
    LAY,
    MOST_LISTS,
    MOST_TIMES,
    MOVE,
    SET,
    SHOW,
    Compact,
)
from protocol.errors import ProtocolError
from protocol.parse import explain
from protocol.to_client import Words
from protocol.wire_form import WireForm

MOST_CHARACTERS: Final = 8 * 2**20
"""Of all texts in one frame together that hold words."""
NUMBER: Final = 8
"""Characters as which a number counts that comes again."""


class CompactReader:
    """Events of one connection in the long form, with the lists of words that it was told."""

    def __init__(self) -> None:
        self._lists: dict[int, tuple[str, ...]] = {}
        self._words: tuple[str, ...] = ()
        self._room = 0

    def long_form(self, frame: Iterable[Any]) -> Iterator[Any]:
        """The messages of a frame in the long form, less the lists of words."""
        self._room = MOST_CHARACTERS
        for message in frame:
            if isinstance(message, list):
                yield self._event(message)
            elif isinstance(message, dict) and message.get("type") == "words":
                self._learn(message)
            else:
                yield message

    def _learn(self, message: Any) -> None:
        try:
            told = Words.model_validate(message)
        except ValidationError as error:
            raise ProtocolError("bad_message", explain(error)) from None
        if len(self._lists) >= MOST_LISTS and told.number not in self._lists:
            raise ProtocolError("bad_message", f"there are more than {MOST_LISTS} lists of words")
        self._lists[told.number] = told.words

    def _event(self, message: Sequence[Compact]) -> WireForm:
        number = message[0] if message else None
        words = self._lists.get(number) if type(number) is int else None
        if words is None:
            reason = f"an event names a list of words that was not told: {ascii(number)[:40]}"
            raise ProtocolError("bad_message", reason)
        self._words = words
        try:
            return self._read(message)
        # Whatever is wrong with it, it is not in this form.
        except (TypeError, ValueError, IndexError, AttributeError) as error:
            why = ascii(str(error) or type(error).__name__)[1:-1][:120]
            raise ProtocolError("bad_message", f"an event is not in compact form: {why}") from None

    def _read(self, message: Sequence[Compact]) -> WireForm:
        _, table, seq, facts, question, info = _filled(message, 6)
        form: WireForm = {"type": "event", "table": table, "seq": seq}
        if facts:
            form["facts"] = [self._part(self._fact, fact) for fact in facts]
        if info is not None:
            form["info"] = info
        if question is not None:
            form["question"] = self._part(self._question, question)
        return form

    def _part(self, read: Callable[[Sequence[Compact]], WireForm], part: Compact) -> Any:
        """A part that may be in the long form."""
        return read(part) if isinstance(part, list) else part

    def _fact(self, fact: Sequence[Compact]) -> WireForm:
        verb, args, changes, holds, words = _filled(fact, 5)
        form: WireForm = {"verb": self._text(verb)}
        if args:
            form["args"] = self._args(args)
        if changes:
            form["changes"] = [self._part(self._change, change) for change in changes]
        if words is not None:
            form["words"] = self._text(words)
        if holds:
            form["holds"] = holds
        return form

    def _args(self, args: Sequence[Compact]) -> WireForm:
        return {self._text(name): self._value(value) for name, value in _pairs(args)}

    def _change(self, change: Sequence[Compact]) -> WireForm:
        kind, text = change[0], self._text
        if kind == SET:
            return {"do": "set", "key": text(change[1]), "value": self._value(change[2])}
        if kind == MOVE:
            _, source, target, cards, hidden = _filled(change, 5)
            form = {"do": "move", "source": text(source), "target": text(target)}
            form["cards"] = self._cards(cards)
            return form | {"hidden": hidden} if hidden else form
        if kind == SHOW:
            return {"do": "show", "zone": text(change[1]), "cards": self._cards(change[2])}
        if kind == LAY:
            return {"do": "lay", "zones": {text(zone): n for zone, n in _pairs(change[1:])}}
        raise ValueError(f"there is no change {kind!r}")

    def _cards(self, cards: Compact) -> Any:
        return cards if isinstance(cards, int) else [self._text(card) for card in cards]

    def _question(self, question: Sequence[Compact]) -> WireForm:
        turn, to_act, choices, clock, reserve = _filled(question, 5)
        form: WireForm = {"turn": turn}
        if to_act:
            form["to_act"] = to_act
        if choices is not None:
            form["choices"] = self._part(self._choices, choices)
        if clock is not None:
            form["clock"] = clock / HUNDREDTHS
        if reserve:
            form["reserve"] = [*self._repeated(reserve)]
        return form

    def _choices(self, choices: Sequence[Compact]) -> WireForm:
        actions, texts, picks, ways, prompt, parts = _filled(choices, 6)
        form = {
            "actions": [*self._texts(actions or ())],
            "texts": [*self._texts(texts or ())],
            "picks": [self._part(self._pick, pick) for pick in picks or ()],
            "ways": [self._part(self._way, way) for way in ways or ()],
            "prompt": prompt and self._part(self._prompt, prompt),
            "parts": parts,
        }
        return {name: held for name, held in form.items() if held}

    def _pick(self, pick: Sequence[Compact]) -> WireForm:
        verb, cards, least, most, way = _filled(pick, 5)
        form: WireForm = {"verb": self._text(verb), "cards": self._cards(cards)}
        form |= {"least": least, "most": most}
        return form | {"way": way} if way else form

    def _way(self, way: Sequence[Compact]) -> WireForm:
        names = ("title", "source", "target")
        return {name: self._text(part) for name, part in zip(names, way, strict=False)}

    def _prompt(self, prompt: Sequence[Compact]) -> WireForm:
        code, args = _filled(prompt, 2)
        return {"code": self._text(code)} | ({"args": self._args(args)} if args else {})

    def _texts(self, texts: Iterable[Compact]) -> Iterator[str]:
        for text in texts:
            if isinstance(text, list):
                before, behind = (self._text(end) for end in text[:2])
                for middle in text[2:]:
                    yield self._counted(f"{before}{self._text(middle)}{behind}")
            else:
                yield self._text(text)

    def _value(self, value: Compact) -> Any:
        return self._text(value) if isinstance(value, bytes) else value

    def _text(self, text: Compact) -> str:
        if isinstance(text, str):
            return text
        if isinstance(text, bytes):
            return self._counted("".join(map(self._spelt, text)))
        return self._counted(self._word(text))

    def _spelt(self, byte: int) -> str:
        return chr(byte) if byte < IN_BYTES else self._word(byte - IN_BYTES)

    def _word(self, number: Compact) -> str:
        if type(number) is not int or not 0 <= number < len(self._words):
            raise ValueError(f"there is no word {number!r}")
        return self._words[number]

    def _repeated(self, numbers: Iterable[Compact]) -> Iterator[Compact]:
        number = None
        for each in numbers:
            if each < 0:
                if number is None or each < -MOST_TIMES:
                    raise ValueError(f"a number comes {-each} times more")
                self._take(NUMBER * -each)
                yield from repeat(number, -each)
            else:
                number = each
                yield number

    def _counted(self, text: str) -> str:
        self._take(len(text))
        return text

    def _take(self, characters: int) -> None:
        self._room -= characters
        if self._room < 0:
            raise ValueError("its words and numbers come to too much")


def _filled(part: Sequence[Compact], size: int) -> Iterable[Compact]:
    """The first members of a list, with None for those that were left out."""
    return [*part[:size], *[None] * (size - len(part))]


def _pairs(flat: Sequence[Compact]) -> Iterator[tuple[Compact, Compact]]:
    return zip(islice(flat, 0, None, 2), islice(flat, 1, None, 2), strict=True)
