"""Descriptions compiled to Python functions, which run without looking at the tree again.

`expressions`, `lists`, `actions`, `options` and `stages` build on one another, in this order;
`compiler` puts a program together. They share a `context`, and `writer` holds the Python text.
"""

from engine.recycle.compiling.compiler import program_of

__all__ = ["program_of"]
