"""Names as a terminal shows them: of seats, of values, and the parts of a zone's name."""

import re
from collections.abc import Sequence

from client_cli.tell import has_text, tell
from client_cli.text import Look, clean
from engine.facts import Seat, Value, ZoneId
from engine.labels import Label
from protocol.mirror import TableMirror
from protocol.texts.language import spoken
from protocol.to_client import GameCard, StrengthInfo, TableInfo

TEAM_TOTAL = "team_total"
"""The kind of the values that say what each player of a team has in total."""

_MOST_NAMED = 2
_NOTHING = "NONE"
"""What a description calls a value that it has not yet set."""
_SEAT = re.compile("[0-9]{1,3}")


def seat_name(info: TableInfo, seat: Seat | None, look: Look) -> str:
    """The name of the player at a seat, with the seat (from 1) if two have the same name.

    ``seat 3`` if nobody sits there, ``Ann (2)`` if another Ann sits at the table.
    """
    if seat is None:
        return tell("name.nobody")
    names = [clean(chair.name, look).strip() for chair in info.seats]
    name = names[seat] if 0 <= seat < len(names) else ""
    if not name:
        return tell("name.seat", place=seat)
    alone = names.count(name) == 1 and not info.seats[seat].alike
    return name if alone else f"{name} ({seat + 1})"


def seat_names(info: TableInfo, look: Look) -> list[str]:
    """All names, by seat."""
    return [seat_name(info, seat, look) for seat in range(len(info.seats))]


def bot_text(strength: int | None, bots: Sequence[StrengthInfo]) -> str:
    """A bot in a word or two: ``easy bot``, or with its number if it has no word.

    If there are several words the first counts: nobody takes an easy bot for a strong one.

    >>> bots = (StrengthInfo(strength=1, levels=("easy", "medium")), StrengthInfo(strength=2))
    >>> bot_text(1, bots), bot_text(2, bots), bot_text(None, bots)
    ('easy bot', 'bot 2', 'bot')
    """
    if word := _word_for(strength, bots):
        return tell("bots.level", level=level_word(word))
    return tell("bots.any") if strength is None else tell("bots.number", strength=strength)


def a_bot(strength: int | None, bots: Sequence[StrengthInfo]) -> str:
    """A bot in a sentence: ``an easy bot``, ``a bot of strength 2``.

    >>> a_bot(1, (StrengthInfo(strength=1, levels=("easy",)),)), a_bot(2, ()), a_bot(None, ())
    ('an easy bot', 'a bot of strength 2', 'a bot')
    """
    if word := _word_for(strength, bots):
        known = f"name.bot_{word}"
        return tell(known if has_text(known) else "name.bot")
    return tell("name.bot") if strength is None else tell("name.bot_of", strength=strength)


def strengths_text(card: GameCard) -> str:
    """The words for the strengths of a game's bots, or their numbers if it has no words.

    A word that names a weaker bot than intended is left out. ``easy = medium, strong`` if two words
    name one bot.
    """
    same = (
        " = ".join(level_word(word) for word in bot.levels if word not in card.lowered)
        for bot in card.bots
    )
    return ", ".join(filter(None, same)) or numbers_text(card.strengths)


def numbers_text(numbers: Sequence[int]) -> str:
    """Numbers as text: ``2 to 8``, or ``2, 4`` if some between are missing."""
    if len(numbers) > 2 and list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return tell("name.range", low=numbers[0], high=numbers[-1])
    return ", ".join(map(str, numbers))


def count_text(least: int, most: int) -> str:
    """A count as text: ``3``, or ``1 to 3``."""
    return str(most) if least == most else tell("name.range", low=least, high=most)


def level_word(level: str) -> str:
    """The name of a level of bots: ``easy``; an unknown one of a newer server as it is."""
    key = f"levels.{level}"
    return tell(key) if has_text(key) else level


def bots_how(card: GameCard, bot: StrengthInfo) -> str:
    """How a bot thinks: translated for games that ship, else the server's English."""
    bots = spoken().bots
    own = {} if card.described else bots.get(card.id, {})
    return own.get(bot.strength) or bots.get("", {}).get(bot.strength) or bot.how


def decimal(number: str) -> str:
    """A number with the usual decimal sign of the current language."""
    return number.replace(".", spoken().words["point"])


def yes_or_no(value: bool) -> str:
    """The word for yes or no."""
    return spoken().words["yes" if value else "no"]


