"""Bots that are not ready yet, in sentences: what plays or advises meanwhile, and how long."""

from client_cli.names import a_bot, bot_text, level_word, seat_name
from client_cli.tell import tell
from client_cli.text import Look
from engine.facts import Value
from protocol.client_events import ClientEvent, Noticed
from protocol.mirror import TableMirror
from protocol.strengths import Wished, lower_word, plainer_strength
from protocol.to_client import GameCard, HintAnswer, Notice


class StrongHints:
    """Remembers the tables at which the person has read about the bot for strong hints."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def happened(self, event: ClientEvent) -> None:
        """Record that a notice told it."""
        match event:
            case Noticed(Notice(kind="warming" | "not_warmed", seats=()), mirror) if mirror:
                self._told.add(mirror.info.table)
            case Noticed(Notice(kind="warmed", seats=()), mirror) if mirror:
                self._told.discard(mirror.info.table)
            case _:
                pass

    def untold(self, hint: HintAnswer) -> bool:
        """Whether this hint must still tell it, which is recorded."""
        if not hint.weaker:
            self._told.discard(hint.table)
            return False
        first = hint.table not in self._told
        self._told.add(hint.table)
        return first


def warm_up_text(notice: Notice, table: TableMirror, look: Look) -> str:
    """What a notice `warming`, `warmed` or `not_warmed` says; without seats it is about hints."""
    if not notice.seats:
        return _about_hints(notice, table)
    names = [seat_name(table.info, seat, look) for seat in notice.seats]
    time = _seconds(notice.seconds)
    said: dict[str, Value] = {"who": _listed(names), "count": len(names)}
    said |= {"plays": _plays(notice, table, len(names)), "time": time}
    match notice.kind:
        case "warming" if notice.strength is None:
            return tell("bots.warming_seed", **said)
        case "warming":
            return tell("bots.warming", **said)
        case "warmed":
            return tell("bots.warmed", **said)
        case _:
            return tell("bots.not_warmed", **said)


def level_text(card: GameCard, wished: Wished) -> str:
    """That a word names the bot of a lower one, or a weaker bot than intended; else empty."""
    level = level_word(wished) if isinstance(wished, str) else str(wished)
    if lower := lower_word(card, wished):
        return tell("bots.same", level=level, lower=level_word(lower))
    strength = plainer_strength(card, wished)
    if strength is None:
        return ""
    plainer = bot_text(strength, card.bots)
    return tell("bots.plainer", level=level, game=card.title, bot=plainer)


def stronger_text(hint: HintAnswer) -> str:
    """Whether a stronger bot will give hints than the plain one that gave this."""
    if hint.seconds is None:
        return tell("hint.no_stronger")
    return tell("hint.stronger", time=_seconds(hint.seconds))


def _about_hints(notice: Notice, table: TableMirror) -> str:
    said = {"bot": a_bot(notice.strength, table.bots), "time": _seconds(notice.seconds)}
    match notice.kind:
        case "warming" if notice.strength is None:
            return tell("bots.hints_seed", **said)
        case "warming":
            return tell("bots.hints_warming", **said)
        case "warmed":
            return tell("bots.hints_warmed", **said)
        case _:
            return tell("bots.hints_not_warmed", **said)


def _plays(notice: Notice, table: TableMirror, count: int) -> str:
    seats = table.info.seats
    own = {seats[seat].strength for seat in notice.seats if seat < len(seats)}
    if notice.kind != "warmed" and own == {notice.strength}:
        # A plainer relative stands in, which has no number of its own and never searches.
        return tell("bots.simply", count=count)
    return tell("bots.like", count=count, bot=a_bot(notice.strength, table.bots))


def _seconds(left: float | None) -> str:
    """An approximate duration as text; the server guesses, so no exact figure is shown.

    >>> _seconds(23)
    'about 25 s'
    """
    seconds = round(left or 1)
    return tell("hint.about", seconds=seconds if seconds < 10 else 5 * round(seconds / 5))


def _listed(names: list[str]) -> str:
    """Names as text: ``Ada``, ``Ada and Carl``, ``Ada, Blaise and Carl``."""
    *more, last = names
    return tell("bots.list", more=", ".join(more), last=last) if more else last
