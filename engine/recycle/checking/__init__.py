"""What is wrong with a description beyond its form.

A module for each question: `choices` (may one stand here?), `targets` (may cards be put here?),
`setup` (players, teams, decks), `words` (attributes and values that no card has), `storage` (what
is read and never written), `owners` (whose is a card of the table?), `stages` (what never ends or
never happens), `hidden` (what an option tells of cards that its chooser cannot see). Each reports
what it finds; none relies on another.
"""

from engine.recycle.checking.checks import check

__all__ = ["check"]
