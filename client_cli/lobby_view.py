"""A table before the match and lists of tables, drawn as lines."""

from collections.abc import Collection, Mapping, Sequence

from client_cli.grid import Column, grid
from client_cli.lobby_advice import next_step
from client_cli.names import bot_text, numbers_text, seat_name, strengths_text
from client_cli.table_view import title_lines
from client_cli.tell import has_text, tell
from client_cli.text import EMPTY, Line, Look, Span, clean, flow, line, words
from engine.facts import Seat
from protocol.mirror import TableMirror
from protocol.texts import game_title
from protocol.to_client import GameCard, SeatInfo, TableInfo
from protocol.to_server import OptionValue, SettingsInfo


def draw_lobby(table: TableMirror, look: Look) -> list[Line]:
    """The players by seat, who is ready, the options of the match, and what to do next."""
    info = table.info
    rows = range(len(info.seats))
    numbers = Column("", tuple(line(str(seat + 1)) for seat in rows), right=True)
    names = Column("", tuple(_name(info, seat, look) for seat in rows))
    notes = Column("", tuple((Span(seat_note(table, seat), "dim"),) for seat in rows))
    return [
        *title_lines(table, look),
        *grid(numbers, [names, notes], look.width),
        EMPTY,
        *(words((Span(tell("table.seeded_why"), "warn"),), look.width) if info.seeded else ()),
        *_pairs(tell("table.options"), info.options, look),
        *_pairs(tell("table.settings"), settings_of(info.settings), look),
        *words((Span(next_step(table, look), "dim"),), look.width),
    ]


def draw_tables(tables: Sequence[TableInfo], look: Look, own: Collection[str] = ()) -> list[Line]:
    """The tables, numbered from 1; those of one's `own`, by code, are marked."""
    if not tables:
        return [(Span(tell("lists.none"), "dim"),)]
    rows = tuple(tables)
    numbers = Column("", tuple(line(str(at)) for at in range(1, len(rows) + 1)), right=True)
    columns = [
        Column(
            tell("lists.code"), tuple((Span(clean(table.table, look), "strong"),) for table in rows)
        ),
        Column(tell("lists.game"), tuple(line(clean(_title(table), look)) for table in rows)),
        Column("", tuple(line(_phase(table, look)) for table in rows)),
        Column(tell("lists.seats"), tuple(line(taken_text(table)) for table in rows)),
        Column(tell("lists.host"), tuple(line(_host(table, look)) for table in rows)),
    ]
    if any(table.table in own for table in rows):
        marks = (tell("lists.yours") if table.table in own else "" for table in rows)
        columns.append(Column("", tuple((Span(mark, "strong"),) for mark in marks)))
    return grid(numbers, columns, look.width)


def _title(table: TableInfo) -> str:
    return f"{table.title}, {tell('table.seeded')}" if table.seeded else table.title


def draw_games(games: Sequence[GameCard], look: Look) -> list[Line]:
    """The games on offer, by their names for `--create`; games from files are marked."""
    names = Column(
        tell("lists.game"), tuple((Span(clean(short_id(game), look), "strong"),) for game in games)
    )
    columns = [
        Column("", tuple(line(clean(game_title(game.id, game.title), look)) for game in games)),
        Column(tell("lists.players"), tuple(line(numbers_text(game.seats)) for game in games)),
        Column(tell("lists.bots"), tuple(line(strengths_text(game)) for game in games)),
        Column(
            "",
            tuple((Span(tell("lobby.from_file"), "dim"),) if g.described else EMPTY for g in games),
        ),
    ]
    return grid(names, columns, look.width)


def short_id(game: GameCard) -> str:
    """A described game's id without the digest of its text."""
    return game.id.rpartition("@")[0] if game.described else game.id


def _name(info: TableInfo, seat: Seat, look: Look) -> Line:
    if info.seats[seat].kind == "empty":
        return (Span(tell("table.free"), "dim"),)
    program = clean(info.seats[seat].program, look)
    plays = Span(tell("name.program", program=program), "dim") if program else EMPTY
    return line(seat_name(info, seat, look), plays)


def seat_note(table: TableMirror, seat: Seat) -> str:
    """Further words about a seat: ``you, host, ready``."""
    chair = table.info.seats[seat]
    notes = (
        tell("chairs.you") if seat == table.seat else "",
        tell("chairs.host") if seat == table.info.host else "",
        _state(chair, table),
        _team(table, seat),
    )
    return ", ".join(filter(None, notes))


def _team(table: TableMirror, seat: Seat) -> str:
    """The reader's partners; to a spectator the number of the team."""
    if not any(len(seats) > 1 for seats in table.teams):
        return ""
    team = next((at for at, seats in enumerate(table.teams) if seat in seats), None)
    if team is None or seat == table.seat:
        return ""
    if table.seat is None:
        return tell("chairs.team", team=team + 1)
    return tell("table.your_partner") if table.seat in table.teams[team] else ""


def _state(chair: SeatInfo, table: TableMirror) -> str:
    if chair.kind == "bot":
        return bot_text(chair.strength, table.bots)
    if chair.kind == "empty":
        return ""
    if chair.away:
        return tell("chairs.away")
    return tell("chairs.ready" if chair.ready else "table.not_ready")


def settings_of(settings: SettingsInfo) -> Mapping[str, OptionValue]:
    """The settings, by their names for `set`."""
    return {
        name: "default" if value is None else value if isinstance(value, bool | int) else str(value)
        for name, value in settings.model_dump().items()
    }


def _pairs(name: str, pairs: Mapping[str, OptionValue], look: Look) -> list[Line]:
    items = (
        line(Span(f"{clean(key, look)}="), _value(value, look)) for key, value in pairs.items()
    )
    return flow(items, look.width, lead=(Span(f"{name:9}", "dim"),)) if pairs else []


def _value(value: OptionValue, look: Look) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return clean(str(value), look)


def taken_text(table: TableInfo) -> str:
    """The number of seats taken: ``2 of 4``."""
    taken = sum(1 for seat in table.seats if seat.kind != "empty")
    return tell("lists.taken", taken=taken, all=len(table.seats))


def _phase(table: TableInfo, look: Look) -> str:
    """The word for a table's phase; an unknown one of a newer server is shown as it is."""
    key = f"lists.phases.{table.phase}"
    return tell(key) if has_text(key) else clean(table.phase, look)


def _host(table: TableInfo, look: Look) -> str:
    return "" if table.host is None else seat_name(table, table.host, look)
