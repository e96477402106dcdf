"""Events joined from encoded pieces equal the models' bytes."""

from random import Random

import pytest

from engine import GAMES, Choices, Fact, Setup, Shuffler, complete_options, seed_from_int
from engine.choices import random_action
from engine.facts import SPECTATOR, Set, seen_by
from engine.views import for_people
from protocol import events
from protocol.codec import codec_for
from protocol.events import CompactEventEncoder, EventEncoder
from protocol.version import SUBPROTOCOLS
from protocol.wire_form import (
    QuestionParts,
    WireForm,
    event_message,
    fact_form,
    facts_form,
    question_form,
)
from tests.counts import count

QUESTION = QuestionParts(7, (2,), Choices(("play QS", "play 2C@3")), 12.5)
INFO: WireForm = {"table": "PLUM", "host": None, "options": {"deals": 4}, "title": "Black Queen ♠"}


@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
def test_events_of_a_match_are_the_same_bytes(subprotocol: str) -> None:
    """Events of whole matches equal the models' bytes for every seat, with pieces cached."""
    codec = codec_for(subprotocol)
    encoder = EventEncoder(codec)
    game, rng = GAMES.game("black_queen"), Random(5)
    for number in range(count(2)):
        seats = rng.randint(2, 8)
        options = complete_options(game, seats, {"deals": 1})
        step = game.start(Setup(seats, options, Shuffler(seed_from_int(number))))
        seq = 0
        while True:
            seq += 1
            for viewer in (SPECTATOR, *range(seats)):
                facts = seen_by(step.facts, viewer)
                made = encoder.encode("PLUM", seq, facts, None, QUESTION)
                plain = event_message(
                    "PLUM", seq, facts_form(facts), None, question_form(*QUESTION)
                )
                assert made == codec.encode_message(plain)
            asked = game.to_act(step.state)
            if not asked:
                break
            action = random_action(game.choices(step.state, asked[0]), rng)
            step = game.apply(step.state, asked[0], action)


@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
@pytest.mark.parametrize("facts", [0, 1, 15, 16, 300])
@pytest.mark.parametrize("info", [None, INFO])
@pytest.mark.parametrize("question", [None, QUESTION])
def test_events_of_every_shape_are_the_same_bytes(
    subprotocol: str, facts: int, info: WireForm | None, question: QuestionParts | None
) -> None:
    """Events equal the models' bytes with and without each part, and for any number of facts."""
    codec = codec_for(subprotocol)
    told = tuple(Fact("card_played", {"seat": seat, "card": "QS"}) for seat in range(facts))
    made = EventEncoder(codec).encode("PLUM", 2**40, told, info, question)
    asked = None if question is None else question_form(*question)
    plain = event_message("PLUM", 2**40, facts_form(told), info, asked)
    assert made == codec.encode_message(plain)
    encoder = EventEncoder(codec)
    fields = encoder.telling("PLUM", 2**40, told, info)
    assert encoder.asking(fields, asked) == made


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache is bounded: newer facts evict older ones, which are then encoded again."""
    monkeypatch.setattr(events, "FRESH", 3)
    monkeypatch.setattr(events, "LASTING", 2)
    codec = codec_for(SUBPROTOCOLS[0])
    encoder = EventEncoder(codec)
    for seat in range(20):
        facts = (Fact("card_played", {"seat": seat}), Fact("trick_taken", {"seat": seat}))
        plain = event_message("PLUM", seat, facts_form(facts))
        for _ in range(3):
            assert encoder.encode("PLUM", seat, facts) == codec.encode_message(plain)
            assert len(encoder._fresh) <= 3
            assert len(encoder._lasting) <= 2


def test_one_game_has_less_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compact form, of which each game has its own, has a smaller cache."""
    monkeypatch.setattr(events, "FRESH_OF_A_GAME", 3)
    monkeypatch.setattr(events, "LASTING_OF_A_GAME", 2)
    encoder = CompactEventEncoder(0, ())
    for seat in range(20):
        facts = (Fact("card_played", {"seat": seat}), Fact("trick_taken", {"seat": seat}))
        assert len({encoder.encode("PLUM", seat, facts) for _ in range(3)}) == 1
        assert len(encoder._fresh) <= 3
        assert len(encoder._lasting) <= 2


def test_a_fact_that_comes_again_is_not_encoded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fact that recurs stays cached although many others have been evicted since."""
    monkeypatch.setattr(events, "FRESH", 3)
    encoded: list[Fact] = []

    def counting(fact: Fact) -> WireForm:
        encoded.append(fact)
        return fact_form(fact)

    monkeypatch.setattr(events, "fact_form", counting)
    encoder = EventEncoder(codec_for(SUBPROTOCOLS[0]))
    again = Fact("card_played", {"seat": 0})
    for seat in range(20):
        encoder.encode("PLUM", seat, (again, again, Fact("trick_taken", {"seat": seat})))
    assert encoded.count(again) == 1
    assert len(encoded) == 21


@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
def test_events_for_people_lack_internal_values(subprotocol: str) -> None:
    """Encoders for people and for bots have one fact in their own forms, also when it recurs."""
    codec = codec_for(subprotocol)
    fact = Fact("table_changed", {}, (Set("score/0", 2), Set("play/state", (1, 2))))
    for internal, shown in ((True, fact), (False, for_people(fact))):
        encoder = EventEncoder(codec, internal)
        for _ in range(3):
            plain = event_message("PLUM", 3, facts_form([shown]))
            assert encoder.encode("PLUM", 3, [fact]) == codec.encode_message(plain)
