"""The words of a deal, as the first player reads them: questions, moves and what happens."""

from collections.abc import Iterator
from random import Random

from engine.facts import seen_by
from engine.game import Setup, complete_options
from engine.recycle import Description
from engine.recycle.views.view import CHOICE, CHOICE_TEXT
from engine.shuffle import Shuffler, seed_from_int
from protocol.texts import in_words, sentences
from protocol.texts.movements import TableZones

_NAMES = ("Ann", "Bob", "Cid", "Dora", "Emil", "Fay", "Gus", "Hedwig")
_MOST_LINES = 40
_MOST_MOVES = 4
"""So many moves of a question are told."""
_READER = 0


def preview(game: Description, seed: int = 1) -> Iterator[str]:
    """The first lines of a deal among random players; empty if it stops before the first choice."""
    told = _told(game, seed)
    for count, line in enumerate(told):
        if count == _MOST_LINES:
            yield "  …"
            return
        yield f"  {line}"


def _told(game: Description, seed: int) -> Iterator[str]:
    rng = Random(seed)
    seats = game.info.usual_seats
    names = [_NAMES[at % len(_NAMES)] for at in range(seats)]
    options = complete_options(game, seats, {})
    step = game.start(Setup(seats, options, Shuffler(seed_from_int(seed))))
    while True:
        view = game.view(step.state, _READER)
        places = TableZones(_Titles(game), game.info.layout, view.zones)
        facts = seen_by(step.facts, _READER)
        yield from filter(None, sentences(facts, names, game.info.legend, _READER, places))
        asked = game.to_act(step.state)
        if not asked:
            return
        seat = rng.choice(asked)
        choices = game.choices(step.state, seat)
        if seat == _READER:
            question = [view.values.get(CHOICE), view.values.get(CHOICE_TEXT)]
            title = ": ".join(str(text) for text in question if text) or "Your move"
            moves = [in_words(t, game.info.legend, names, _READER) for t in choices.texts]
            more = [f"… ({len(moves)})"] if len(moves) > _MOST_MOVES else []
            yield f"? {title} [{' | '.join((*moves[:_MOST_MOVES], *more))}]"
        step = game.apply(step.state, seat, rng.choice(choices.actions))


class _Titles:
    """The titles of zones by their kinds."""

    def __init__(self, game: Description) -> None:
        self._titles = {label.kind: label.title for label in game.info.labels}

    def __call__(self, kind: str) -> str:
        return self._titles.get(kind, kind.replace("_", " "))
