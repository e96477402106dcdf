"""A sentence for each fact, also for cards that move without a verb of their own.

A described game says what moves and not what it means. Where its zones lie tells the rest: cards
that leave a trick are a trick that is taken, and a card that comes to a hand from the stock is
drawn. Anything else is told as it is: ``2♣ 3♣ go from the box to the pile.``
The page has the same in `client_web/movements.js`.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from engine.cards import LegendCard, Token
from engine.facts import Fact, Move, Seat, Value, ZoneId
from engine.layout import HAND, NO_LAYOUT, TRICK, Layout, ZoneHint
from engine.views import Zone
from protocol.isolates import isolated
from protocol.texts.language import spoken
from protocol.texts.sentences import sentence
from protocol.texts.speaker import Speaker

MOVED, CHOSEN = "cards_moved", "option_taken"
_DEAL, _LAID = "deal_started", "table_laid"
_SEAT = re.compile("[0-9]{1,3}", re.ASCII)
_DEALT = 3
"""As many cards from the table's pile are dealt; fewer are drawn."""


class TableZones(NamedTuple):
    """The places of a table: what a kind of zones is `title`d, how they are laid, the zones now."""

    title: Callable[[str], str]
    layout: Layout = NO_LAYOUT
    zones: Mapping[ZoneId, Zone] = {}

    def kind(self, zone: ZoneId) -> ZoneHint | None:
        """The hint for the zones of this one's kind."""
        return self.layout.zone(zone.partition("/")[0])

    def lies(self, zone: ZoneId) -> str:
        """The word for where a zone lies; empty if the game gives none."""
        hint = self.kind(zone)
        return "" if hint is None else hint.place

    def is_covered(self, zone: ZoneId) -> bool:
        """Whether the reader sees backs in a zone, and no face."""
        shown = self.zones.get(zone)
        return shown is not None and shown.backs > 0 and not shown.cards


def sentences(
    facts: Sequence[Fact],
    names: Sequence[str],
    legend: Sequence[LegendCard],
    you: Seat | None,
    places: TableZones,
) -> list[str | None]:
    """A sentence for each of `facts`, or None for one that needs no line.

    Successive movements to one place are told together, with the last of them; so are two of the
    same cards, one after the other. What players have named just before, cards or the pile of one
    that is hidden, is not told again.
    """
    speaker = Speaker(names, legend, you)
    told: list[str | None] = []
    together: list[Fact] = []
    # Where the cards of the movement before this one came from; None if other facts lie between.
    passing: list[Fact] | None = None
    named: set[Token] = set()
    dealing = naming = begun = False
    drawing: Seat | None = None
    for fact, after in zip_longest(facts, facts[1:]):
        target = _target(fact)
        if target is None:
            if fact.verb == CHOSEN:
                said = set(str(fact.args.get("action")).replace(",", "").split(" "))
                named = named | said if naming else said
                dealing, begun = False, True
            naming = fact.verb == CHOSEN
            # Where piles are made later the table is laid again.
            dealing = dealing or fact.verb == _DEAL or (fact.verb == _LAID and not begun)
            drawing = _drawing(fact)
            told.append(sentence(fact, names, legend, you))
            passing = None
            continue
        naming = False
        together.append(fact)
        if after is not None and _target(after) == target:
            told.append(None)
            continue
        if passing is not None and not dealing and _goes_on(passing, together):
            # The sentence before this one is of no interest: the cards lie elsewhere already.
            told[-1] = None
            together = passing
        moved = _Movement(target, together, speaker, places)
        line = moved.told(named, dealing)
        if line and drawing is not None and drawing == you == _owner(target):
            # Which card that was says it all.
            told[-1] = None
        drawing = None
        told.append(line)
        # Cards that have been played may move on, and no sentence has reported that.
        named -= {*moved.tokens, *moved.sources}
        passing, together = together if line else None, []
    return told


def _drawing(fact: Fact) -> Seat | None:
    """The seat that takes an unseen card by this move, and nothing else."""
    seat = fact.args.get("seat")
    takes = fact.verb == CHOSEN and str(fact.args.get("action")).startswith("take from ")
    return seat if takes and isinstance(seat, int) else None


def _goes_on(before: Sequence[Fact], facts: Sequence[Fact]) -> bool:
    """Whether one movement moves exactly the cards that another has just moved."""
    if len(before) != 1 or len(facts) != 1:
        return False
    (first,), (second,) = before, facts
    same = first.args.get("count") == second.args.get("count") and (
        sorted(_tokens(before)) == sorted(_tokens(facts))
    )
    return same and second.args.get("source") == _target(first)


def _target(fact: Fact) -> ZoneId | None:
    target = fact.args.get("target")
    return target if fact.verb == MOVED and isinstance(target, str) else None


