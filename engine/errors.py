"""What can go wrong in the rules, as one small tree.

    EngineError                a caller asked for something the rules do not give
    ├── BadAction              the text is no action of any game
    ├── IllegalAction          an action, but not one the rules allow now
    ├── NotYourTurn            the seat is not asked
    ├── BadOption              an option's name, kind or bounds are wrong
    ├── BadSetup               the number of seats or the seed is wrong
    ├── UnknownGame            no game has this id                  (engine.catalogue)
    ├── BadFold                a fact does not fit the view         (engine.views)
    └── NoDeal                 what was seen contradicts itself     (engine.unseen)

Each carries a stable ``code``; the words are for people and may change. A refused move may also
carry a phrase, by which clients say in their own words which rule it breaks.
"""

from engine.phrases import Phrase


class EngineError(Exception):
    """The rules do not give what a caller asked for; the root of this tree.

    `phrase` says the same as the words, and depends only on what the asking seat may know.
    """

    code = "engine_error"

    def __init__(self, words: str = "", phrase: Phrase | None = None) -> None:
        super().__init__(words)
        self.phrase = phrase


class BadAction(EngineError):
    """The text is no action of any game."""

    code = "bad_action"


class IllegalAction(EngineError):
    """The text is an action, but the rules do not allow it now."""

    code = "illegal_action"


class NotYourTurn(EngineError):
    """The seat may not act now."""

    code = "not_your_turn"


class BadOption(EngineError):
    """An option has a wrong name, kind or value."""

    code = "bad_option"


class BadSetup(EngineError):
    """The number of seats or the seed is wrong."""

    code = "bad_setup"
