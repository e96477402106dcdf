"""Events of whole matches in the compact form, with the words of each game."""

from random import Random

import msgpack
import pytest

from engine import GAMES, AnyGame, Match, Setup, Shuffler, complete_options
from engine.choices import random_action
from engine.facts import SPECTATOR, seen_by
from engine.recycle import games, load
from protocol.codec import codec_for
from protocol.compact_form import IN_BYTES, LONGEST_WORD, MOST_WORDS
from protocol.compact_reader import CompactReader
from protocol.events import EventEncoder
from protocol.features import ON_REQUEST
from protocol.version import MSGPACK
from protocol.wire_form import QuestionParts
from server.games.words import words_of
from server.table.choices_told import choices_told
from tests.counts import count

MOST_MOVES = 50
CODEC = codec_for(MSGPACK)
DESCRIBED = sorted({name.rstrip("0123456789"): name for name in games.names()}.values())


def game_of(name: str) -> AnyGame:
    return Match(load(games.description(name), name)) if name in DESCRIBED else GAMES.game(name)


NAMES = [*(info.id for info in GAMES), *DESCRIBED]


@pytest.mark.parametrize("name", NAMES)
def test_a_match_is_read_alike_in_both_forms(name: str) -> None:
    """Every event decodes alike from both forms, with all forms of choices."""
    game = game_of(name)
    rng, seats = Random(name), game.info.usual_seats
    words, long = words_of(game.info, seats), EventEncoder(CODEC)
    short = words.encoders[True]
    reader, bytes_long, bytes_short = CompactReader(), 0, 0
    CODEC.decode_frame(CODEC.frame([words.message]), reader)
    for _ in range(count(1)):
        setup = Setup(seats, complete_options(game, seats, {}), Shuffler(rng.randbytes(32)))
        step = game.start(setup)
        for seq in range(1, MOST_MOVES):
            asked = game.to_act(step.state)
            for viewer in (SPECTATOR, *range(seats)):
                features = rng.choice([ON_REQUEST, frozenset()])
                choices = (
                    choices_told(game, step.state, viewer, features) if viewer in asked else None
                )
                question = QuestionParts(seq, asked, choices, 119.25, (300,) * seats)
                facts = seen_by(step.facts, viewer)
                one = long.encode("PLUM", seq, facts, None, question)
                two = short.encode("PLUM", seq, facts, None, question)
                (event,) = CODEC.decode_frame(CODEC.frame([one]))
                assert CODEC.decode_frame(CODEC.frame([two]), reader) == [event]
                bytes_long, bytes_short = bytes_long + len(one), bytes_short + len(two)
            if not asked:
                break
            seat = rng.choice(asked)
            step = game.apply(step.state, seat, random_action(game.choices(step.state, seat), rng))
    assert bytes_short < 0.4 * bytes_long


def test_words_follow_from_the_game_alone() -> None:
    """The word list depends only on the game and the number of players, and is cached."""
    info = GAMES.game("hearts").info
    assert words_of(info, 4) is words_of(info, 4)
    numbers = {words_of(info, seats).number for seats in (3, 4)}
    assert len(numbers | {words_of(GAMES.game("whist").info, 4).number}) == 3


def test_a_list_is_within_its_bounds() -> None:
    """Every word list is within its bounds, with cards among the short numbers."""
    for game in map(game_of, NAMES):
        for seats in game.info.seats:
            told = msgpack.unpackb(words_of(game.info, seats).message)
            assert len(told["words"]) == len({*told["words"]}) <= MOST_WORDS
            assert max(map(len, told["words"])) <= LONGEST_WORD
            assert {"card_played", game.info.legend[0].token} < {*told["words"][:IN_BYTES]}
