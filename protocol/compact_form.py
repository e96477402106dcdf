"""Events in the compact form: by position instead of by name, with numbers for frequent words.

    event     [list, table, seq, facts, question, info]
    fact      [verb, args, changes, holds, words]         args: name, value, name, value, …
    change    [0, key, value]   [1, source, target, cards, hidden]   [2, zone, cards]
              [3, zone, backs, zone, backs, …]
    question  [turn, to_act, choices, clock, reserve]     clock: in hundredths of a second
    choices   [actions, texts, picks, ways, prompt, parts]
    pick      [verb, cards, least, most, way]
    way       [title, source, target]
    prompt    [code, args]

What is at the end and has its default value is left out. An object in place of a list is in the
long form, as `info` and `parts` always are. `list` is the number of a list of words that the
connection was told. Where a text must stand, a number is a place in that list. Where anything may
stand, bytes are a text: those below 128 are ASCII, the others the words from 0 on. Among texts in a
list, ``[before, behind, text, …]`` are texts that begin and end alike; among numbers in `reserve`,
-n stands for n times the one before it. `compact_reader` reads all this.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, Final, TypeAlias

import msgpack

from engine.choices import Choices, Pick, Way
from engine.facts import Fact
from engine.phrases import Phrase
from protocol.wire_form import QuestionParts, parts_form, question_form

MOST_LISTS: Final = 64
"""Lists of words that a connection is told."""
MOST_WORDS: Final = 1024
"""Words of one list."""
LONGEST_WORD: Final = 200
"""Characters of a word."""
IN_BYTES: Final = 128
"""So many words, the first of a list, may stand in bytes, and take one byte as a number."""
SET, MOVE, SHOW, LAY = range(4)
"""The numbers of the kinds of changes."""
HUNDREDTHS: Final = 100
"""Of a second, in which a question tells the clock."""
LONGEST_CLOCK: Final = 1e9
"""Seconds; what is longer, or no time at all, is told in the long form."""
MOST_TIMES: Final = 64
"""So often one number of a reserve comes again."""
REMEMBERED: Final = 4096
"""Texts whose form is remembered; beyond that all are forgotten."""
_ENDS = re.compile(r"(.* )([^ ]+?)(\}?)", re.DOTALL)
"""A text with one more word than others: ``play 2C``, ``play {card 2C}``."""

_SHORT = tuple(bytes((0x90 + size,)) for size in range(16))

Compact: TypeAlias = Any
"""What msgpack can hold, bytes too; keys of objects are texts."""


class CompactForm:
    """The compact form of parts of events, packed, with the words of one list."""

    def __init__(self, words: Sequence[str]) -> None:
        self._pack: Callable[[Compact], bytes] = msgpack.Packer().pack
        numbers = {word: number for number, word in enumerate(words)}
        # By text: how it stands where anything may stand, and where a text must stand.
        self._spelt = spelt = _Remembered(_speller(words[:IN_BYTES]))
        self._text = _Remembered(lambda text: numbers.get(text, spelt[text]))
        self._cut = _Remembered(self._cut_up)
        # By ends: the rest of each text between them.
        self._middles: dict[tuple[Compact, Compact], dict[str, Compact]] = {}
        self._reserve = _Remembered(_repeated)

    def fact(self, fact: Fact) -> bytes:
        """A fact."""
        # Each move of a described game makes several that come but once: no calls, no copies.
        text, spelt = self._text, self._spelt
        args: list[Compact] = []
        for name, value in fact.args.items():
            args.append(text[name])
            args.append(spelt[value] if isinstance(value, str) else value)
        changes: list[Compact] = []
        for change in fact.changes:
            if change.do == "set":
                new = change.value
                told = spelt[new] if isinstance(new, str) else new
                changes.append((SET, text[change.key], told))
            elif change.do == "move":
                moved = change.cards
                cards = moved if isinstance(moved, int) else [text[card] for card in moved]
                moves = (MOVE, text[change.source], text[change.target], cards)
                changes.append((*moves, True) if change.hidden else moves)
            elif change.do == "show":
                changes.append((SHOW, text[change.zone], [text[card] for card in change.cards]))
            else:
                zones = change.zones.items()
                laid = (part for zone, backs in zones for part in (text[zone], backs))
                changes.append((LAY, *laid))
        if fact.words:
            return self._pack((text[fact.verb], args, changes, fact.holds, text[fact.words]))
        if fact.holds:
            return self._pack((text[fact.verb], args, changes, True))
        form = (text[fact.verb], args, changes) if changes else (text[fact.verb], args)
        return self._pack(form)

    def question(self, question: QuestionParts) -> bytes:
        """A question."""
        turn, to_act, choices, clock, reserve = question
        again = self._reserve[reserve]
        if again is None or (clock is not None and not 0 <= clock < LONGEST_CLOCK):
            return self._pack(question_form(*question))
        told = None if choices is None else self._choices(choices)
        if reserve:
            hundredths = None if clock is None else round(clock * HUNDREDTHS)
            return self._pack((turn, to_act, told, hundredths, again))
        if clock is not None:
            return self._pack((turn, to_act, told, round(clock * HUNDREDTHS)))
        return self._pack((turn, to_act) if told is None else (turn, to_act, told))

    def _choices(self, choices: Choices) -> Compact:
        texts, picks, ways = choices.texts, choices.picks, choices.ways
        parts, prompt = choices.parts, choices.prompt
        form: list[Compact] = [self._texts(choices.actions)]
        if texts or picks or ways or parts or prompt:
            form += (
                self._texts(texts),
                [self._pick(pick) for pick in picks],
                [self._way(way) for way in ways],
                prompt and self._prompt(prompt),
                [parts_form(each) for each in parts],
            )
            while not form[-1]:
                form.pop()
        return form

    def _pick(self, pick: Pick) -> Compact:
        cards = [self._text[card] for card in pick.cards]
        return self._text[pick.verb], cards, pick.least, pick.most, pick.way

    def _way(self, way: Way) -> Compact:
        return [self._text[part] for part in (way.title, way.source, way.target)]

    def _prompt(self, prompt: Phrase) -> Compact:
        args = prompt.args.items()
        told = [self._spelt[held] if isinstance(held, str) else held for _, held in args]
        names = [self._text[name] for name, _ in args]
        return self._text[prompt.code], [*chain.from_iterable(zip(names, told, strict=True))]

    def _texts(self, texts: Sequence[str]) -> list[Compact]:
        """A list of texts, in which those that begin and end alike stand together."""
        if not texts:
            return []
        ends, _ = self._cut[texts[0]]
        if ends is not None:
            # Mostly all are alike, as cards are to be played: this is done without a loop.
            try:
                return [[*ends, *map(self._middles[ends].__getitem__, texts)]]
            except KeyError:
                pass
        form: list[Compact] = []
        for ends, group in groupby(map(self._cut.__getitem__, texts), itemgetter(0)):
            middles = [middle for _, middle in group]
            form += middles if ends is None else ([*ends, *middles],)
        return form

    def _cut_up(self, text: str) -> tuple[tuple[Compact, Compact] | None, Compact]:
        """What a text has in common with others, and the rest of it."""
        found = _ENDS.fullmatch(text)
        if found is None:
            return None, self._text[text]
        before, middle, behind = (self._text[part] for part in found.groups())
        if not self._cut:
            self._middles.clear()
        self._middles.setdefault((before, behind), {})[text] = middle
        return (before, behind), middle


def listed(items: Sequence[bytes]) -> bytes:
    """A list of what is packed."""
    return b"".join((_list_head(len(items)), *items))


def _list_head(size: int) -> bytes:
    return _SHORT[size] if size < len(_SHORT) else b"\xdc" + size.to_bytes(2, "big")


def _repeated(numbers: Iterable[int]) -> list[int] | None:
    """Numbers, of which a negative one says how often that before it comes again.

    None where one is negative already, or comes too often.
    """
    form: list[int] = []
    for number, alike in groupby(numbers):
        again = len([*alike]) - 1
        if number < 0 or again > MOST_TIMES:
            return None
        form += (number, -again) if again else (number,)
    return form


class _Remembered(dict[Any, Any]):
    """Remembers what is made of each key."""

    def __init__(self, make: Callable[[Any], Compact]) -> None:
        self._make = make

    def __missing__(self, key: Any) -> Compact:
        if len(self) >= REMEMBERED:
            self.clear()
        made = self[key] = self._make(key)
        return made


def _speller(words: Sequence[str]) -> Callable[[str], str | bytes]:
    """What makes bytes of texts with these words in them, where that is shorter."""
    codes = {word: chr(IN_BYTES + number) for number, word in enumerate(words) if len(word) > 1}
    longest_first = sorted(codes, key=len, reverse=True)
    # Without words it matches nothing.
    known = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")

    def spelt(text: str) -> str | bytes:
        if not text.isascii():
            return text
        code = known.sub(lambda found: codes[found[0]], text).encode("latin-1")
        return code if len(code) + 1 < len(text) else text

    return spelt
