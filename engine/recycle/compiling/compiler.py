"""From the tree of a description to its `Program`."""

from collections.abc import Callable, Mapping
from itertools import chain
from types import MappingProxyType
from typing import Any

from engine.recycle import limits, syntax
from engine.recycle.compiling.context import Bound, CompileContext
from engine.recycle.compiling.stages import StageCompiler
from engine.recycle.compiling.writer import Writer
from engine.recycle.errors import Fault, cannot
from engine.recycle.problems import Code
from engine.recycle.running import arithmetic, lists
from engine.recycle.running.components import Components
from engine.recycle.running.decks import Values, decks_of
from engine.recycle.running.program import Ask, Origin, Program, Running
from engine.recycle.running.storage import PileKey, Storage, ValueKey, completed
from engine.recycle.running.work import numbers, too_many_options
from engine.recycle.source_text import Span
from engine.recycle.syntax import Kind, Node

_ONCE = frozenset((Kind.INTEGER, Kind.STRING, Kind.BOOLEAN, Kind.CARD, Kind.PLAYER, Kind.TEAM))
"""What is declared of these kinds is worked out once, when the game begins."""


def program_of(
    game: syntax.Game, name: str, reasons: Mapping[Span, str] = MappingProxyType({})
) -> Program:
    """The program of a tree without errors; problems that show only now are a `BadDescription`.

    `reasons` say, by the places of forms, what the numbers change for that change in them.
    """
    players = _players(game)
    nodes = tuple(syntax.walk(game))
    created = game.setup.teams.teams if game.setup.teams else ()
    storage = Storage(nodes, players, completed(created, players))
    decks = decks_of(node for node in nodes if isinstance(node, syntax.CreateDeck))
    writer = Writer(f"<description {name!r}>")
    context = CompileContext(game, storage, decks, writer, reasons)
    stages = StageCompiler(context)
    for declaration in game.declarations:
        if declaration.value.kind in _ONCE:
            storage.declared(declaration.variable)
    setup = _setup(game, stages, writer)
    for child in game.children:
        stages.child(child)
    score = writer.function("score")
    score.line(f"return {stages.expressions.value(game.scoring.value)}", game.scoring.at)
    try:
        compiled, places = writer.compiled()
    except (SyntaxError, RecursionError, MemoryError):
        message = "this is nested too deeply to be played"
        raise cannot(Code.TOO_DEEP, game.at, message, "a shallower description") from None
    names: dict[str, Any] = dict(_HELPERS)
    names |= {key: Values(decks, text) for text, key in context.keys.items()}
    names["D"] = tuple(decks.made.values())
    by_key: dict[str, Values] = {}
    names["values_of"] = lambda key: by_key.setdefault(key, Values(decks, key))
    exec(compiled, names)
    kinds = {
        names[act]: tuple(context.kinds.get(each, Kind.UNKNOWN) for each in known)
        for act, known in context.acts.items()
    }
    bound = {
        names[act]: tuple(context.kinds[each] if each in context.chosen else None for each in known)
        for act, known in context.acts.items()
    }
    lets = (act for act, known in context.acts.items() if context.worked_out.intersection(known))
    return Program(
        kinds=kinds,
        lets=frozenset(names[act] for act in lets),
        bound=bound,
        components=Components(storage, decks),
        aim="low" if game.scoring.best == "min" else "high",
        code=(*(None if line.asks else names[line.function] for line in stages.code), None),
        weights=(*(int(line.step) for line in stages.code), 0),
        spans=(*(line.at for line in stages.code), game.scoring.at),
        asks={
            pc: Ask(names[line.function], pc + 1, line.unseen, line.certain)
            for pc, line in enumerate(stages.code)
            if line.asks
        },
        setup=names[setup],
        score=names[score.name],
        origin=Origin(writer.file, places),
        grows=any(
            isinstance(node, syntax.CreateDeck)
            for child in game.children
            for node in syntax.walk(child)
        ),
    )


def _setup(game: syntax.Game, stages: StageCompiler, writer: Writer) -> str:
    """The function that computes the declarations and makes the decks."""
    context = stages.context
    context.function = setup = writer.function("setup")
    for declaration in game.declarations:
        value, variable = declaration.value, declaration.variable
        if isinstance(value, syntax.Integer | syntax.Name):
            context.scope.declare(variable, Bound(stages.expressions.value(value)))
        elif value.kind in _ONCE:
            slot = context.storage.declared(variable)
            setup.line(f"actions.set({slot}, {stages.expressions.value(value)})", declaration.at)
            context.scope.declare(variable, Bound(f"V[{slot}]"))
        else:
            context.scope.declare(variable, _listed(value, stages, writer))
    for deck in game.setup.decks:
        stages.actions.do(deck)
    setup.line("return 0")
    return setup.name


def _listed(value: syntax.Expression, stages: StageCompiler, writer: Writer) -> Bound:
    """A declared list, compiled to a function that computes it at each use."""
    function = writer.function("declared")
    slot = stages.lists.slot(value) if value.kind is Kind.CARDS else None
    function.line(f"return {stages.actions.given(value) if slot is None else slot}", value.at)
    return Bound(f"{function.name}(w)", slot is not None)


def _players(game: syntax.Game) -> int:
    """The number of players, which no option of a table changes."""
    known = {each.variable: each.value for each in game.declarations}
    node: Node = game.setup.players
    while isinstance(node, syntax.Variable) and node.name in known:
        node = known.pop(node.name)
    if isinstance(node, syntax.Integer) and 1 <= node.value <= limits.PLAYERS:
        return node.value
    message, expected = "a game cannot have so many players", f"a number from 1 to {limits.PLAYERS}"
    raise cannot(Code.BAD_PLAYERS, game.setup.players.at, message, expected)


def _index(number: int) -> int:
    """A computed place in a pile, in which -1 would be the top."""
    if number < 0:
        raise Fault("a pile has no negative place")
    return number


def _nothing(w: Running) -> None:
    """The empty rest of an option that was carried out already."""


_HELPERS: dict[str, Callable[..., Any]] = {
    **{
        helper.__name__: helper
        for helper in (
            *(arithmetic.product, arithmetic.power, arithmetic.floor, arithmetic.modulo),
            *(arithmetic.triangular, arithmetic.fibonacci),
            *(lists.top, lists.bottom, lists.at, lists.top_of, lists.bottom_of, lists.list_at),
            *(lists.slot_at, lists.intersection, lists.disjunction),
            *(lists.partition, lists.groups),
            *(lists.subsets, lists.sized, lists.tuples, lists.runs, lists.runs_within),
            *(lists.run_at_top, lists.run_at_bottom),
            *(numbers, too_many_options, chain, PileKey, ValueKey),
        )
    },
    "index": _index,
    "nothing": _nothing,
}
