"""Checks of a description beyond its syntax.

A module for each question: `targets` (may cards be put here? who owns them?), `setup` (players,
teams, decks), `words` (attributes and values that no card has), `storage` (what is read and never
written), `stages` (what never ends or never happens; where choices stand), `hidden` (what an
option tells about cards that the chooser cannot see). `checks` runs them all. Each reports what it
finds; none relies on another.
"""

from engine.recycle.checking.checks import check

__all__ = ["check"]
