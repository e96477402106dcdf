"""The invariants after a scenario in which rules or functions have raised."""

from collections.abc import Iterator

from engine import Catalogue
from server.table.fold import replay
from server.tables.rows import entry_of
from tests.server.faults.scenario import Scenario


def problems_of(scenario: Scenario) -> Iterator[str]:
    """Every broken promise after a scenario, as sentences."""
    yield from scenario.harness.loop_errors
    yield from _unanswered(scenario)
    yield from _left_waiting(scenario)
    yield from _missed(scenario)
    yield from _log(scenario)
    if scenario.harness.failing.raised and scenario.phase() != "closed":
        yield from _goes_on(scenario)


def _unanswered(scenario: Scenario) -> Iterator[str]:
    for client, number, type, _ in scenario.commands:
        answers = client.answers[number]
        if len(answers) != 1:
            codes = [answer.get("code", answer["type"]) for answer in answers]
            yield f"{type} has {len(answers)} answers: {codes}"


def _left_waiting(scenario: Scenario) -> Iterator[str]:
    game_server = scenario.harness.server.game_server
    for client in scenario.harness.everybody:
        if number := game_server.connections.highest_pending(client.player, client.client_id):
            yield f"command {number} is being carried out for ever"
    for table in game_server.live:
        if table.busy:
            yield f"{table.code} waits for the disk"
        due, alarm = table.due(), game_server.live.alarms.at(table.code)
        if due is not None and (alarm is None or alarm > max(due, scenario.harness.server.now)):
            yield f"{table.code} is due at {due}, its alarm is set to {alarm}"
        if not table.state.seq:
            yield f"{table.code} has no entry and is in memory"


def _missed(scenario: Scenario) -> Iterator[str]:
    """Check that everybody has seen every event, or was told of the table's end."""
    state = scenario.harness.known(scenario.code)
    for client in (*scenario.harness.players, scenario.harness.spectator):
        mirror = client.tables.get(scenario.code)
        if client.closed() is not None:
            yield f"{client.player} was hung up on: {client.closed()}"
        elif mirror is not None and state is None:
            yield f"{client.player} was not told that the table is closed"
        elif mirror is not None and state is not None and mirror.seq != state.seq:
            yield f"{client.player} has seen {mirror.seq} of {state.seq}"


def _log(scenario: Scenario) -> Iterator[str]:
    entries = [entry_of(row) for row in scenario.harness.store.logs[scenario.code]]
    if not entries:
        return
    catalogue = Catalogue((scenario.harness.game,))
    last = list(replay(catalogue, entries))[-1][1].state
    state = scenario.harness.known(scenario.code)
    if state is not None and last != state:
        yield "the log does not replay to the table"
    if state is None and last.phase not in ("closed", "paused", "finished"):
        yield f"the table is gone, its log says {last.phase}"
    numbers = [entry.seq for entry in entries]
    if numbers != list(range(1, len(entries) + 1)):
        yield f"numbers are missing in the log: {numbers}"


def _goes_on(scenario: Scenario) -> Iterator[str]:
    """Check that an open table, after its rules raised, has lost nothing."""
    state = scenario.harness.known(scenario.code)
    assert state is not None
    for seat, client in scenario.players_by_seat(state).items():
        mirror = client.tables.get(scenario.code)
        if mirror is None:
            yield f"seat {seat} does not see the table it sits at"
        elif seat in state.to_act and state.phase == "playing" and not mirror.choices:
            yield f"seat {seat} is asked and was offered nothing"