def _word_for(strength: int | None, bots: Sequence[StrengthInfo]) -> str | None:
    """The lowest word for a strength, None if there is none."""
    return next((bot.levels[0] for bot in bots if bot.strength == strength and bot.levels), None)


def plays_alone(table: TableMirror) -> bool:
    """Whether only one person sits at the table."""
    return sum(chair.kind == "human" for chair in table.info.seats) == 1


def is_single(table: TableMirror) -> bool:
    """Whether this is a match of one deal that still goes on: there is no total yet."""
    return table.info.options.get("deals") == 1 and table.info.phase == "playing"


def waiting_for(table: TableMirror, look: Look) -> str:
    """For whom the table waits: ``Carl is thinking``; empty if only for the reader."""
    others = [seat for seat in table.question.to_act if seat != table.seat]
    if table.info.phase != "playing" or not others or table.my_turn:
        return ""
    names = [seat_name(table.info, seat, look) for seat in others]
    if len(names) > _MOST_NAMED:
        return tell("prompt.thinking_many", count=len(names))
    if len(names) == _MOST_NAMED:
        return tell("prompt.thinking_two", one=names[0], another=names[1])
    return tell("prompt.thinking", name=names[0])


def value_text(value: Value, look: Look) -> str:
    """A value of a view as text: ``yes`` or ``no``, numbers with commas, cleaned words."""
    if isinstance(value, bool):
        return yes_or_no(value)
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return clean(str(value), look)


def label_of(kind: str, labels: Sequence[Label]) -> Label:
    """The title of the zones or values of this kind by the game; their own name otherwise."""
    return next((each for each in labels if each.kind == kind), None) or Label(
        kind, kind.removesuffix("_team").replace("_", " ")
    )


def title_of(kind: str, table: TableMirror, look: Look) -> str:
    """The title of the zones or values of this kind."""
    return clean(titled(table.title(kind), table), look)


def titled(text: str, table: TableMirror) -> str:
    """A title or word, translated into the current language if known there."""
    titles = spoken().titles
    own = titles.get(table.info.game, {}).get(text)
    return own or titles.get("", {}).get(text, text)


def is_shown(kind: str, table: TableMirror) -> bool:
    """Whether the values of this kind are for people."""
    return label_of(kind, table.labels).holds != "nothing"


def told_value(kind: str, value: Value, table: TableMirror, look: Look) -> str:
    """A value as its label says: the name of a player, the labels of cards, or text."""
    label = label_of(kind, table.labels)
    if label.holds == "seat" and type(value) is int:
        seat = value - label.first
        if 0 <= seat < len(table.info.seats):
            return seat_name(table.info, seat, look)
        return "" if value == 0 else str(value)
    if label.holds == "cards" and isinstance(value, str):
        known = {card.token: card.label for card in table.legend} if look.symbols else {}
        return " ".join(clean(known.get(token, token), look) for token in value.split(" "))
    if value == _NOTHING:
        return ""
    if isinstance(value, str) and len(value) > 1 and value.isalpha() and value.isupper():
        # A word of a description is written as in its moves; a card's token stays.
        known_tokens = {card.token for card in table.legend}
        return value_text(value if value in known_tokens else value.lower(), look)
    return value_text(titled(value, table) if isinstance(value, str) else value, look)


def minutes(seconds: int) -> str:
    """A time as a clock shows it.

    >>> minutes(300), minutes(59)
    ('5:00', '0:59')
    """
    return f"{seconds // 60}:{seconds % 60:02}"


def kind_of(zone: ZoneId) -> str:
    """The kind in a zone's or a value's name: ``hand`` of ``hand/2``."""
    return zone.split("/")[0]


def seat_of(zone: ZoneId) -> Seat | None:
    """The seat in a zone's or a value's name; None without a number."""
    owner = zone.split("/")[1:2]
    return int(owner[0]) if owner and _SEAT.fullmatch(owner[0]) else None


def team_of(key: str) -> int | None:
    """The number, from 0, of the team that a value such as ``score_team/1`` belongs to."""
    kind = kind_of(key)
    return seat_of(key) if kind == TEAM_TOTAL or kind.endswith("_team") else None


def slot_of(zone: ZoneId) -> str:
    """The part of a zone's name after kind and owner, empty if there is none."""
    return "/".join(zone.split("/")[2:])
