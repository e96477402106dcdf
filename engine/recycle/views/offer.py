"""The options of a seat in words, each form computed once.

Not everybody needs all forms: bots use actions alone, people read words, and some clients want
the parts.
"""

from functools import cached_property

from engine.choices import Action, Parts, Way
from engine.recycle.views.action_texts import actions_in_detail
from engine.recycle.views.option_parts import option_parts
from engine.recycle.views.option_words import Deeds, choice_words, deeds_of
from engine.recycle.views.telling import Telling


class Offer:
    """The options of `telling` in words, in their order."""

    def __init__(self, telling: Telling) -> None:
        self.actions: tuple[Action, ...]
        self.actions, self._details = actions_in_detail(telling)
        self._telling = telling

    @cached_property
    def _deeds(self) -> Deeds:
        return deeds_of(self._telling)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The texts of the options for people."""
        return choice_words(self._deeds)

    @cached_property
    def parts(self) -> tuple[tuple[Way, ...], tuple[Parts, ...]]:
        """The ways of the options, and the parts of each."""
        parts = option_parts(self._deeds, self._details)
        # With the texts everything is told; what it was made of takes most of the memory.
        _ = self.texts
        del self._deeds, self._telling
        return parts
