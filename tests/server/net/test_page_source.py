"""What is removed from scripts and style sheets when they are sent."""

import re
from pathlib import Path

import pytest

from server.net.page_files import FOLDER
from server.net.page_source import as_sent

_PATTERN = re.compile(r" = /.*/g?;$")
SOURCES = [path for path in sorted(FOLDER.rglob("*")) if path.suffix in {".js", ".css"}]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_only_comments_and_indentation_are_left_out(path: Path) -> None:
    """Only comments and indentation are removed, and line numbers stay."""
    source = path.read_text("utf-8").split("\n")
    sent = as_sent(path.suffix, path.read_bytes()).decode().split("\n")
    assert len(sent) == len(source)
    in_comment = False
    for written, line in zip(source, sent, strict=True):
        text = written.lstrip()
        begins = text.startswith("/*")
        in_comment = in_comment or begins
        left_out = in_comment or (path.suffix == ".js" and text.startswith("//"))
        assert line == ("" if left_out else text)
        if in_comment and text.endswith("*/"):
            in_comment = False


@pytest.mark.parametrize(
    "path", [path for path in SOURCES if path.suffix == ".js"], ids=lambda path: path.name
)
def test_no_string_goes_on_over_a_line(path: Path) -> None:
    """No string of the page's files continues over a line, which the removal could change."""
    for line in as_sent(path.suffix, path.read_bytes()).decode().split("\n"):
        assert _PATTERN.sub("", line).count("`") % 2 == 0, line


def test_other_files_are_sent_as_they_are() -> None:
    """Other files are sent unchanged."""
    assert as_sent(".png", b"\n  // \x89PNG") == b"\n  // \x89PNG"
