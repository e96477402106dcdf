"""Arguments of facts in words: seats by name, cards by label, scores by player."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from string import Formatter

from engine.cards import LegendCard
from engine.facts import Seat, Value
from protocol.isolates import PDI, isolated
from protocol.texts.catalogue import english
from protocol.texts.language import spoken

_PLACEHOLDER = re.compile(r"\{(?P<kind>card|seat|of|own) (?P<what>[^{} ]+)\}")
_NUMBER = re.compile("[0-9]{1,3}", re.ASCII)
_FRACTION = re.compile(r"[-+]?[0-9]+\.[0-9]+(?: ± [0-9]+\.[0-9]+)?")
"""A number as the server writes it, if it is no whole one: ``4.2``, or with its error."""


class Speaker:
    """Words texts for the reader at seat `you`, with the `names` and cards of a table.

    Moves are said as they are typed, those of a `game` that ships in its words.
    """

    def __init__(
        self,
        names: Sequence[str],
        legend: Sequence[LegendCard],
        you: Seat | None,
        game: str = "",
    ) -> None:
        self.names = names
        self.you = you
        self._legend = legend
        self._texts = spoken()
        self._moves = self._texts.moves.get(game, {})

    @cached_property
    def _labels(self) -> Mapping[str, str]:
        return {card.token: isolated(card.label) for card in self._legend}

    def fill(self, template: str, args: Mapping[str, Value]) -> str:
        """`template` with its fields filled in; `KeyError` or `TypeError` if `args` do not fit."""
        parts: list[str] = []
        point = self._texts.words["point"]
        for literal, field, forms, case in _parsed(template):
            parts.append(literal)
            if field is not None:
                value = args[field]
                parts.append(
                    _choose(forms, value, point) if forms else self.say(field, value, case or "")
                )
        return "".join(parts)

    def words(self, text: str) -> str:
        """The words of a game (`engine.labels`) with the names of its cards and players.

        They stay in English in every language, since nobody has translated them.
        """
        return _PLACEHOLDER.sub(self._named, text)

    def _named(self, placeholder: re.Match[str]) -> str:
        kind, token = placeholder["kind"], placeholder["what"]
        if kind == "card":
            return self._labels.get(token, token)
        if not _NUMBER.fullmatch(token):
            return token
        seat = int(token)
        words = english().words
        if kind == "seat":
            return words["you"] if seat == self.you else self._name(seat, words)
        if seat == self.you:
            return words["you_g"]
        return "their" if kind == "own" else f"{self._name(seat, words)}'s"

    def say(self, name: str, value: Value, case: str = "") -> str:
        """One argument in words, by the kind its name implies; a player in this grammatical case.

        It does not turn the text around it (`protocol.isolates`).
        """
        return isolated(self._said(name, value, case))

    def _said(self, name: str, value: Value, case: str) -> str:
        words = self._texts.words
        match name, value:
            case _, bool():
                return words["yes" if value else "no"]
            case (("who" | "seat" | "leader" | "giver" | "receiver" | "partner"), int()):
                return self.name(value, case=case)
            case "who", str():
                return _declined(value, case, words)
            case (("to" | "place"), int()):
                return str(value + 1)
            case (("move" | "other"), str()):
                verb, _, card = value.partition(" ")
                cards = verb == "play" and card.partition("@")[0] in self._labels
                return self._label(card) if cards else self._move(value)
            case "either", str():
                return _either([*map(self._label, value.split(" "))], words["or"])
            case "options", str():
                return ", ".join(map(self.words, value.split("|")))
            case "about", str():
                return value
            case "suit", str():
                return self._texts.suits.get(value, value)
            case "phase", str():
                return self._texts.phases.get(value, value.replace("_", " "))
            case (("card" | "cards" | "action"), str()):
                return " ".join(map(self._label, value.split(" ")))
            case "reason", str():
                return self._texts.reasons.get(value, value.replace("_", " "))
            case "scores", tuple():
                return self._by_seat(value, "+d")
            case "totals", tuple():
                return self._by_seat(value, "d")
            case _, tuple():
                return ", ".join(map(_figure, value))
            case _, str() if _FRACTION.fullmatch(value):
                return _figure(value).replace(".", words["point"])
            case _, str() if name in self._texts.values:
                return self._texts.values[name].get(value, value)
            case _, int():
                return _figure(value)
            case _:
                return str(value)

    def name(self, seat: Seat, start: bool = False, case: str = "") -> str:
        """The name of a seat's player; people count seats from 1.

        `case` is ``g``, ``d`` or ``a`` for genitive, dative or accusative.
        """
        words = self._texts.words
        if seat == self.you:
            you = words[f"you_{case}" if case else "you"]
            return you[:1].upper() + you[1:] if start else you
        return _declined(self._name(seat, words), case, words)

    def _name(self, seat: Seat, words: Mapping[str, str]) -> str:
        known = self.names[seat] if 0 <= seat < len(self.names) else ""
        return isolated(known) or words["seat"].format(number=seat + 1)

    def together(self, seats: Sequence[Seat]) -> str:
        """Several players as the subject of a sentence, the reader first: ``You and Ann``."""
        ordered = sorted(seats, key=lambda seat: seat != self.you)
        together = f" {self._texts.words['and']} "
        return together.join(self.name(seat, start=at == 0) for at, seat in enumerate(ordered))

    def ranking(self, totals: tuple[int, ...], ranks: tuple[int, ...]) -> str:
        """The ranking as text: ``1. Ann 12, 2. you 7``."""
        order = sorted(range(len(ranks)), key=lambda seat: ranks[seat])
        said = (f"{self.name(seat)} {_figure(totals[seat])}" for seat in order)
        return ", ".join(f"{ranks[seat]}. {one}" for seat, one in zip(order, said, strict=True))

    def _move(self, action: str) -> str:
        verb = next((each for each in self._moves if f"{action} ".startswith(f"{each} ")), "")
        what = " ".join(map(self._label, action.removeprefix(verb).strip().split(" ")))
        return self._moves[verb].format(what=what).strip() if verb else what

    def _label(self, word: str) -> str:
        """The label of a card token, with the column in which the card lies.

        A move of several parts has commas between them.
        """
        move = word.rstrip(",")
        token, _, slot = move.partition("@")
        if token not in self._labels:
            return word
        label = self._labels[token]
        said = self._texts.words["in_slot"].format(card=label, slot=slot) if slot else label
        return said + word[len(move) :]

    def _by_seat(self, numbers: tuple[int, ...], form: str) -> str:
        # Nobody says "plus nothing".
        said = (_figure(format(number, form if number else "d")) for number in numbers)
        return ", ".join(f"{self.name(seat)} {number}" for seat, number in enumerate(said))


@lru_cache(maxsize=1024)
def _parsed(template: str) -> tuple[tuple[str, str | None, str | None, str | None], ...]:
    """The parsed template, cached, since the catalogue has only so many."""
    return tuple(Formatter().parse(template))


def _declined(name: str, case: str, words: Mapping[str, str]) -> str:
    """A player's name in a grammatical case; only the genitive changes it."""
    if case != "g":
        return name
    unchanged = name.rstrip(PDI).endswith(tuple(words["unchanged"]))
    return words["genitive_unchanged" if unchanged else "genitive"].format(name=name)


def _either(labels: Sequence[str], word: str) -> str:
    """Alternatives as text: ``9♠, J♠ or A♠``."""
    *others, last = labels
    return f"{', '.join(others)} {word} {last}" if others else last


def _figure(number: int | str) -> str:
    """A number with a real minus sign, as the page writes it."""
    return str(number).replace("-", "−")


def _choose(forms: str, value: Value, point: str) -> str:
    """The form that fits a value: yes or no; or none, one or many, with `#` for the number.

    Fractions come as text, which is kept except for the decimal `point`.
    """
    words = forms.split("|")
    if isinstance(value, bool):
        return words[0] if value else words[-1]
    if isinstance(value, str) and _FRACTION.fullmatch(value):
        return words[-1].replace("#", _figure(value).replace(".", point))
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is no number, and {forms!r} chooses by one")
    fitting = words[-2] if abs(value) == 1 else words[-1]
    if value == 0 and len(words) == 3:
        fitting = words[0]
    return fitting.replace("#", _figure(value))
