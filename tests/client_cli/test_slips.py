"""A typing slip plays no card in any game, and a full move is played."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from random import Random
from string import ascii_lowercase

import pytest

from client_cli.effects import Effect, SendCommand
from client_cli.table_commands import TYPED_COMMANDS, aliases
from client_cli.table_controller import TableController
from engine import GAMES, AnyGame, Setup, Shuffler, complete_options, seed_from_int
from engine.choices import random_action
from engine.recycle import load
from protocol.mirror import TableMirror
from protocol.to_server import Act
from tests.client_cli.tables import table

MOVES = 30
DESCRIBED = ("Cribbage2", "Golf4", "GoFish3")
"""With words of their own for moves."""
COMMANDS = sorted({*TYPED_COMMANDS, *aliases()} - {"?"})


def game_called(name: str) -> AnyGame:
    if name in DESCRIBED:
        return load(files("engine.recycle.games").joinpath(f"{name}.rcy").read_text(), name)
    return GAMES.game(name)


def tables(game: AnyGame, rng: Random) -> Iterator[TableMirror]:
    """The table as the player to move sees it, turn by turn."""
    seats = game.info.usual_seats
    options = complete_options(game, seats, {})
    state = game.start(Setup(seats, options, Shuffler(seed_from_int(3)))).state
    for _ in range(MOVES):
        seat = rng.choice(game.to_act(state))
        choices = game.choices(state, seat)
        asked = table(
            to_act=(0,), actions=choices.actions, picks=choices.picks, texts=choices.texts
        )
        yield replace(asked, legend=game.info.legend)
        state = game.apply(state, seat, random_action(choices, rng)).state


def beginnings(words: Sequence[str]) -> set[str]:
    """The prefixes of `words`."""
    return {word[:end] for word in words for end in range(1, len(word))}


def verbs(seen: TableMirror) -> set[str]:
    picked = {pick.verb for pick in seen.choices.picks}
    return picked | {action.partition(" ")[0] for action in seen.choices.actions}


def slips(seen: TableMirror) -> set[str]:
    """Letters and suits alone or after a verb, and prefixes of commands and verbs."""
    alone = {*ascii_lowercase, *(card.group.lower() for card in seen.legend)}
    begun = beginnings([*COMMANDS, *verbs(seen)])
    behind = {f"{verb} {part}" for verb in verbs(seen) for part in alone}
    names = {name.lower() for card in seen.legend for name in (card.token, card.label)}
    # The suit may also be first, as in "ha".
    cards = names | {name[-1] + name[:-1] for name in names}
    whole = cards | {move.lower() for move in (*verbs(seen), *seen.choices.texts)}
    return (alone | {each.lower() for each in begun} - whole) | behind - {
        f"{verb} {card}" for verb in verbs(seen) for card in cards
    }


def played(effects: Sequence[Effect]) -> list[str]:
    return [
        effect.fields["action"]
        for effect in effects
        if isinstance(effect, SendCommand) and effect.kind is Act
    ]


@pytest.mark.parametrize("name", [*(info.id for info in GAMES), *DESCRIBED])
def test_what_is_typed_for_a_move(name: str) -> None:
    """A letter, a suit or a prefix plays nothing, and a full move is that move."""
    tried = set[tuple[str, ...]]()
    for seen in tables(game_called(name), Random(5)):
        if seen.choices.actions in tried:
            continue
        tried.add(seen.choices.actions)
        for slip in slips(seen):
            assert played(TableController(seen).typed(slip)) == [], slip
        for action in seen.choices.actions:
            assert played(TableController(seen).typed(action)) == [action]