class _Movement:
    """Cards that go to one place, in the words of a player who watches the table."""

    def __init__(
        self, target: ZoneId, facts: Sequence[Fact], speaker: Speaker, places: TableZones
    ) -> None:
        self.target = target
        self.speaker = speaker
        self.places = places
        self.tokens = _tokens(facts)
        self.sources = list(dict.fromkeys(str(fact.args.get("source")) for fact in facts))
        counts = [each for each in (fact.args.get("count") for fact in facts) if type(each) is int]
        self.backs = sum(counts)
        changes = (change for fact in facts for change in fact.changes)
        self.hidden = any(isinstance(change, Move) and change.hidden for change in changes)
        self.texts = spoken().movements

    def told(self, named: set[Token], dealing: bool) -> str | None:
        """The sentence; None if players `named` what moves before, or would say nothing of it."""
        if self.tokens and named.issuperset(self.tokens):
            return None
        if not self.tokens and self._is_counted(named):
            return None
        if not (self.tokens or self.backs) or self.sources == [self.target]:
            return None
        owners = {_owner(zone) for zone in self.sources}
        owner = _owner(self.target)
        if all(self.places.lies(zone) == TRICK for zone in self.sources):
            return None if owner is None else self._of(owner, "takes_trick")
        if owner is None:
            return self._to_table(dealing)
        if owners == {None}:
            return self._from_table(owner, dealing)
        giver = owners.pop()
        if owners or len(self.sources) > 1 or giver is None:
            return self._goes("gathered")
        if giver != owner:
            return self._of(giver, "gives", receiver=owner)
        hint = self.places.kind(self.target)
        under = self.sources[0].split("/")
        if hint is not None and self.tokens and hint.over == under[0]:
            return self._of(owner, "uncovers")
        return self._goes("gathered")

    def _is_counted(self, named: set[Token]) -> bool:
        """Whether the words of a move told the backs: one by its pile, several by their number."""
        if self.backs == 1:
            return named.issuperset(self.sources)
        return {str(self.backs), self.target} <= named

    def _to_table(self, dealing: bool) -> str | None:
        # What is put back to where nobody sees it says nothing.
        if self.hidden or (dealing and not self.tokens):
            return None
        if len(self.sources) > 1:
            return self._goes("gathered")
        (source,) = self.sources
        covered = dealing or self.places.is_covered(source)
        if self.tokens and _owner(source) is None and covered:
            return self._goes("turned")
        return self._goes("moved")

    def _from_table(self, owner: Seat, dealing: bool) -> str | None:
        count = len(self.tokens) + self.backs
        dealt = dealing or count >= _DEALT
        if self.places.lies(self.target) == HAND and dealt:
            return self._of(owner, "is_dealt")
        if dealing:
            return None
        drawn = count == 1 and self.places.is_covered(self.sources[0])
        if self.places.lies(self.target) == HAND or len(self.sources) > 1 or drawn:
            return self._of(owner, "draws")
        return self._of(owner, "gets")

    def _of(self, owner: Seat, text: str, **args: Value) -> str | None:
        """A sentence about a player, with the words for the reader where they are that player."""
        reader = owner == self.speaker.you
        template = self.texts[f"{text}_you" if reader else text]
        return self._filled(template, "some", {"who": owner, **args}) or None

    def _goes(self, text: str) -> str:
        said = self._filled(self.texts[text], "backs", {})
        return said[:1].upper() + said[1:]

    def _filled(self, template: str, backs: str, args: Mapping[str, Value]) -> str:
        speaker = self.speaker
        shown = [speaker.say("cards", " ".join(self.tokens))] if self.tokens else []
        shown += [speaker.fill(self.texts[backs], {"count": self.backs})] if self.backs else []
        said: dict[str, Value] = {"what": f" {spoken().words['and']} ".join(shown)}
        said |= {"count": len(self.tokens) + self.backs, "to": self._place(self.target)}
        return speaker.fill(template, {**said, "from": self._place(self.sources[0]), **args})

    def _place(self, zone: ZoneId) -> str:
        """The name of a zone: ``your hand``, ``Ann's row 2``, ``the stock``."""
        kind, *others = zone.split("/")
        slot = "/".join(others[1:])
        name = " ".join(map(isolated, filter(None, (self.places.title(kind), slot))))
        owner = _owner(zone)
        if owner is not None:
            return self.speaker.fill(self.texts["owned"], {"who": owner, "name": name})
        return self.speaker.fill(self.texts["shared"], {"name": name})


def _tokens(facts: Iterable[Fact]) -> list[Token]:
    """The visible cards of a movement."""
    cards = (fact.args.get("cards") for fact in facts)
    return [token for each in cards if isinstance(each, str) for token in each.split(" ")]


def _owner(zone: ZoneId) -> Seat | None:
    """The seat that a zone belongs to; None if it is the table's."""
    _, _, rest = zone.partition("/")
    owner = rest.partition("/")[0]
    return int(owner) if _SEAT.fullmatch(owner) else None
