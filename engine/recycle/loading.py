"""From the text of a description to a game, without reading any file.

`name` is that of the file without its ending: ``Hearts4`` is Hearts for four.
"""

from engine.recycle.checker import check
from engine.recycle.compiler import program_of
from engine.recycle.faults import BadDescription
from engine.recycle.game import Description
from engine.recycle.parser import parse


def load(text: str, name: str) -> Description:
    """The game, or `BadDescription` with everything that is wrong. Warnings are no hindrance."""
    parsed = parse(text)
    problems = check(parsed)
    if parsed.game is None or any(not problem.warning for problem in problems):
        raise BadDescription(problems)
    return Description(program_of(parsed.game, name), name, text)
