"""Marks for tests of whole programs that are about any database, not only about a file."""

import pytest

from tests.counts import NIGHT

on_postgresql = pytest.mark.parametrize("programs", ["postgresql"], indirect=True)
both_at_night = pytest.mark.parametrize(
    "programs", ["sqlite", "postgresql"] if NIGHT else ["sqlite"], indirect=True
)
