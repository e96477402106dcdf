"""The wire form of a table: messages for one viewer, ready to be encoded."""

from collections.abc import Collection, Set

from engine import AnyGame
from engine.facts import Seat, Viewer
from engine.views import EMPTY_VIEW, View, for_people
from protocol.features import FIRST_FORM, INTERNAL_VALUES, LEGENDS
from protocol.look_alikes import is_alike
from protocol.message import Phase
from protocol.to_client import SeatInfo, TableInfo
from protocol.visible_text import shown_name
from protocol.wire_form import (
    QuestionParts,
    WireForm,
    facts_form,
    question_form,
    snapshot_message,
    wire_form,
)
from server.games.legends import legend_of
from server.table.choices_told import choices_told
from server.table.clocks import Clocks
from server.table.history import PlayerFacts
from server.table.settings import told_settings
from server.table.state import Phase as TablePhase
from server.table.state import TableState
from server.table.table import Table


def info_of(table: Table) -> WireForm:
    """Return the public details of the table beside its cards."""
    return info_at(table, table.state)


def info_at(table: Table, state: TableState, *, present: bool = True) -> WireForm:
    """`info_message` of a table, made anew only when more than who is away has changed.

    A seat that is taken is stored, listed, told to everybody, and sent to whoever took it.
    """
    whose = (state.chairs, state.host)
    what = (state.phase, state.options, state.settings, state.match, state.practice)
    last = table.last_info
    if last is None or last[0] != (whose, what):
        info = info_message(table.code, table.game, state, table.clocks)
        table.last_info = last = ((whose, what), info)
    info = last[1]
    away = table.clocks.away if present else ()
    if not away:
        return info
    seats = enumerate(info["seats"])
    told = tuple({**each, "away": True} if seat in away else each for seat, each in seats)
    return {**info, "seats": told}


def info_message(
    code: str, game: AnyGame, state: TableState, clocks: Clocks, away: Collection[Seat] = ()
) -> WireForm:
    """Return the public details of a table beside its cards, at `state`.

    The players of the `away` seats are told as absent.
    """
    names = [shown_name(chair.name) if chair.name else "" for chair in state.chairs]
    seats = tuple(
        SeatInfo(
            kind=chair.kind,
            name=names[seat],
            ready=chair.ready,
            strength=chair.strength,
            away=seat in away,
            stand_in=chair.stand_in,
            program=shown_name(chair.program) if chair.program else "",
            alike=is_alike(names[seat], names),
        )
        for seat, chair in enumerate(state.chairs)
    )
    info = TableInfo(
        table=code,
        game=state.game,
        version=state.version,
        title=game.info.title,
        phase=_shown(state.phase),
        host=state.host_seat,
        seats=seats,
        options=dict(state.options),
        settings=told_settings(state.settings, clocks.told_seconds(state)),
        match=state.match,
        practice=state.practice,
        seeded=state.seeded,
    )
    message: WireForm = wire_form(info)
    return message


def _shown(phase: TablePhase) -> Phase:
    """Return the phase for clients: two of the phases last no longer than a commit."""
    if phase == "dealing" or phase == "stopped":
        return "playing"
    return phase


def question_for(
    table: Table, viewer: Viewer, now: float, features: Set[str] = FIRST_FORM
) -> WireForm:
    """Return the question: the players to move, and the choices of `viewer` if they are one.

    `features` are those that the client has asked for.
    """
    return question_form(*with_choices(public_question(table, now), table, viewer, features))


def public_question(table: Table, now: float) -> QuestionParts:
    """Return the question's public part: the players to move."""
    state, clocks = table.state, table.clocks
    left, reserves = clocks.seconds_left(state, now), clocks.reserves(state, now)
    return QuestionParts(state.turn, state.to_act, None, left, reserves)


def with_choices(
    question: QuestionParts, table: Table, viewer: Viewer, features: Set[str]
) -> QuestionParts:
    """Return `question` with the choices of `viewer`, if they are to move."""
    state = table.state
    if viewer not in state.to_act or state.phase != "playing":
        return question
    turn, to_act, _, left, reserves = question
    choices = choices_told(table.game, state.play, viewer, features)
    return QuestionParts(turn, to_act, choices, left, reserves)


def unchanged_message(table: Table, now: float) -> WireForm:
    """Return a table's state outside events, for a returning client that missed none."""
    state, clocks = table.state, table.clocks
    left, reserves = clocks.seconds_left(state, now), clocks.reserves(state, now)
    message: WireForm = {"type": "unchanged", "table": table.code, "info": info_of(table)}
    if left is not None:
        message["clock"] = left
    if reserves:
        message["reserve"] = reserves
    return message


def view_of(table: Table, viewer: Viewer) -> View:
    """Return the cards that `viewer` sees; nothing before a match."""
    play = table.state.play
    return EMPTY_VIEW if play is None else table.game.view(play, viewer)


def shown_view(view: View, features: Set[str]) -> View:
    """Return `view`, with internal values only if the client has asked for them."""
    return view if INTERNAL_VALUES in features else view.for_people()


def past_facts(facts: PlayerFacts, features: Set[str]) -> list[WireForm]:
    """Return the sent form of past facts: only those that the player could see then.

    `features` are those that the client has asked for.
    """
    return facts_form(facts if INTERNAL_VALUES in features else map(for_people, facts))


def snapshot_for(
    table: Table,
    viewer: Viewer,
    now: float,
    features: Set[str] = FIRST_FORM,
    most: int | None = None,
) -> WireForm:
    """Return the table as `viewer` may see it now; a spectator has no seat.

    `features` are those that the client has asked for. It includes the last `most` facts of this
    deal.
    """
    player = table.state.chairs[viewer].player if viewer >= 0 else ""
    playing = table.state.play is not None
    facts = table.history.facts_of_deal(player) if playing else PlayerFacts(())
    legend = legend_of(table.game.info)
    earlier = 0 if most is None else max(0, len(facts) - most)
    return snapshot_message(
        table=table.code,
        seq=table.state.seq,
        seat=viewer if viewer >= 0 else None,
        info=info_of(table),
        view=shown_view(view_of(table, viewer), features),
        facts=past_facts(PlayerFacts(facts[earlier:]), features),
        question=question_for(table, viewer, now, features),
        legend={"digest": legend.digest} if LEGENDS in features else legend.form,
        earlier=earlier,
    )
