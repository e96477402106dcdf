"""Mutations of our games: forms dropped, doubled, exchanged or replaced."""

from functools import lru_cache
from random import Random

from engine.recycle.games import description
from engine.recycle.limits import TEXT_LIMITS
from engine.recycle.problems import Report
from engine.recycle.reading.forms import Form, Item, read
from engine.recycle.source_text import Span


def mutated(name: str, rng: Random, times: int, other: str) -> str:
    """One of our games after `changes` random changes; forms may come from the `other` game.

    Three changes of four put something where its like was, so that many results can be played.
    """
    text = description(name)
    for _ in range(times):
        change = _alike if rng.random() < 0.75 else _anyhow
        text = change(text, rng.choice((text, description(other))), rng)
    return text


def _alike(text: str, other: str, rng: Random) -> str:
    """Replace a form by one with an equal first word, or a word by one of its sort."""
    item = rng.choice(_items(text))
    like = [each for each in _items(other) if _sort(each) == _sort(item)] or [item]
    return _put(text, item.span, rng.choice(like).span.of(other))


def _anyhow(text: str, other: str, rng: Random) -> str:
    """Drop, double, replace or exchange any item."""
    one, two = sorted((item.span for item in rng.sample(_items(text), 2)), key=lambda s: s.start)
    match rng.randrange(4):
        case 0:
            return _put(text, two, "")
        case 1:
            return _put(text, two, f"{two.of(text)} {two.of(text)}")
        case 2 if one.end <= two.start:
            return _put(_put(text, two, one.of(text)), one, two.of(text))
        case _:
            return _put(text, two, rng.choice(_items(other)).span.of(other))


def _put(text: str, span: Span, new: str) -> str:
    return text[: span.start] + new + text[span.end :]


def _sort(item: Item) -> str:
    """The sort of an item: a form's first word, or the kind of a word."""
    return f"({item.head}" if isinstance(item, Form) else item.sort.name


@lru_cache(16)
def _items(text: str) -> tuple[Item, ...]:
    """Every form and word within the description, or the whole if there is none."""
    form = read(text, Report(text, TEXT_LIMITS.problems)).form
    assert form is not None
    waiting: list[Item] = [*form.items]
    found: list[Item] = [form, form]
    while waiting:
        item = waiting.pop()
        found.append(item)
        if isinstance(item, Form):
            waiting += item.items
    return tuple(found)
