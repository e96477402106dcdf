"""The words that are sent as numbers in the events of a game, and the encoders of these events.

They depend on the game and the number of its players alone, so no number reveals anything.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import count, islice

from engine.game import GameInfo
from engine.layout import A_SEAT, BY_SEAT, BY_TEAM, SLOTS
from protocol.codec import codec_for
from protocol.compact_form import IN_BYTES, LONGEST_WORD, MOST_WORDS
from protocol.events import CompactEventEncoder
from protocol.texts.catalogue import english
from protocol.version import MSGPACK

_NUMBERS = count()
_OFTEN = ("seat", "card", "turn", "play ", "card_played", "trick_taken", "trick_won", "points")
"""Words of the games that come with the program."""
_DESCRIBED = (
    "option_taken",
    "cards_moved",
    "table_changed",
    "action",
    "source",
    "target",
    "cards",
    "count",
    "{card ",
    "}",
    "cards_shown",
    "choice_noted",
)
"""Words of described games."""
_MOST_CARDS = IN_BYTES // 2
"""Of larger decks the other cards come last."""
_SLOTS = 10


class GameWords:
    """A game's words for this `number` of players, the message that lists them, and encoders."""

    def __init__(self, info: GameInfo, seats: int) -> None:
        self.number = next(_NUMBERS)
        every = (word for word in _words(info, seats) if 0 < len(word) <= LONGEST_WORD)
        words = tuple(islice(dict.fromkeys(every), MOST_WORDS))
        told = {"type": "words", "number": self.number, "words": words}
        self.message = codec_for(MSGPACK).encode_message(told)
        self.encoders = {
            internal: CompactEventEncoder(self.number, words, internal)
            for internal in (False, True)
        }


@lru_cache(maxsize=64)
def words_of(info: GameInfo, seats: int) -> GameWords:
    """Return the words of a game with this number of players."""
    return GameWords(info, seats)


def _words(info: GameInfo, seats: int) -> Iterator[str]:
    """List the most frequent words first, as the first `IN_BYTES` take the least room."""
    tokens = [card.token for card in info.legend]
    yield from tokens[:_MOST_CARDS]
    yield from _OFTEN
    if info.words:
        yield from _DESCRIBED
        yield from info.words
    for move in info.moves:
        yield f"{move.verb} "
        if move.slots:
            yield from (f"@{slot}" for slot in range(_SLOTS))
    yield from english().verbs.get(info.id, ())
    for zone in info.layout.zones:
        yield zone.kind
        end = "/" if zone.place == SLOTS else ""
        yield from (f"{zone.kind}/{seat}{end}" for seat in range(seats))
    for value in info.layout.values:
        yield value.kind
        if value.shown in (BY_SEAT, BY_TEAM) and value.holds != A_SEAT:
            yield from (f"{value.kind}/{owner}" for owner in range(seats))
    yield from tokens[_MOST_CARDS:]
