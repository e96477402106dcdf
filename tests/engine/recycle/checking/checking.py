"""The problems of a description, by their codes."""

from engine.recycle.checking import check
from engine.recycle.problems import Code
from engine.recycle.reading.parser import parse
from tests.engine.recycle.reading.wording import SCORING, whole

SETUP = (
    "(setup (create players 4) (create deck (game hloc STOCK) "
    "(deck (RANK (Q, K, A)) (COLOR (RED (SUIT (HEARTS))) (BLACK (SUIT (SPADES)))))))"
)


def found(code: Code, *children: str, setup: str = SETUP, scoring: str = SCORING) -> list[str]:
    """The problems of one code, without the code; the children begin on line 3."""
    parsed = parse(whole(*children, setup=setup, scoring=scoring))
    assert parsed.problems == ()
    told = [problem for problem in check(parsed) if problem.code is code]
    return [str(problem).replace(f"[{code.value}] ", "") for problem in told]
