"""How the options of a choice are found: every way through its `any`s, in the order of the text.

What is left to do once all `any`s on a way are settled is not tried. It becomes a function of its
own that runs when the option is chosen. So the options of most choices are found without touching
the table. Only what stands before an `any` or a condition is done, for these may depend on it, and
undone; the option then has what was done as its first part.
"""

from dataclasses import dataclass

from engine.recycle import syntax
from engine.recycle.compiling.actions import Actions
from engine.recycle.compiling.writer import Writer
from engine.recycle.running.decks import Decks
from engine.recycle.running.storage import Storage
from engine.recycle.syntax import Node


@dataclass(frozen=True, slots=True)
class Resume(Node):
    """Go on with a function that finds the options from here: ``name(w, out, m, values…)``."""

    name: str
    values: tuple[str, ...]


class Options(Actions):
    def __init__(self, game: syntax.Game, storage: Storage, decks: Decks, writer: Writer) -> None:
        super().__init__(game, storage, decks, writer)
        self._makes_piles = any(map(_may_be_new, syntax.walk(game)))
        self._has_acted = "state.has_acted(m)" if self._makes_piles else "len(state.log) > m"

    def options(self, choice: syntax.Choice) -> str:
        """The name of the function that lists the options of `choice`."""
        before, self.f = self.f, self.writer.function("choice")
        self.f.line("out = []; m = len(state.log)")
        for option in choice.options:
            self._ways((option,), False)
        self.f.line("return out")
        name, self.f = self.f.name, before
        return name

    def _ways(self, bodies: tuple[Node, ...], acted: bool) -> None:
        """Write what adds the options of doing `bodies`; `acted` if something was done before."""
        if not bodies:
            self.f.line(f"if {self._has_acted}: out.append((actions.done_since(m), nothing, ()))")
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
                with self.scope.binding(variable, self.let(value, first)):
                    self._ways((inner, *rest), acted)
            case syntax.When(condition=condition, body=inner):
                rest = self._resumed(rest)
                with self.f.block(f"if {self.value(condition)}:", first.at):
                    self._ways((inner, *rest), acted)
                if rest or acted:
                    with self.f.block("else:", first.at):
                        self.f.line("pass")
                        self._ways(rest, acted)
            case syntax.ForEach(every=False) if _branches(first):
                self._any(first, rest, acted)
            case syntax.ForEach() if _branches(first):
                self._every(first, rest, acted)
            case Resume(name=name, values=values):
                self.f.line(f"{name}({', '.join(('w', 'out', 'm', *values))})", first.at)
            case _:
                mark = self.writer.name("v")
                self.f.line(f"{mark} = len(state.log)")
                self.do(first)
                self._ways(rest, True)
                self.f.line(f"state.undo({mark})")

    def _any(self, node: syntax.ForEach, rest: tuple[Node, ...], acted: bool) -> None:
        """A way for each item. Where there is none, what stands around it is still a way."""
        rest = self._resumed(rest)
        with self.loop(node.collection, node.variable, node.body) as (name, items):
            if rest or acted:
                found = self.writer.name("v")
                self.f.line(f"{found} = {items}", node.at)
                with self.f.block(f"if not {found}:", node.at):
                    self._ways(rest, acted)
                items = found
            with self.f.block(f"for {name} in {items}:", node.at):
                self.f.line("check_options(out)")
                self._ways((node.body, *rest), acted)

    def _every(self, node: syntax.ForEach, rest: tuple[Node, ...], acted: bool) -> None:
        """All items one after the other, where each of them has options: a function that calls
        itself for the next item.
        """
        rest = self._resumed(rest)
        with self.loop(node.collection, node.variable, node.body, "work.copied") as (name, items):
            whole = (node.body, *rest)
            known = tuple(each for each in self._known(whole) if each != name)
            every, at, later = (self.writer.name("v") for _ in range(3))
            arguments = ("out", "m", *known, every, at)
            before, self.f = self.f, self.writer.function("every", arguments)
            with self.f.block(f"if {at} == len({every}):", node.at):
                self.f.line("pass")
                self._ways(rest, True)
                self.f.line("return")
            self.f.line(f"{name} = {every}[{at}]; {later} = {at} + 1; check_options(out)", node.at)
            again = Resume(self.f.name, (*known, every, later), at=node.at)
            self._ways((node.body, again), True)
            function, self.f = self.f.name, before
            self.f.line(f"{function}({', '.join(('w', 'out', 'm', *known))}, {items}, 0)", node.at)

    def _resumed(self, rest: tuple[Node, ...]) -> tuple[Node, ...]:
        """`rest` as a function, so that it is written once however many ways lead to it."""
        if not rest or isinstance(rest[0], Resume):
            return rest
        known = self._known(rest)
        before, self.f = self.f, self.writer.function("rest", ("out", "m", *known))
        self.f.line("pass")
        self._ways(rest, True)
        name, self.f = self.f.name, before
        return (Resume(name, known, at=rest[0].at),)

    def _offer(self, bodies: tuple[Node, ...], acted: bool) -> None:
        """An option that is one way: all of it remains to be done."""
        known = self._known(bodies)
        before, self.f = self.f, self.writer.function("act", known)
        self.pay_for(*bodies)
        for body in bodies:
            self.do(body)
        self.f.line("return")
        name, self.f = self.f.name, before
        # The values may be piles that came into being while the way to them was looked for.
        done = "actions.done_since(m)" if acted or self._makes_piles else "()"
        values = "".join(f"{each}, " for each in known)
        option = f"out.append(({done}, {name}, ({values})))"
        at = bodies[0].at
        if any(map(_surely_acts, bodies)):
            self.f.line(option, at)
            return
        tried = f"w.does({', '.join((name, *known))})"
        if acted:
            tried = f"{self._has_acted} or {tried}"
        self.f.line(f"if {tried}: {option}", at)

    def _known(self, bodies: tuple[Node, ...]) -> tuple[str, ...]:
        """The Python variables that `bodies` speak of."""
        nodes = [node for body in bodies for node in syntax.walk(body)]
        names = {node.name for node in nodes if isinstance(node, syntax.Variable)}
        found = self.scope.locals(names)
        handed = (value for node in nodes if isinstance(node, Resume) for value in node.values)
        return tuple(dict.fromkeys((*found, *handed)))


def _branches(body: Node) -> bool:
    """Whether doing this can be done in several ways; a `repeat` goes through all, as a `do`."""
    match body:
        case Resume():
            return True
        case syntax.ForEach(every=False):
            return True
        case syntax.ForEach(body=inner) | syntax.When(body=inner) | syntax.Let(body=inner):
            return _branches(inner)
        case syntax.Do(body=bodies):
            return any(map(_branches, bodies))
        case _:
            return False


def _may_be_new(node: Node) -> bool:
    """Whether this may be a pile that nobody has used before."""
    match node:
        case syntax.Location(name=syntax.Name(), index=syntax.Integer()):
            return False
        case _:
            return isinstance(node, syntax.Location)


def _surely_acts(body: Node) -> bool:
    """Whether this does something whatever the table is like."""
    match body:
        case syntax.Do(body=bodies):
            return any(map(_surely_acts, bodies))
        case syntax.Let(body=inner):
            return _surely_acts(inner)
        case syntax.When() | syntax.ForEach() | syntax.Repeat() | syntax.RepeatAll():
            return False
        case _:
            return True
