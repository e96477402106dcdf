"""The effects of an exception in a command or another item of a table's work.

A refusal is answered. An unexpected exception is reported and its command answered `internal`. If
the rules fail at a move that was offered to the player, the match ends; any other such move is
refused.
"""

from engine import AnyGame
from engine.choices import Action
from engine.errors import EngineError, IllegalAction
from engine.facts import Seat
from protocol.errors import ProtocolError
from protocol.to_server import Act
from server.names import CommandKey, Player
from server.refusals import refusal, refused
from server.table.answers import is_final
from server.table.decide import TableCommand
from server.table.effects import Answer, Effect, LogError
from server.table.guarded_game import RulesFailed
from server.table.state import TableState


def failed_work(title: str, key: CommandKey | None, error: Exception) -> list[Effect]:
    """Report an unexpected exception, and answer the command `key` for which it was raised.

    `title` is that of the table's game.
    """
    if isinstance(error, RulesFailed):
        logged = LogError(error.error, rules=True)
        why = refusal("internal", "refused_rules_failed_here", {"game": title})
    else:
        logged, why = LogError(error, rules=False), refusal("internal", "refused_failed_here")
    return [logged] if key is None else [logged, Answer(key, refused(key.command, why))]


def failed_write(key: CommandKey | None) -> list[Effect]:
    """Return the effects of a failed write of entries; `key` names their command, if any."""
    if key is None:
        return []
    return [Answer(key, refused(key.command, refusal("try_again", "refused_not_stored")))]


def failed_command(
    game: AnyGame,
    state: TableState,
    command: TableCommand,
    player: Player,
    key: CommandKey,
    error: Exception,
) -> tuple[list[Effect], RulesFailed | None]:
    """Return the effects of a command that raised, and the rules' fault that ends the match.

    Raises `error` again if it is neither a refusal nor a fault of the rules at a move.
    """
    if isinstance(command, Act) and isinstance(error, EngineError | RulesFailed):
        return _failed_move(game, state, command, player, key, error)
    if isinstance(error, ProtocolError | EngineError):
        return [_refusal(state, command, player, key, error)], None
    raise error


def _failed_move(
    game: AnyGame,
    state: TableState,
    command: Act,
    player: Player,
    key: CommandKey,
    error: EngineError | RulesFailed,
) -> tuple[list[Effect], RulesFailed | None]:
    try:
        seat = state.seat_of(player.id)
        offered = seat is not None and _offers(game, state, seat, command.action)
    except RulesFailed as failure:
        offered, error = True, failure
    if offered:
        why = refusal("internal", "refused_rules_failed_move", {"game": game.info.title})
        failed = error if isinstance(error, RulesFailed) else RulesFailed("apply", error)
        return [Answer(key, refused(key.command, why))], failed
    if isinstance(error, EngineError):
        return [_refusal(state, command, player, key, error)], None
    answer = IllegalAction("this is none of the moves you were offered")
    logged = LogError(error.error, rules=True)
    return [logged, _refusal(state, command, player, key, answer)], None


def _refusal(
    state: TableState,
    command: TableCommand,
    player: Player,
    key: CommandKey,
    error: ProtocolError | EngineError,
) -> Answer:
    """Return the answer to a refused command, which is stored unless it may change or is final."""
    passing = error.code == "try_again"
    lasting = not passing and not is_final(state, command, player, error)
    return Answer(key, refused(key.command, error), record=lasting)


def _offers(game: AnyGame, state: TableState, seat: Seat, action: Action) -> bool:
    choices = game.choices(state.play, seat)
    try:
        return choices.allows(action)
    except Exception:
        # A move is any text; one that cannot even be compared was not offered.
        return False
