"""Games as CSV and back."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.lab.errors import BadFolder
from bots.lab.runs import Choice, Lead, Run, columns, header, read_runs, texts

SEATS = 3
words = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0"), min_size=1, max_size=9)
share = st.integers(0, 1000).map(lambda thousandths: thousandths / 1000)
leads = st.builds(
    Lead,
    st.integers(0, 99),
    st.integers(0, SEATS - 1),
    st.tuples(share, share, share),
    st.none() | share,
    st.none() | share,
)


@st.composite
def runs(draw: st.DrawFn) -> list[Run]:
    """Some games, ended or stopped, numbered from 0."""
    made = []
    for number in range(draw(st.integers(1, 4))):
        ended = draw(st.booleans())
        three = st.tuples(*[st.integers(-99, 99)] * SEATS)
        made.append(
            Run(
                number,
                draw(st.tuples(words, words, words)),
                draw(three) if ended else (),
                draw(three) if ended else (),
                tuple(
                    draw(st.lists(st.builds(Choice, st.integers(0, 2), st.integers(1, 500), words)))
                ),
                tuple(draw(st.lists(leads, max_size=3))),
                "" if ended else "stopped",
            )
        )
    return made


def written(folder: Path, made: list[Run]) -> None:
    for name, text in texts(made).items():
        (folder / f"{name}.csv").write_text(header(columns(SEATS)[name]) + text, newline="")


@given(made=runs())
def test_what_is_written_is_read(made: list[Run], tmp_path_factory: pytest.TempPathFactory) -> None:
    """Games with and without choices, leads and an end survive writing and reading."""
    folder = tmp_path_factory.mktemp("rows")
    written(folder, made)
    assert list(read_runs(folder)) == made


def test_the_documented_columns() -> None:
    """The tables begin with the documented columns."""
    assert columns(2) == {
        "results": ("run", "seat", "bot", "score", "rank"),
        "choices": ("run", "move", "seat", "options", "chosen"),
        "leads": ("run", "move", "seat", "worst", "best", "lead_0", "lead_1"),
    }


def test_what_is_no_number_is_said(tmp_path: Path) -> None:
    """A table with a wrong number is refused with the number of the game."""
    written(tmp_path, [Run(0, ("r",) * 3, (1, 2, 3), (3, 2, 1), (Choice(0, 1, "go"),))])
    results = tmp_path / "results.csv"
    results.write_text(results.read_text().replace("0,1,r,2,2", "0,1,r,two,2"))
    with pytest.raises(BadFolder, match="game 0 cannot be read"):
        list(read_runs(tmp_path))
