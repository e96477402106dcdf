"""Texts that the facts of a described game often hold; encoders put numbers in their place.

They follow from the description alone.
"""

from collections.abc import Iterator

from engine.recycle.running.program import Program
from engine.recycle.views.view import CHOICE, CHOICE_TEXT, STAGE, STAGE_TEXT


def frequent_words(program: Program) -> tuple[str, ...]:
    """The names of piles and values, the words for moves, and what choices are called."""
    return tuple(dict.fromkeys(_words(program)))


def _words(program: Program) -> Iterator[str]:
    components, naming = program.components, program.naming
    for pile in components.storage.named_piles():
        yield pile.name
    yield from components.value_names
    for verb in naming.verbs.values():
        yield f"{verb} "
    yield from (STAGE, STAGE_TEXT, CHOICE, CHOICE_TEXT)
    for question in naming.questions.values():
        for named in (question.stage, question.choice):
            if named is not None:
                yield named.title
                yield named.text
