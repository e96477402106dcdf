"""Options of games and settings of tables as clients are told them, with help."""

from engine.game import Option
from engine.phrases import Phrase
from protocol.texts.catalogue import english
from protocol.to_client import OptionInfo, SettingText
from protocol.wire_form import WireForm, wire_form

SETTINGS: tuple[WireForm, ...] = tuple(
    wire_form(SettingText(name=name, title=each.title, help=each.help, titles=dict(each.words)))
    for name, each in english().settings.items()
)
"""The settings of tables in words."""


def option_info(option: Option, game: str) -> OptionInfo:
    """An option of `game`, which is ``described`` for those of files."""
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
    )
