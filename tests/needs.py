"""Programs that a test needs: without one it is skipped by hand, and fails in CI."""

import os
import shutil
from typing import NoReturn

import pytest

IN_CI = os.environ.get("CI", "").lower() in ("1", "true")


def needs(*programs: str) -> None:
    """Continue only if all `programs` are installed.

    A test that silently does not run is worse than none, so in CI a missing program fails it.
    """
    missing = [program for program in programs if shutil.which(program) is None]
    if not missing:
        return
    not_run(f"{', '.join(missing)} is not installed")


def not_run(why: str) -> NoReturn:
    """End the test, which cannot run here: it fails in CI, and is skipped elsewhere."""
    if IN_CI:
        pytest.fail(f"NOT RUN: {why}")
    pytest.skip(f"NOT RUN: {why}")
