"""The meaning of annotations; wrong ones are warned of and then ignored.

A comment never hinders a game from being played: it may stand in a file that was written for
another program, or long ago.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from engine.layout import PLACES
from engine.recycle import syntax
from engine.recycle.checking.placed import Id, Placed, placed_in
from engine.recycle.checking.places import keys
from engine.recycle.checking.scopes import seen
from engine.recycle.problems import Code, Report, did_you_mean
from engine.recycle.reading.annotations import Comment
from engine.recycle.reading.parser import Parsed
from engine.recycle.source_text import Span

TITLE, TEXT = 50, 140
"""Characters of a title and of a sentence."""
_FORMS = {
    "pile": ";; @pile [vloc] NAME title: sentence",
    "verb": ";; @verb [vloc] NAME [VALUE] what a player does",
    "value": ";; @value NAME title: sentence",
    "tell": ";; @tell NAME title: sentence",
    "hide": ";; @hide NAME NAME",
    "place": f";; @place [vloc] NAME {'|'.join(PLACES)} [in 2 rows] [over NAME]",
    "zero": ";; @zero NAME yes|no",
    "title": ";; @title what the game is called",
    "why": ";; @why what the points are for",
    "stage": ";; @stage title: sentence",
    "choice": ";; @choice title: sentence",
}
_SIGNS = "{}"
"""They enclose seats and cards in words; between options, among which titles stand, is a ``|``."""
_MARKS = 2
_INVISIBLE = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159")
"""Letters and symbols that draw nothing."""
_PLACES = ("vloc", "iloc", "hloc", "oloc", "mem")
NAMES = re.compile(r"\b([A-Z]{2,})(s?)\b")
"""Names of values in a phrase; an s behind one asks for its plural."""
_DEED = re.compile(r"(?P<name>[A-Z]+)(?: (?P<value>[A-Z]+|\d+))? (?P<rest>[^A-Z].*)")
_NAMED = re.compile(rf"(?:(?P<place>{'|'.join(_PLACES)}) )?(?P<name>[A-Z]+)(?: (?P<rest>.*))?")


@dataclass(frozen=True, slots=True)
class Named:
    """A title for people, and perhaps a sentence."""

    title: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Annotations:
    """What a description's annotations say.

    `piles` are by kind (empty for all kinds) and name, `stages` and `choices` by their places in
    the text, and so are `reasons`, what the numbers change for in the form there. `verbs` are words
    for moving cards to a pile, `deeds` those for setting a value, by its name and what it is set
    to. `hidden` are the names of values that people need not see, `told` those whose changes are
    told as they are made. `title` is the game's. `placed` says where
    piles lie, `zeros` whether a 0 of a number is worth showing.
    """

    piles: dict[tuple[str, str], Named]
    verbs: dict[tuple[str, str], Named]
    deeds: dict[tuple[str, str], Named]
    values: dict[str, Named]
    hidden: frozenset[str]
    told: frozenset[str]
    stages: dict[Span, Named]
    choices: dict[Span, Named]
    reasons: dict[Span, Named]
    title: Named | None
    placed: dict[Id, Placed]
    zeros: dict[str, bool]


def check(parsed: Parsed, report: Report) -> None:
    """Warn of annotations that are wrong."""
    annotations_of(parsed, report)


def annotations_of(parsed: Parsed, report: Report) -> Annotations:
    """The valid annotations; problems of the others go to `report`."""
    assert parsed.game is not None
    reader = _Reader(parsed.game, report)
    for comment in parsed.annotations:
        reader.read(comment)
    return Annotations(
        piles=reader.piles,
        verbs=reader.verbs,
        deeds=reader.deeds,
        values=reader.values,
        hidden=frozenset(reader.hidden),
        told=frozenset(reader.told),
        stages=reader.stages,
        choices=reader.choices,
        reasons=reader.reasons,
        title=reader.title,
        placed=reader.placed,
        zeros=reader.zeros,
    )


class _Reader:
    def __init__(self, game: syntax.Game, report: Report) -> None:
        self.report = report
        self.known_piles, self.known_values, self.any_name = _names(game)
        self.piles: dict[tuple[str, str], Named] = {}
        self.verbs: dict[tuple[str, str], Named] = {}
        self.deeds: dict[tuple[str, str], Named] = {}
        self.told: set[str] = set()
        self.values: dict[str, Named] = {}
        self.hidden: set[str] = set()
        self.stages: dict[Span, Named] = {}
        self.choices: dict[Span, Named] = {}
        self.counting = _counting(game)
        self.reasons: dict[Span, Named] = {}
        self.title: Named | None = None
        self.placed: dict[Id, Placed] = {}
        self.zeros: dict[str, bool] = {}

    def read(self, comment: Comment) -> None:
        match comment.word:
            case "pile":
                self._pile(comment, self.piles)
            case "verb":
                self._verb(comment)
            case "value":
                self._value(comment)
            case "tell":
                self._value(comment)
                self.told |= {comment.rest.partition(" ")[0]} & self.values.keys()
            case "hide":
                self._hide(comment)
            case "place":
                self._place(comment)
            case "zero":
                self._zero(comment)
            case "stage":
                self._form(comment, self.stages)
            case "choice":
                self._form(comment, self.choices)
            case "why":
                self._why(comment)
            case "title":
                self._title(comment)
            case word:
                near = did_you_mean(f"@{word}", (f"@{known}" for known in _FORMS))
                expected = ", ".join(f"@{known}" for known in _FORMS)
                self._warn(
                    Code.BAD_ANNOTATION, comment, "no annotation has this word", expected, near
                )

    def _pile(self, comment: Comment, annotated: dict[tuple[str, str], Named]) -> None:
        found = _NAMED.fullmatch(comment.rest)
        if found is None:
            self._misshapen(comment)
            return
        place, name = found["place"] or "", found["name"]
        if not self._is_pile(comment, place, name):
            return
        if (place, name) in annotated:
            self._twice(comment)
        elif (named := self._named(comment, found["rest"] or "")) is not None:
            annotated[place, name] = named

    def _verb(self, comment: Comment) -> None:
        """The verb of a pile, or the phrase of a value: ``TALON CLOSED close the talon``."""
        found = _DEED.fullmatch(comment.rest)
        name, value = (found["name"], found["value"] or "") if found else ("", "")
        if found is None or name not in self.known_values or (not value and self._has_pile(name)):
            self._pile(comment, self.verbs)
            return
        for other, _ in NAMES.findall(found["rest"]):
            if other not in self.known_values and not self.any_name:
                self._nothing(comment, f"no value is called {other}", other, self.known_values)
                return
        if (name, value) in self.deeds:
            self._twice(comment)
        elif (named := self._named(comment, found["rest"])) is not None:
            self.deeds[name, value] = named

    def _has_pile(self, name: str) -> bool:
        return bool(self.known_piles.get(name, set()) - {"mem"})

    def _is_pile(self, comment: Comment, place: str, name: str) -> bool:
        """Whether such a pile exists; warns if it does not."""
        places = self.known_piles.get(name, set())
        if not places and not self.any_name:
            self._nothing(comment, "no pile has this name", name, self.known_piles)
        elif place and place not in places and not self.any_name:
            self._nothing(comment, f"no {place} has this name", place, places)
        else:
            return True
        return False

    def _place(self, comment: Comment) -> None:
        found = placed_in(comment.rest)
        if found is None:
            self._misshapen(comment)
            return
        id, placed = found
        if not all(self._is_pile(comment, *each) for each in (id, placed.over or id)):
            return
        if id in self.placed:
            self._twice(comment)
        else:
            self.placed[id] = placed

    def _zero(self, comment: Comment) -> None:
        name, _, said = comment.rest.partition(" ")
        if said not in ("yes", "no") or not re.fullmatch("[A-Z]+", name):
            self._misshapen(comment)
        elif name not in self.known_values and not self.any_name:
            self._nothing(comment, "no value has this name", name, self.known_values)
        elif name in self.zeros:
            self._twice(comment)
        else:
            self.zeros[name] = said == "yes"

    def _value(self, comment: Comment) -> None:
        found = _NAMED.fullmatch(comment.rest)
        if found is None or found["place"]:
            self._misshapen(comment)
        elif found["name"] not in self.known_values and not self.any_name:
            self._nothing(comment, "no value has this name", found["name"], self.known_values)
        elif found["name"] in self.values:
            self._twice(comment)
        elif (named := self._named(comment, found["rest"] or "")) is not None:
            self.values[found["name"]] = named

    def _hide(self, comment: Comment) -> None:
        names = comment.rest.split()
        if not names or not all(re.fullmatch("[A-Z]+", name) for name in names):
            self._misshapen(comment)
            return
        marks = {name for name, places in self.known_piles.items() if "mem" in places}
        known = marks | self.known_values
        for name in names:
            if name not in known and not self.any_name:
                self._nothing(comment, f"no value is called {name}", name, known)
            elif name in self.hidden:
                self._twice(comment)
            else:
                self.hidden.add(name)

    def _form(self, comment: Comment, found: dict[Span, Named]) -> None:
        if comment.before is None or comment.head != comment.word:
            message = f"no {comment.word} begins below this annotation"
            expected = f"the annotation on the line above ({comment.word} …)"
            self._warn(Code.MISPLACED_ANNOTATION, comment, message, expected)
        elif comment.before in found:
            self._twice(comment)
        elif (named := self._named(comment, comment.rest)) is not None:
            found[comment.before] = Named(named.title, named.text[:1].upper() + named.text[1:])

    def _why(self, comment: Comment) -> None:
        if comment.before is None or comment.before not in self.counting:
            message = "no number changes in a form below this annotation"
            self._warn(Code.MISPLACED_ANNOTATION, comment, message, "(inc …) or a form around it")
        elif comment.before in self.reasons:
            self._twice(comment)
        elif (named := self._named(comment, comment.rest)) is not None:
            self.reasons[comment.before] = named

    def _title(self, comment: Comment) -> None:
        if self.title is not None:
            self._twice(comment)
        else:
            self.title = self._named(comment, comment.rest)

    def _named(self, comment: Comment, rest: str) -> Named | None:
        """The title and the sentence; None if they are missing or not fit to be shown."""
        title, _, text = unicodedata.normalize("NFC", rest).partition(": ")
        title, text = title.removesuffix(":").strip(), text.strip()
        if not title:
            self._misshapen(comment)
        elif wrong := _unsafe(title, _SIGNS + "|") or _unsafe(text, _SIGNS):
            message = f"the annotation holds {wrong}"
            self._warn(Code.UNSAFE_ANNOTATION, comment, message, "letters, digits and signs")
        elif len(title) > TITLE or len(text) > TEXT:
            what, length, most = "title", len(title), TITLE
            if length <= most:
                what, length, most = "sentence", len(text), TEXT
            message = f"the {what} has {length} characters"
            self._warn(Code.LONG_ANNOTATION, comment, message, f"at most {most}")
        else:
            return Named(title, text)
        return None

    def _misshapen(self, comment: Comment) -> None:
        message, expected = "not how this is written", _FORMS[comment.word]
        self._warn(Code.BAD_ANNOTATION, comment, message, expected)

    def _nothing(self, comment: Comment, message: str, name: str, known: Iterable[str]) -> None:
        known = sorted(known)
        some = ", ".join(known[:6]) + (" …" if len(known) > 6 else "")
        near = did_you_mean(name, known)
        self._warn(Code.ANNOTATED_NOTHING, comment, message, some or "a name of the game", near)

    def _twice(self, comment: Comment) -> None:
        message, expected = "this has been annotated before", "one annotation for each"
        self._warn(Code.ANNOTATED_TWICE, comment, message, expected)

    def _warn(
        self, code: Code, comment: Comment, message: str, expected: str, hint: str = ""
    ) -> None:
        self.report(code, comment.at, message, expected, hint, warning=True)


def _counting(game: syntax.Game) -> frozenset[Span]:
    """The places of the forms in which a number changes."""
    found: set[Span] = set()
    for here in seen(game):
        if isinstance(here.node, syntax.ChangeInt | syntax.SetInt):
            found.update(node.at for node in (here.node, *here.around))
    return frozenset(found)


def _names(game: syntax.Game) -> tuple[dict[str, set[str]], set[str], bool]:
    """The names of piles by kind, those of values, and whether any name is computed.

    If names are computed any name may exist, so none can be called wrong.
    """
    piles: dict[str, set[str]] = {}
    values: set[str] = set()
    worked_out = False
    for here in seen(game):
        match here.node:
            case syntax.Location() | syntax.Indexed():
                for key in keys(here.node, here.scope) or ():
                    piles.setdefault(key.name, set()).add(key.sort)
            case syntax.IntStorage() | syntax.StringStorage():
                values.update(key.name for key in keys(here.node, here.scope) or ())
            case _:
                continue
        worked_out = worked_out or keys(here.node, here.scope) is None
    return piles, values, worked_out


def _unsafe(text: str, signs: str) -> str:
    """What makes a text unfit to be shown, such as a control character; empty if it is fit.

    `signs` are characters with a meaning for the program that shows the text.
    """
    base, marks = "", 0
    for char in text:
        kind = unicodedata.category(char)
        marked = kind in ("Mn", "Mc")
        base, marks = (base, marks + 1) if marked else (kind, 0)
        # A mark belongs to a letter; selectors of variants are marks that draw nothing.
        stray = marked and (marks > _MARKS or base[:1] != "L" or _selects(char))
        if char in signs:
            return f"the sign {char}"
        if not char.isprintable() or char in _INVISIBLE or kind == "Me" or stray:
            return f"the character U+{ord(char):04X}"
    return ""


def _selects(char: str) -> bool:
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"
