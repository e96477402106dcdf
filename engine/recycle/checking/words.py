"""Attributes and values that no card has: misspelt, most of the time."""

from collections.abc import Iterable, Mapping

from engine.recycle import syntax
from engine.recycle.limits import TextLimits
from engine.recycle.problems import Code, Report, did_you_mean
from engine.recycle.syntax import walk


def check(game: syntax.Game, report: Report, limits: TextLimits) -> None:
    """Warn of attributes and values that no card has."""
    values: dict[str, set[str]] = {}
    for node in walk(game):
        if isinstance(node, syntax.DeckAttribute):
            values.setdefault(node.key, set()).update(each.value for each in node.values)
    for node in walk(game):
        match node:
            case syntax.CardAttribute(key) | syntax.Partition(key):
                _key(key, values, report)
            case syntax.Award(conditions):
                for key, value in conditions:
                    _key(key, values, report)
                    _value(key, value, values, report)
            case syntax.Same(syntax.CardAttribute(key), syntax.Name() as value) | syntax.Same(
                syntax.Name() as value, syntax.CardAttribute(key)
            ):
                _value(key, value, values, report)


def _key(key: syntax.String, values: Iterable[str], report: Report) -> None:
    if isinstance(key, syntax.Name) and key.text not in values:
        message, expected = "no card has this attribute", _some(values)
        hint = did_you_mean(key.text, values)
        report(Code.UNKNOWN_ATTRIBUTE, key.at, message, expected, hint, warning=True)


def _value(
    key: syntax.String, value: syntax.String, values: Mapping[str, set[str]], report: Report
) -> None:
    if not isinstance(key, syntax.Name) or not isinstance(value, syntax.Name):
        return
    if key.text not in values or value.text in values[key.text]:
        return
    others = sorted(other for other, known in values.items() if value.text in known)
    near = did_you_mean(value.text, values[key.text])
    hint = f"it is a {others[0]}" if others else near
    message, expected = f"no card has this {key.text}", _some(values[key.text])
    report(Code.UNKNOWN_VALUE, value.at, message, expected, hint, warning=True)


def _some(words: Iterable[str]) -> str:
    """A few of the words, for an error message."""
    known = sorted(words)
    return ", ".join(known[:6]) + (" …" if len(known) > 6 else "")
