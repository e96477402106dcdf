"""Bytes of a played card for a seat: the event and the question, in the long and the compact form.

Matches of random moves for the usual number of players, with a turn clock and reserves. Events in
which a deal begins or ends are left out: they tell more than a card.
"""

from collections.abc import Iterator
from random import Random
from statistics import fmean

from bench.figures import Figure, at_most
from engine import GAMES, AnyGame, Match, Setup, Shuffler, complete_options, seed_from_int
from engine.choices import random_action
from engine.facts import seen_by
from engine.recycle import games, load
from protocol.codec import codec_for
from protocol.events import Encoder, EventEncoder
from protocol.features import INTERNAL_VALUES
from protocol.version import MSGPACK
from protocol.wire_form import QuestionParts
from server.games.words import words_of
from server.table.choices_told import choices_told

DESCRIBED = "Hearts4"
MATCHES, MOST_MOVES = 3, 300
MOST_BYTES = 120
"""On average a seat, in the games of the program."""
_PLAYED = {"card_played", "option_taken"}
_MORE = {"deal_started", "deal_scored", "match_ended"}


def measure() -> Iterator[Figure]:
    """By game and form: bytes on average, for all seats and for the one with most."""
    for info in GAMES:
        yield from _of(GAMES.game(info.id), MOST_BYTES)
    yield from _of(Match(load(games.description(DESCRIBED), DESCRIBED)), None)


def _of(game: AnyGame, most: int | None) -> Iterator[Figure]:
    words = words_of(game.info, game.info.usual_seats)
    long, short = EventEncoder(codec_for(MSGPACK), False), words.encoders[False]
    for form, encoder in (("long", long), ("compact", short)):
        sizes = _played(game, encoder)
        name = f"bytes.{game.info.id}.{form}"
        limit = None if most is None or form == "long" else at_most(most)
        yield Figure(name, fmean(map(fmean, sizes)), "bytes", limit)
        yield Figure(f"{name}.worst", fmean(map(max, sizes)), "bytes")


def _played(game: AnyGame, encoder: Encoder) -> list[list[int]]:
    """The bytes by seat of each event in which a card is played."""
    seats, rng = game.info.usual_seats, Random(1)
    options = complete_options(game, seats, {})
    sizes: list[list[int]] = []
    for match in range(MATCHES):
        step = game.start(Setup(seats, options, Shuffler(seed_from_int(match))))
        for turn in range(MOST_MOVES):
            asked = game.to_act(step.state)
            if not asked:
                break
            choices = game.choices(step.state, asked[0])
            step = game.apply(step.state, asked[0], random_action(choices, rng))
            verbs = {fact.verb for fact, _ in step.facts}
            asked = game.to_act(step.state)
            told = [seen_by(step.facts, seat) for seat in range(seats)]
            asks = [QuestionParts(turn, asked, None, 119.99, (300,) * seats)] * seats
            for seat in asked:
                offered = choices_told(game, step.state, seat, {INTERNAL_VALUES})
                asks[seat] = asks[seat]._replace(choices=offered)
            if verbs & _PLAYED and not verbs & _MORE:
                sent = zip(told, asks, strict=True)
                sizes.append([len(encoder.encode("K7QX2", turn, t, None, q)) for t, q in sent])
    return sizes
