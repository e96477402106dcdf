"""How the options of a choice are found: every path through its `any`s, in the order of the text.

What is left to do once all `any`s on a path are settled is not tried. It becomes a function of its
own that runs when the option is chosen. So the options of most choices are found without touching
the table. Only what stands before an `any` or a condition is done, for these may depend on it, and
undone; the option then has what was done as its first part. Source: RECYCLE, "Semantics" 4.
"""

from dataclasses import dataclass

from engine.recycle import limits, syntax
from engine.recycle.compiling.actions import ActionCompiler
from engine.recycle.compiling.context import CompileContext
from engine.recycle.compiling.expressions import ExpressionCompiler
from engine.recycle.compiling.lists import ListCompiler
from engine.recycle.syntax import Node
from engine.recycle.syntax.ways import branches, surely_acts

_CHECKED = f"if len(out) > {limits.OPTIONS}: too_many_options()"
"""Calling a function each time would cost as much as many a condition."""


@dataclass(frozen=True, slots=True)
class Continuation(Node):
    """A call that continues to find options: ``name(w, out, m, values…)``."""

    name: str
    values: tuple[str, ...]


class OptionCompiler:
    """Writes the functions that find options; `actions` writes what an option does."""

    def __init__(
        self,
        context: CompileContext,
        expressions: ExpressionCompiler,
        lists: ListCompiler,
        actions: ActionCompiler,
    ) -> None:
        self.context = context
        self.value, self.loop = expressions.value, lists.loop
        self.actions = actions
        self._makes_piles = any(map(_may_be_new, syntax.walk(context.game)))
        self._has_acted = "state.has_acted(m)" if self._makes_piles else "len(state.log) > m"

    def options(self, choice: syntax.Choice) -> str:
        """Write the function that lists the options of `choice`, and return its name."""
        with self.context.writing("choice") as function:
            self.context.line("out = []; m = len(state.log)")
            for option in choice.options:
                self._ways((option,), False)
            self.context.line("return out")
        return function.name

    def _ways(self, bodies: tuple[Node, ...], acted: bool) -> None:
        """Write what adds the options of `bodies`; `acted` if something was done before."""
        if not bodies:
            self.context.line(
                f"if {self._has_acted}: out.append((actions.done_since(m), nothing, ()))"
            )
            return
        first, rest = bodies[0], bodies[1:]
        alone = isinstance(first, syntax.When) and not rest and not acted
        if not alone and not any(map(_branches, bodies)):
            self._offer(bodies, acted)
            return
        match first:
            case syntax.Do(body=inner):
                self._ways((*inner, *rest), acted)
            case syntax.Let(value=value, variable=variable, body=inner):
                # What follows the `let` does not know its variable.
                rest = self._resumed(rest)
                with self.context.scope.binding(variable, self.actions.let(value, first)):
                    self._ways((inner, *rest), acted)
            case syntax.When(condition=condition, body=inner):
                rest = self._resumed(rest)
                with self.context.block(f"if {self.value(condition)}:", first.at):
                    self._ways((inner, *rest), acted)
                if rest or acted:
                    with self.context.block("else:", first.at):
                        self.context.line("pass")
                        self._ways(rest, acted)
            case syntax.ForEach(every=False) if _branches(first):
                self._any(first, rest, acted)
            case syntax.ForEach() if _branches(first):
                self._every(first, rest, acted)
            case Continuation(name=name, values=values):
                self.context.line(f"{name}({', '.join(('w', 'out', 'm', *values))})", first.at)
            case _:
                mark = self.context.name()
                self.context.line(f"{mark} = len(state.log)")
                self.actions.do(first)
                self._ways(rest, True)
                self.context.line(f"state.undo({mark})")

    def _any(self, node: syntax.ForEach, rest: tuple[Node, ...], acted: bool) -> None:
        """Write a way for each item; without items the enclosing parts still count as a way."""
        rest = self._resumed(rest)
        with self.loop(node.collection, node.variable, node.body) as (name, items):
            self.context.chosen.add(name)
            if rest or acted:
                found = self.context.name()
                self.context.line(f"{found} = {items}", node.at)
                with self.context.block(f"if not {found}:", node.at):
                    self._ways(rest, acted)
                items = found
            with self.context.block(f"for {name} in {items}:", node.at):
                self.context.line(_CHECKED)
                self._ways((node.body, *rest), acted)

    def _every(self, node: syntax.ForEach, rest: tuple[Node, ...], acted: bool) -> None:
        """Write a recursive function that chooses for all items in order, if each has options."""
        context = self.context
        rest = self._resumed(rest)
        loop = self.loop(node.collection, node.variable, node.body, "work.copied")
        with loop as (name, items):
            whole = (node.body, *rest)
            known = tuple(each for each in self._known(whole) if each != name)
            every, at, later = (context.name() for _ in range(3))
            with context.writing("every", ("out", "m", *known, every, at)) as function:
                with context.block(f"if {at} == len({every}):", node.at):
                    context.line("pass")
                    self._ways(rest, True)
                    context.line("return")
                step = f"{name} = {every}[{at}]; {later} = {at} + 1"
                context.line(step, node.at)
                context.line(_CHECKED, node.at)
                again = Continuation(function.name, (*known, every, later), at=node.at)
                self._ways((node.body, again), True)
            given = ", ".join(("w", "out", "m", *known))
            context.line(f"{function.name}({given}, {items}, 0)", node.at)

    def _resumed(self, rest: tuple[Node, ...]) -> tuple[Node, ...]:
        """Turn `rest` into a function, so that it is written once for all ways that lead to it."""
        if not rest or isinstance(rest[0], Continuation):
            return rest
        known = self._known(rest)
        with self.context.writing("rest", ("out", "m", *known)) as function:
            self.context.line("pass")
            self._ways(rest, True)
        return (Continuation(function.name, known, at=rest[0].at),)

    def _offer(self, bodies: tuple[Node, ...], acted: bool) -> None:
        """Write an option of one way, of which everything remains to be done."""
        known = self._known(bodies)
        with self.context.writing("act", known) as function:
            self.actions.pay_for(*bodies)
            for body in bodies:
                self.actions.do(body)
            self.context.line("return")
        self.context.acts[function.name] = known
        # The values may be piles that came into being while the way to them was looked for.
        done = "actions.done_since(m)" if acted or self._makes_piles else "()"
        if not acted and self._makes_piles:
            done = f"{done} if len(state.log) > m else ()"
        values = "".join(f"{each}, " for each in known)
        option = f"out.append(({done}, {function.name}, ({values})))"
        at = bodies[0].at
        if any(map(surely_acts, bodies)):
            self.context.line(option, at)
            return
        tried = f"w.does({', '.join((function.name, *known))})"
        if acted:
            tried = f"{self._has_acted} or {tried}"
        self.context.line(f"if {tried}: {option}", at)

    def _known(self, bodies: tuple[Node, ...]) -> tuple[str, ...]:
        """The Python variables that `bodies` use."""
        nodes = [node for body in bodies for node in syntax.walk(body)]
        names = {node.name for node in nodes if isinstance(node, syntax.Variable)}
        found = self.context.scope.locals(names)
        handed = (
            value for node in nodes if isinstance(node, Continuation) for value in node.values
        )
        return tuple(dict.fromkeys((*found, *handed)))


def _branches(body: Node) -> bool:
    """Whether `body` can be carried out in several ways."""
    return isinstance(body, Continuation) or branches(body)


def _may_be_new(node: Node) -> bool:
    """Whether this may be a pile that is created on its first use."""
    match node:
        case syntax.Location(name=syntax.Name(), index=syntax.Integer()):
            return False
        case _:
            return isinstance(node, syntax.Location)
