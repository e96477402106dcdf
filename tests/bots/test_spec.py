"""The text that names a bot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.spec import BadBot, Spec, parse_spec

NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True)
WORDS = st.from_regex(r"[a-z_]{1,8}", fullmatch=True).filter(
    lambda word: word not in ("true", "false", "nan", "inf", "infinity")
)
VALUES = st.integers() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | WORDS


@given(
    name=NAMES | st.integers(0, 99).map(str),
    settings=st.lists(st.tuples(NAMES, VALUES), max_size=4),
)
def test_a_spec_is_read_back_from_its_text(
    name: str, settings: list[tuple[str, int | float | bool | str]]
) -> None:
    """A spec written as text is read back equal, with types."""
    spec = Spec(name, tuple(settings))
    read = parse_spec(str(spec))
    assert read == spec
    assert [type(value) for _, value in read.settings] == [type(v) for _, v in settings]


def test_a_strength_is_a_number() -> None:
    """A spec that begins with a number names a strength."""
    assert parse_spec("3:risk=1").strength == 3
    assert parse_spec("ismcts").strength is None


@pytest.mark.parametrize("text", ["", "-1", "a b", "3:", "3:risk", "3:=1", "3:risk=", "3:1=2"])
def test_what_cannot_be_read_is_refused(text: str) -> None:
    """A spec that cannot be read is refused with an example."""
    with pytest.raises(BadBot, match=r"must"):
        parse_spec(text)
