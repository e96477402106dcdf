"""Facts told in another way than a game tells them, for games that are wrong on purpose."""

from dataclasses import replace
from typing import Any

from engine.facts import AddressedFact


def retold(told: AddressedFact, **changes: Any) -> AddressedFact:
    """The same fact for the same people with other fields."""
    return told._replace(fact=replace(told.fact, **changes))
