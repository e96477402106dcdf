"""The language in which texts are made: English, unless a program has chosen another one.

It belongs to the task (`contextvars`), like the one of `gettext`: a client speaks one language
everywhere, and a server, whose texts are for logs and programs, is never asked.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from protocol.texts.catalogue import Texts, catalogue

_LANGUAGE: ContextVar[str] = ContextVar("language", default="en")


def spoken() -> Texts:
    """The texts of the current language."""
    return catalogue(_LANGUAGE.get())


def language() -> str:
    """The current language: ``en``."""
    return _LANGUAGE.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Make texts in this language inside the context; `ValueError` if there are none."""
    catalogue(language)
    before = _LANGUAGE.set(language)
    try:
        yield
    finally:
        _LANGUAGE.reset(before)
