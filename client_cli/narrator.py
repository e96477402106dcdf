"""Events in sentences: one line for each thing that a person at the table would notice."""

from collections.abc import Iterable, Sequence
from functools import partial

from client_cli.card_labels import CardLabels
from client_cli.names import a_bot, seat_name, seat_names, title_of
from client_cli.tell import has_text, tell
from client_cli.text import Line, Look, Span, clean, line, words
from client_cli.warm_ups import warm_up_text
from engine.facts import Fact, Seat
from protocol.client_events import (
    Answered,
    Chatted,
    ClientEvent,
    Disconnected,
    Noticed,
    PresenceChanged,
    Reconnected,
    TableClosed,
    TableEvent,
)
from protocol.mirror import TableMirror
from protocol.texts import parting, sentence
from protocol.texts import sentences as told_facts
from protocol.texts.movements import MOVED, TableZones
from protocol.to_client import Asked, ChatNotice, Error, Notice


def narrate(client_event: ClientEvent, look: Look) -> list[Line]:
    """The sentences for `client_event`; none if a person need not know."""
    match client_event:
        case TableEvent():
            told = _sentences(client_event, look)
        case Chatted(ChatNotice(seat=None, apart=False, text=text)):
            # Not as a line of chat: a player may have the name that stands in the message.
            told = [_warning(clean(_announcement(text), look))]
        case Chatted(chat):
            told = [_chat(chat, look)]
        case PresenceChanged(mirror, presence, True) if presence.seat != mirror.seat:
            name = seat_name(mirror.info, presence.seat, look)
            told = [_dim(tell("talk.away" if presence.away else "talk.back", name=name))]
        case Noticed(Notice(kind="warming" | "warmed" | "not_warmed") as notice, mirror) if mirror:
            told = [_dim(warm_up_text(notice, mirror, look))]
        case Noticed(Notice(kind="time_up", seats=seats), mirror) if mirror:
            told = [_warning(text) for seat in seats for text in _time_up(seat, mirror, look)]
        case Noticed(Error(id=None, code="forbidden")):
            # The program ends for it, and says the reason then.
            told = []
        case Noticed(notice):
            text = _notice(notice)
            told = [_warning(clean(text, look))] if text else []
        case Answered(_, Asked(seconds=seconds)):
            told = [_warning(tell("told.joining", seconds=f"{seconds:.0f}"))]
        case TableClosed(mirror) if any(fact.verb == "table_closed" for fact in mirror.facts[-1:]):
            # The last event has said why.
            told = []
        case TableClosed(_, reason):
            told = [_warning(clean(parting(reason), look))]
        case Disconnected(reason):
            told = [_warning(tell("told.lost", why=clean(reason, look)))]
        case Reconnected():
            told = [line(Span(tell("told.connected"), "good"))]
        case _:
            told = []
    return [piece for each in told for piece in words(each, look.width, indent=2)]


def sentences(
    facts: Iterable[Fact],
    mirror: TableMirror,
    look: Look,
    names: Sequence[str] | None = None,
    before: TableMirror | None = None,
) -> list[Line]:
    """A line for each of `facts` that needs one; `names` by seat, if not the present ones.

    With the table `before` them the lines name the bot that takes or loses a seat.
    """
    labels = CardLabels(mirror.legend, look)
    names = seat_names(mirror.info, look) if names is None else names
    facts = tuple(facts)
    title = partial(title_of, table=mirror, look=look)
    places = TableZones(title, mirror.layout, mirror.view.zones)
    texts = told_facts(facts, names, labels.named, mirror.seat, places)
    lines: list[Line] = []
    for fact, text in zip(facts, texts, strict=True):
        if fact.verb == "player_moved":
            text = sentence(fact, names, labels.named, _reader(fact, mirror))
        elif fact.verb == "bot_added":
            text = _bot_sits(fact, mirror) or text
        if text:
            told = text if before is None else _with_bot(text, fact, before, mirror, look)
            style = "dim" if fact.verb == MOVED else ""
            lines.append(labels.coloured(clean(told, look), style))
    return lines


def _reader(fact: Fact, mirror: TableMirror) -> Seat | None:
    """The reader's seat; for a move of their own to another seat, the old one."""
    moved = fact.verb == "player_moved" and fact.args.get("to") == mirror.seat
    seat = fact.args.get("seat") if moved else mirror.seat
    return seat if isinstance(seat, int) else None


def _with_bot(text: str, fact: Fact, before: TableMirror, mirror: TableMirror, look: Look) -> str:
    """The sentence for a fact, with the bot that takes or had the player's seat."""
    seat, olds, news = fact.args.get("seat"), before.info.seats, mirror.info.seats
    if not isinstance(seat, int) or not 0 <= seat < min(len(olds), len(news)):
        return text
    old, new = olds[seat], news[seat]
    bot = seat_name(before.info if old.kind == "bot" else mirror.info, seat, look)
    match fact.verb, old.kind, new.kind:
        case "player_seated", "bot", "human":
            if seat == mirror.seat:
                return tell("told.you_take", who=bot)
            return tell("told.takes", player=_named(fact, new.name), who=bot)
        case (("player_left" | "player_kicked"), "human", "bot"):
            what = a_bot(new.strength, mirror.bots)
            return tell("told.plays_for", text=text, name=bot, bot=what)
    return text


