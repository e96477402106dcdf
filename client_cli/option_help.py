"""The meaning of a game's options and a table's settings, for a person who may set them."""

from collections.abc import Iterator, Mapping
from functools import reduce

from client_cli.names import yes_or_no
from client_cli.tell import tell
from client_cli.text import Look, clean
from protocol.texts import worded
from protocol.texts.language import language, spoken
from protocol.to_client import GameList, OptionInfo, SettingText
from protocol.to_server import OptionValue


def option_help(
    answer: GameList, chosen: Mapping[str, OptionValue], look: Look, seats: int | None = None
) -> list[tuple[str, str]]:
    """Each option and setting as one types it, with its meaning.

    Options have the values `chosen` at a table of so many `seats`. Without a table they have their
    defaults, and name the numbers of players for which these differ.
    """
    (game,) = answer.games
    options = [each if seats is None else each.for_seats(seats) for each in game.options]
    told = [(_typed(each, chosen), " ".join(_option(each, seats is None))) for each in options]
    told += [(each.name, " ".join(_setting(each))) for each in answer.settings]
    return [(clean(typed, look), clean(meaning, look)) for typed, meaning in told]


def _typed(option: OptionInfo, chosen: Mapping[str, OptionValue]) -> str:
    return f"{option.name}={_shown(chosen.get(option.name, option.default))}"


def _option(option: OptionInfo, all_seats: bool) -> Iterator[str]:
    yield worded(option.phrase) or _sentence(option.title)
    own = spoken().phrases.get("" if option.phrase is None else option.phrase.code)
    # A server says help in English.
    other_language = language() != "en" and own is not None
    if help_text := own.help if other_language and own is not None else option.help:
        yield help_text
    yield from _values({**option.titles, **(own.words if other_language and own else {})})
    if option.low is not None and option.high is not None:
        yield tell("options.bounds", low=option.low, high=option.high)
    for bounds in option.by_seats if all_seats else ():
        yield tell("options.by_seats", seats=bounds.seats, value=_shown(bounds.default))
        if bounds.low is not None and bounds.high is not None:
            yield tell("options.bounds", low=bounds.low, high=bounds.high)
    for other, values in option.depends.items():
        ways = [f"{other}={_shown(value)}" for value in values]
        either = reduce(lambda one, another: tell("options.or", one=one, another=another), ways)
        yield tell("options.only", others=either)


def _setting(setting: SettingText) -> Iterator[str]:
    known = spoken().settings.get(setting.name) if language() != "en" else None
    yield setting.title if known is None else known.title
    yield setting.help if known is None else known.help
    yield from _values(setting.titles if known is None else known.words)


def _values(titles: Mapping[str, str]) -> Iterator[str]:
    if titles:
        yield "; ".join(f"{word}: {title}" for word, title in titles.items()) + "."


def _shown(value: OptionValue) -> str:
    if isinstance(value, bool):
        return yes_or_no(value)
    return str(value)


def _sentence(title: str) -> str:
    return f"{title[:1].upper()}{title[1:]}."
