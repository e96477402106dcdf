"""Marks for tests about one kind of database."""

import pytest

on_sqlite = pytest.mark.parametrize("url", ["sqlite"], indirect=True)
on_postgresql = pytest.mark.parametrize("url", ["postgresql"], indirect=True)