def _named(fact: Fact, known: str) -> str:
    """The player whom a fact names, with the program that plays for them if any."""
    name, program = str(fact.args.get("name") or known), fact.args.get("program")
    return tell("name.with_program", name=name, program=program) if program else name


def _bot_sits(fact: Fact, mirror: TableMirror) -> str:
    """The sentence for a bot that takes a seat; empty if its name or strength is unknown."""
    strength, name = fact.args.get("strength"), fact.args.get("name")
    if type(strength) is not int or not name:
        return ""
    bot = a_bot(strength, mirror.bots)
    if fact.args.get("seat") == mirror.seat:
        return tell("told.bot_takes", bot=bot)
    return tell("told.bot_sits", name=str(name), bot=bot)


def _sentences(client_event: TableEvent, look: Look) -> list[Line]:
    mirror = client_event.mirror
    # A player who has just left is still known by their name.
    before, after = seat_names(client_event.before.info, look), seat_names(mirror.info, look)
    names = [
        new if chair.name else old
        for chair, old, new in zip(mirror.info.seats, before, after, strict=True)
    ]
    facts = [*_news(client_event.event.facts)]
    # Nobody leaves of themselves while they are away.
    lost = [fact for fact in facts if _was_away(fact, client_event.before)]
    told = [
        line(tell("talk.lost_seat", name=clean(str(fact.args.get("name", "")), look)))
        for fact in lost
    ]
    rest = [fact for fact in facts if fact not in lost]
    return [*told, *sentences(rest, mirror, look, names, client_event.before)]


def _was_away(fact: Fact, before: TableMirror) -> bool:
    seat = fact.args.get("seat")
    if fact.verb != "player_left" or not isinstance(seat, int):
        return False
    return seat < len(before.info.seats) and before.info.seats[seat].away


def _news(facts: Sequence[Fact]) -> Sequence[Fact]:
    """The new facts of an event, without a deal that is told again after an undo."""
    undone = [at for at, fact in enumerate(facts) if fact.verb == "undone"]
    return facts[: undone[-1] + 1] if undone else facts


def _chat(chat: ChatNotice, look: Look) -> Line:
    name = clean(chat.name, look)
    who = tell("told.spectator", name=name) if chat.apart else name
    who = tell("told.said_earlier", who=who) if chat.earlier else who
    phrase = f"quick.{chat.phrase}"
    text = tell(phrase) if has_text(phrase) else chat.text
    return line(Span(f"{who}: ", "strong"), clean(text, look))


def _announcement(text: str) -> str:
    return tell("notice.announcement", text=text)


def _notice(notice: Notice | Error) -> str:
    if isinstance(notice, Error):
        return _announcement(notice.reason)
    match notice.kind:
        case "draining":
            return tell("told.draining")
        case "replaced":
            return tell("told.replaced")
        case "lagging":
            return tell("notice.lagging")
        case "outage":
            return tell("told.outage")
        case "outage_over":
            return tell("told.outage_over")
        case "spectators":
            return tell("told.spectators", count=notice.count or 0)
        case "latecomer":
            name, program = notice.name or tell("name.somebody"), notice.program
            shown = tell("name.with_program", name=name, program=program) if program else name
            asks = tell("told.asks_to_join", shown=shown, name=name)
            return f"{tell('told.same_address')} {asks}" if notice.same_address else asks
        case "latecomer_gone":
            return _no_longer_asks(notice)
        case "announcement":
            return _announcement(notice.reason or "")
        case "refused":
            return tell("notice.refused", reason=notice.reason or "refused")
        case kind:
            return _announcement(f"{kind.replace('_', ' ')}.")


def _time_up(seat: Seat, mirror: TableMirror, look: Look) -> list[str]:
    """The sentence for a player whose time is up, with what the reader can do about it."""
    if seat == mirror.seat:
        return [tell("told.time_up")]
    host, seats = mirror.info.host, mirror.info.seats
    absent = host is None or host == seat or (host < len(seats) and seats[host].away)
    may = mirror.seat is not None and (absent or host == mirror.seat)
    who = seat_name(mirror.info, seat, look)
    if may:
        return [tell("told.their_time_up_auto", who=who, number=seat + 1)]
    return [tell("told.their_time_up", who=who)]


def _no_longer_asks(notice: Notice) -> str:
    """Nothing if the host knows that a request has ended: they decided it, or the player joins."""
    if notice.reason in ("admitted", "refused"):
        return ""
    return tell("notice.latecomer_gone", name=notice.name or tell("name.somebody"))


def _dim(text: str) -> Line:
    return (Span(text, "dim"),)


def _warning(text: str) -> Line:
    return (Span(text, "warn"),)
