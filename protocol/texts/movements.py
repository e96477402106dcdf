"""A sentence for each fact, also for cards that move without a verb of their own.

A described game says what moves and not what it means: ``2♣ 3♣ go from the trick to your hand.``
The page has the same in `client_web/movements.js`.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest

from engine.cards import LegendCard, Token
from engine.facts import Fact, Seat, Value, ZoneId
from protocol.isolates import isolated
from protocol.texts.language import spoken
from protocol.texts.sentences import sentence
from protocol.texts.speaker import Speaker

MOVED, CHOSEN = "cards_moved", "option_taken"
_SEAT = re.compile("[0-9]{1,3}", re.ASCII)


def sentences(
    facts: Sequence[Fact],
    names: Sequence[str],
    legend: Sequence[LegendCard],
    you: Seat | None,
    title: Callable[[str], str],
) -> list[str | None]:
    """A sentence for each of `facts`, or None for one that needs no line.

    Successive movements to one place are told together, with the last of them; so are two of the
    same cards, one after the other. What a player has named just before, cards or the pile of one
    that is hidden, is not told again.
    `title` is what a kind of zones is called.
    """
    speaker = Speaker(names, legend, you)
    told: list[str | None] = []
    together: list[Fact] = []
    # Where the cards of the movement before this one came from; None if other facts lie between.
    passing: list[Fact] | None = None
    named: set[Token] = set()
    for fact, after in zip_longest(facts, facts[1:]):
        target = _target(fact)
        if target is None:
            if fact.verb == CHOSEN:
                named = set(str(fact.args.get("action")).replace(",", "").split(" "))
            told.append(sentence(fact, names, legend, you))
            passing = None
            continue
        together.append(fact)
        if after is not None and _target(after) == target:
            told.append(None)
            continue
        if passing is not None and _goes_on(passing, together):
            # The sentence before this one is of no interest: the cards lie elsewhere already.
            told[-1] = None
            together = passing
        said = _movement(target, together, named, speaker, title)
        told.append(said)
        # Cards that have been played may move on, and no sentence has reported that.
        named -= {*_tokens(together), *_sources(together)}
        passing, together = together if said else None, []
    return told


def _goes_on(before: Sequence[Fact], facts: Sequence[Fact]) -> bool:
    """Whether one movement moves exactly the cards that another has just moved."""
    if len(before) != 1 or len(facts) != 1:
        return False
    (first,), (second,) = before, facts
    same = all(first.args.get(name) == second.args.get(name) for name in ("cards", "count"))
    return same and second.args.get("source") == _target(first)


def _target(fact: Fact) -> ZoneId | None:
    target = fact.args.get("target")
    return target if fact.verb == MOVED and isinstance(target, str) else None


def _movement(
    target: ZoneId,
    facts: Sequence[Fact],
    named: set[Token],
    speaker: Speaker,
    title: Callable[[str], str],
) -> str | None:
    """The sentence of a movement, with the source if there is only one."""
    args = [fact.args for fact in facts]
    tokens = _tokens(facts)
    if tokens and named.issuperset(tokens):
        return None
    counts = [each for each in (arg.get("count") for arg in args) if type(each) is int]
    backs = sum(counts)
    if backs == 1 and not tokens and named.issuperset(_sources(facts)):
        return None
    texts = spoken().movements
    shown = [speaker.say("cards", " ".join(tokens))] if tokens else []
    shown += [speaker.fill(texts["backs"], {"count": backs})] if backs else []
    if not shown:
        return None
    said: dict[str, Value] = {"what": f" {spoken().words['and']} ".join(shown)}
    said |= {"count": len(tokens) + backs, "to": _place(target, speaker, title)}
    sources = {str(arg.get("source")) for arg in args}
    if len(sources) > 1:
        return speaker.fill(texts["gathered"], said)
    origin = _place(sources.pop(), speaker, title)
    return speaker.fill(texts["moved"], {**said, "from": origin})


def _tokens(facts: Iterable[Fact]) -> list[Token]:
    """The visible cards of a movement."""
    cards = (fact.args.get("cards") for fact in facts)
    return [token for each in cards if isinstance(each, str) for token in each.split(" ")]


def _sources(facts: Iterable[Fact]) -> list[str]:
    """The zones that cards leave."""
    return [str(fact.args.get("source")) for fact in facts]


def _place(zone: ZoneId, speaker: Speaker, title: Callable[[str], str]) -> str:
    """The name of a zone: ``your hand``, ``Ann's row 2``, ``the stock``."""
    kind, *others = zone.split("/")
    owner, slot = others[0] if others else "", "/".join(others[1:])
    name = " ".join(map(isolated, filter(None, (title(kind), slot))))
    texts = spoken().movements
    if _SEAT.fullmatch(owner):
        return speaker.fill(texts["owned"], {"who": int(owner), "name": name})
    return speaker.fill(texts["shared"], {"name": name})
