"""What the options of a game and the settings of its table mean, for a person who may set them."""

from collections.abc import Iterator, Mapping

from client_cli.text import Look, clean
from protocol.texts import worded
from protocol.to_client import GameList, OptionInfo, SettingText, TableInfo
from protocol.to_server import OptionValue


def option_help(answer: GameList, info: TableInfo, look: Look) -> list[tuple[str, str]]:
    """Each option as one would type it at this table, and each setting, with what it means."""
    (game,) = answer.games
    told = [(_typed(each, info), " ".join(_option(each))) for each in game.options]
    told += [(each.name, " ".join(_setting(each))) for each in answer.settings]
    return [(clean(typed, look), clean(meaning, look)) for typed, meaning in told]


def _typed(option: OptionInfo, info: TableInfo) -> str:
    return f"{option.name}={_shown(info.options.get(option.name, option.default))}"


def _option(option: OptionInfo) -> Iterator[str]:
    yield worded(option.phrase) or _sentence(option.title)
    if option.help:
        yield option.help
    yield from _values(option.titles)
    if option.low is not None and option.high is not None:
        yield f"From {option.low} to {option.high}."
    for other, values in option.depends.items():
        yield f"Only with {' or '.join(f'{other}={_shown(value)}' for value in values)}."


def _setting(setting: SettingText) -> Iterator[str]:
    yield setting.title
    yield setting.help
    yield from _values(setting.titles)


def _values(titles: Mapping[str, str]) -> Iterator[str]:
    if titles:
        yield "; ".join(f"{word}: {title}" for word, title in titles.items()) + "."


def _shown(value: OptionValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _sentence(title: str) -> str:
    return f"{title[:1].upper()}{title[1:]}."
