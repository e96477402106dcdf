"""The clients' descriptions of game options and table settings, with help."""

from collections.abc import Sequence

from engine import AnyGame
from engine.game import Option
from engine.phrases import Phrase
from protocol.texts.catalogue import english
from protocol.to_client import OptionBounds, OptionInfo, SettingText
from protocol.wire_form import WireForm, wire_form

SETTINGS: tuple[WireForm, ...] = tuple(
    wire_form(SettingText(name=name, title=each.title, help=each.help, titles=dict(each.words)))
    for name, each in english().settings.items()
)
"""The settings of tables in words."""


def option_infos(game: AnyGame, texts: str) -> tuple[OptionInfo, ...]:
    """Describe the options of `game` for all numbers of players; `texts` as in `option_info`."""
    by_seats = [
        (seats, {option.name: option for option in game.options(seats)})
        for seats in game.info.seats
    ]
    return tuple(
        option_info(
            option,
            texts,
            [
                OptionBounds(seats=seats, default=other.default, low=other.low, high=other.high)
                for seats, options in by_seats
                if (other := options[option.name]) != option
            ],
        )
        for option in game.options(game.info.usual_seats)
    )


def option_info(option: Option, game: str, by_seats: Sequence[OptionBounds] = ()) -> OptionInfo:
    """Describe an option of `game`; the options of described games are ``described``."""
    phrase = Phrase(f"{game}_{option.name}")
    entry = english().phrases.get(phrase.code)
    return OptionInfo(
        name=option.name,
        title=option.title,
        default=option.default,
        low=option.low,
        high=option.high,
        words=option.words,
        phrase=phrase,
        help=entry.help if entry else "",
        titles=dict(entry.words) if entry else {},
        depends=dict(option.depends),
        by_seats=tuple(by_seats),
    )
