"""Help for the input line: whose move it is, and completions."""

from collections.abc import Iterator

from client_cli.lobby_advice import lobby_prompt
from client_cli.names import minutes, waiting_for
from client_cli.tell import tell
from client_cli.text import Look
from client_cli.typed_commands import available_commands
from engine.choices import Pick
from protocol.isolates import without_isolates
from protocol.mirror import TableMirror
from protocol.texts import in_words
from protocol.typed import told_texts

THINKING_SECONDS = 1.0
"""After so long a person is told for whom they wait."""


def completions(table: TableMirror, text: str) -> list[str]:
    """Lines that begin with `text`, moves first; without regard to case."""
    begun = text.lstrip().lower()
    lines = [*_moves(table, text.lstrip()), *_orders(table)]
    return [line for line in lines if line.lower().startswith(begun) and line != text]


def prompt_text(table: TableMirror, waited: float) -> str:
    """A short prompt; with a turn clock it counts down, then the reserve.

    The question arrived `waited` seconds ago. After a while the prompt says for whom the person
    waits. Before a match it says what they may do next.
    """
    if table.info.phase == "lobby":
        return lobby_prompt(table, Look())
    if not table.my_turn:
        thinking = waiting_for(table, Look()) if waited >= THINKING_SECONDS else ""
        return f"{thinking}> "
    if table.question.clock is None:
        return tell("prompt.move")
    left = table.question.clock - waited
    reserve = table.question.reserve
    if left < 0 and table.seat is not None and table.seat < len(reserve):
        over = minutes(int(max(0.0, reserve[table.seat] + left)))
        return tell("prompt.reserve", time=over)
    return tell("prompt.clock", seconds=f"{max(0.0, left):.0f}")


def _moves(table: TableMirror, text: str) -> Iterator[str]:
    for action, told in zip(table.choices.actions, told_texts(table.choices), strict=True):
        _, _, arguments = action.partition(" ")
        yield arguments or action
        if told:
            yield without_isolates(in_words(told, (), table.names, table.seat))
    for pick in table.choices.picks:
        yield pick.verb + " "
        yield from _picking(pick, text)


def _picking(pick: Pick, text: str) -> Iterator[str]:
    """`text` completed with each card that may still be picked."""
    *words, _ = text.split(" ")
    verb = words[:1] == [pick.verb]
    picked = [word.upper() for word in words[verb:]]
    free = list(pick.cards)
    for word in picked:
        if word not in free:
            return
        free.remove(word)
    wanted = pick.most - len(picked)
    for card in dict.fromkeys(free if wanted > 0 else ()):
        yield " ".join([*words, card]) + (" " if wanted > 1 else "")


def _orders(table: TableMirror) -> Iterator[str]:
    for command in available_commands(table):
        yield command.usage.partition(" ")[0]
