"""Descriptions compiled to Python functions, which run without looking at the tree again.

`expressions`, `lists`, `actions`, `options` and `stages` build on one another, in this order;
`whole` puts a program together.
"""

from engine.recycle.compiling.compiler import program_of

__all__ = ["program_of"]
