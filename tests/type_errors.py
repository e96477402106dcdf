"""The errors that mypy reports for a few lines, for tests that mistakes are found."""

import re
from collections.abc import Sequence
from pathlib import Path

from mypy import api


def type_errors(folder: Path, preamble: str, lines: Sequence[str]) -> dict[str, list[str]]:
    """The errors that strict mypy finds in each of the lines after a preamble."""
    file = folder / "snippet.py"
    file.write_text("\n".join((preamble, *lines, "")))
    # Modules that are only looked up need not be checked as well.
    flags = ("--strict", "--follow-imports=silent", f"--cache-dir={folder}", "--no-pretty")
    said, failure, _ = api.run([*flags, str(file)])
    assert not failure
    found: dict[str, list[str]] = {line: [] for line in lines}
    text = file.read_text().splitlines()
    for number, error in re.findall(r"(?m)^.*snippet\.py:(\d+): error: (.*)$", said):
        found[text[int(number) - 1]].append(error)
    return found
