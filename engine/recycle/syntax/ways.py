"""The ways through an option: which parts decide, before a choice, which options exist.

Every ``any`` and what stands before it is settled while options are found; the rest is done once
one of them is chosen. Source: RECYCLE, "Semantics" 4.
"""

from collections.abc import Iterator, Sequence

from engine.recycle.syntax.actions import Repeat, RepeatAll
from engine.recycle.syntax.node import Node, walk
from engine.recycle.syntax.stages import Do, ForEach, Let, When


def branches(body: Node) -> bool:
    """Whether `body` can be done in several ways; a `repeat` runs all parts, as a `do` does."""
    match body:
        case ForEach(every=False):
            return True
        case ForEach(body=inner) | When(body=inner) | Let(body=inner):
            return branches(inner)
        case Do(body=bodies):
            return any(map(branches, bodies))
        case _:
            return False


def surely_acts(body: Node) -> bool:
    """Whether `body` certainly does something, in whatever state."""
    match body:
        case Do(body=bodies):
            return any(map(surely_acts, bodies))
        case Let(body=inner):
            return surely_acts(inner)
        case When() | ForEach() | Repeat() | RepeatAll():
            return False
        case _:
            return True


def deciding(option: Node) -> Iterator[Node]:
    """The expressions that decide which ways through `option` exist."""
    # What is still to be done, the next one last, and whether it branches.
    left = [(option, branches(option))]
    branching = int(left[0][1])
    acted = False
    while True:
        first, splits = left.pop()
        alone = isinstance(first, When) and not left and not acted
        if not alone and not branching:
            bodies = [first, *(body for body, _ in left)]
            if not acted and not any(map(surely_acts, bodies)):
                yield from _asked(bodies)
            return
        branching -= splits
        inner: Sequence[Node] = ()
        match first:
            case Do(body=several):
                inner = several
            case Let(body=body):
                inner = (body,)
            case When(condition=asked, body=body):
                yield asked
                inner = (body,)
            case ForEach(collection=asked, body=body) if splits:
                yield asked
                inner = (body,)
            case _:
                acted = True
        more = [(body, branches(body)) for body in reversed(inner)]
        branching += sum(splits for _, splits in more)
        left += more


def _asked(bodies: Sequence[Node]) -> Iterator[Node]:
    """The expressions that decide whether `bodies` do anything."""
    for body in bodies:
        for node in walk(body):
            match node:
                case When(condition=asked) | ForEach(collection=asked) | Repeat(times=asked):
                    yield asked
                case RepeatAll(action=action):
                    yield action.card
