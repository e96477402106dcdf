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

Each carries a stable ``code``; the words are for people and may change.
"""


class EngineError(Exception):
    code = "engine_error"


class BadAction(EngineError):
    code = "bad_action"


class IllegalAction(EngineError):
    code = "illegal_action"


class NotYourTurn(EngineError):
    code = "not_your_turn"


class BadOption(EngineError):
    code = "bad_option"


class BadSetup(EngineError):
    code = "bad_setup"
