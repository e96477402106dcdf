"""Conditions that hold always or never, whatever the game."""

import operator
from collections.abc import Callable

from engine.recycle import syntax
from engine.recycle.syntax import Node

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def truth(condition: Node) -> bool | None:
    """True or False where `condition` is so by itself, None where it depends on the game."""
    match condition:
        case syntax.Compare(sign, syntax.Integer(left), syntax.Integer(right)):
            return _COMPARE[sign](left, right)
        case syntax.Same(syntax.Name(one), syntax.Name(other), negated):
            return (one == other) is not negated
        case syntax.Not(inner):
            holds = truth(inner)
            return None if holds is None else not holds
        case syntax.Logic(sign, operands):
            found = {truth(operand) for operand in operands}
            decided = sign == "or"
            if decided in found:
                return decided
            return None if None in found else not decided
    return None
