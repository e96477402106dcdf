"""The names that people see for piles, values, stages and choices of a description.

The words are those of its annotations; for everything else they are made from the names in the
description by rule: ``BIDWORD`` is called bidword, a pile that others of the same name lie beside
gets a word for who sees it. Values that only steer the game are not shown.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from engine.recycle import syntax
from engine.recycle.checking.annotations import Annotations, Named, annotations_of
from engine.recycle.checking.scopes import Seen, seen
from engine.recycle.limits import TEXT_LIMITS
from engine.recycle.problems import Report
from engine.recycle.reading.parser import Parsed
from engine.recycle.source_text import Span

_KINDS = {"vloc": "open", "iloc": "own", "hloc": "hidden", "oloc": "shown", "mem": "marked"}
"""Words for piles of one name, by their kinds."""
_COURTS = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
_ARTICLES = ("the ", "The ")


@dataclass(frozen=True, slots=True)
class ChoiceTopic:
    """What a choice is about: its innermost titled stage, and the choice itself."""

    stage: Named | None = None
    choice: Named | None = None

    @property
    def told(self) -> str:
        """Titles and sentences in one text: ``The play: Play a card.``, or empty."""
        stage = self.stage.title if self.stage else ""
        choice = [self.choice.title, self.choice.text] if self.choice else []
        if not choice and self.stage:
            choice = [self.stage.text]
        said = " ".join(_sentence(text) for text in choice if text)
        return f"{stage}: {said}" if stage and said else stage or said


def _sentence(text: str) -> str:
    return text if text[-1] in ".!?…" else f"{text}."


NO_QUESTION = ChoiceTopic()


@dataclass(frozen=True, slots=True)
class Naming:
    """The words of one description.

    `piles` are by kind and name, and so are `verbs`, the words for moving cards there; `values` are
    by name. `deeds` are phrases for setting a value, by its name and what it is set to, or "" for
    anything; `faces` are words for letters on cards. `hidden` are the names of values that people
    need not see, `told` those whose changes are told as they are made, `players` those of numbers
    that are players, counted from `numbering`. `questions` are by the places of the choices in the
    text, and so are `reasons`, what the numbers change for in the form there. `title` is the
    game's; empty for that of its file.
    """

    piles: Mapping[tuple[str, str], Named] = field(default_factory=dict)
    values: Mapping[str, Named] = field(default_factory=dict)
    verbs: Mapping[tuple[str, str], str] = field(default_factory=dict)
    deeds: Mapping[tuple[str, str], str] = field(default_factory=dict)
    faces: Mapping[str, str] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()
    players: frozenset[str] = frozenset()
    numbering: int = 1
    questions: Mapping[Span, ChoiceTopic] = field(default_factory=dict)
    reasons: Mapping[Span, str] = field(default_factory=dict)
    title: str = ""

    def pile(self, place: str, name: str) -> Named:
        """The title of the piles of a kind and name."""
        return self.piles.get((place, name)) or Named(name.lower())

    def verb(self, place: str, name: str) -> str:
        """The verb for moving cards to these piles; empty if there is none."""
        return self.verbs.get((place, name)) or self.verbs.get(("", name), "")

    def deed(self, name: str, value: object) -> str:
        """The phrase for setting a value to this; empty if there is none."""
        return self.deeds.get((name, str(value))) or self.deeds.get((name, ""), "")

    def value(self, name: str) -> Named:
        """The title of the values of a name."""
        return self.values.get(name) or Named(name.lower())

    def question(self, at: Span) -> ChoiceTopic:
        """The question of the choice at a place of the text."""
        return self.questions.get(at, NO_QUESTION)


BY_RULE = Naming()
"""The words of a description without annotations, as far as its names alone tell them."""


def naming_of(parsed: Parsed) -> Naming:
    """The naming of a description without errors."""
    game = parsed.game
    assert game is not None
    found = annotations_of(parsed, Report(parsed.text, TEXT_LIMITS.problems))
    nodes = tuple(seen(game))
    return Naming(
        piles=dict(_piles(nodes, found)),
        values={name: _without_article(named) for name, named in found.values.items()},
        verbs={key: named.title for key, named in found.verbs.items()},
        deeds={key: named.title for key, named in found.deeds.items()},
        faces=_faces(nodes),
        told=found.told,
        hidden=found.hidden | (_steering(nodes) - found.values.keys()),
        players=_players(nodes),
        numbering=game.numbering,
        questions=dict(_questions(game, found)),
        reasons={at: named.title for at, named in found.reasons.items()},
        title=found.title.title if found.title else "",
    )


def _piles(nodes: tuple[Seen, ...], found: Annotations) -> Iterator[tuple[tuple[str, str], Named]]:
    kinds: dict[str, set[str]] = {}
    for here in nodes:
        if isinstance(here.node, syntax.Location) and isinstance(here.node.name, syntax.Name):
            kinds.setdefault(here.node.name.text, set()).add(here.node.place)
    for name, places in kinds.items():
        for place in places:
            named = found.piles.get((place, name)) or found.piles.get(("", name))
            if named is not None:
                yield (place, name), _without_article(named)
            elif len(places) > 1:
                yield (place, name), Named(f"{_KINDS[place]} {name.lower()}")


def _faces(nodes: tuple[Seen, ...]) -> Mapping[str, str]:
    """The words for the letters of a French pack, if there are cards of one."""
    ranks = {
        each.value
        for here in nodes
        if isinstance(here.node, syntax.DeckAttribute)
        for each in here.node.values
    }
    return _COURTS if {"Q", "K"} <= ranks else {}


def _without_article(named: Named) -> Named:
    """The words without an article, which sentences add where they need one."""
    for article in _ARTICLES:
        if len(named.title) > len(article) and named.title.startswith(article):
            return Named(named.title.removeprefix(article), named.text)
    return named


def _steering(nodes: tuple[Seen, ...]) -> frozenset[str]:
    """The numbers that are only set to 0 or 1 and that no option and no score depends on."""
    flags: set[str] = set()
    others: set[str] = set()
    for here in nodes:
        match here.node:
            case syntax.SetInt(syntax.IntStorage(name=syntax.Name(text)), value):
                flag = isinstance(value, syntax.Integer) and value.value <= 1
                (flags if flag else others).add(text)
            case syntax.ChangeInt(syntax.IntStorage(name=syntax.Name(text))):
                others.add(text)
            case syntax.IntStorage(name=syntax.Name(text)) if not _written(here):
                if any(isinstance(each, syntax.Choice | syntax.Scoring) for each in here.around):
                    others.add(text)
    return frozenset(flags - others)


def _written(here: Seen) -> bool:
    """Whether a number is set here, and not read."""
    around = here.around[-1]
    return isinstance(around, syntax.SetInt | syntax.ChangeInt) and around.storage is here.node


def _players(nodes: tuple[Seen, ...]) -> frozenset[str]:
    """The numbers that are set to a player's number and never counted with."""
    players: set[str] = set()
    counted: set[str] = set()
    for here in nodes:
        match here.node:
            case syntax.SetInt(syntax.IntStorage(name=syntax.Name(text)), syntax.PlayerNumber()):
                players.add(text)
            case syntax.ChangeInt(syntax.IntStorage(name=syntax.Name(text))):
                counted.add(text)
    return frozenset(players - counted)


def _questions(game: syntax.Game, found: Annotations) -> Iterator[tuple[Span, ChoiceTopic]]:
    waiting: list[tuple[syntax.Node, Named | None]] = [(child, None) for child in game.children]
    for node, stage in waiting:
        if isinstance(node, syntax.Choice):
            question = ChoiceTopic(stage, found.choices.get(node.at))
            if question != NO_QUESTION:
                yield node.at, question
        elif isinstance(node, syntax.Stage):
            inner = found.stages.get(node.at, stage)
            waiting += [(child, inner) for child in node.children]
