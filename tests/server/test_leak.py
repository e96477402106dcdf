"""Nothing hidden leaves the server: every frame is held against what its reader had been shown.

Matches are played with people, bots, spectators, lost connections, hints and wrong moves. Then a
judge looks at each frame that was sent.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bots import strengths
from engine import GAMES, OPEN, Catalogue
from engine.cards import TOKENS
from engine.choices import Choices, Pick
from engine.facts import Seat
from engine.game import MatchGame
from engine.games.black_queen import BlackQueen, State
from engine.match import Match
from server.table.entries import Acted
from tests.conformance.black_queen_leaky import (
    CountingFact,
    HelpfulChoices,
    LoudDealer,
    OpenHand,
    OpenStands,
    Peeker,
    Prophet,
)
from tests.conformance.hearts_broken import Impatient, LoudExchange, OpenPasses, ShownHand, Whisper
from tests.conformance.schnapsen_broken import Blusher, CloseWatcher, LoudTalon, Shouting
from tests.conformance.whist_broken import LooseTongue, Omen, SeenStock, WiseBids
from tests.counts import count
from tests.server.house import open_house
from tests.server.judge import WATCHED, Judge, Leak
from tests.server.recording import Opening, Openings, Recording, black_queen, record, verb

MATCHES = 25
"""Played side by side, in four batches; the least factor of `make nightly` makes 200 of them."""


def hearts(rng: Random, number: int) -> Opening:
    """Both sets of rules, one deal or some more, so that cards are passed in several directions."""
    rules = "recycle" if number % 4 == 0 else "standard"
    passes = [f"pass {' '.join(TOKENS[at : at + 3])}" for at in range(50)]
    return Opening("hearts", 4, {"rules": rules, "target": rng.choice((1, 1, 30))}, passes)


def schnapsen(rng: Random, number: int) -> Opening:
    options = {
        "target": rng.choice((1, 3)),
        "min_talon": rng.choice((2, 6)),
        "freeze": rng.random() < 0.5,
        "claim": rng.choice(("auto", "auto", "manual")),
    }
    marriages = [f"marry {rank}{suit}" for rank in "QK" for suit in "CDSH"]
    attempts = ("exchange", "close", *marriages)
    return Opening("schnapsen", 2, options, attempts, rare=("exchange", "close", "marry"))


def whist(rng: Random, number: int) -> Opening:
    options = {"cards": rng.randint(1, 4), "hook": rng.random() < 0.5}
    return Opening("whist", 3 + number % 5, options, [f"bid {bid}" for bid in range(12)])


VERBS: Mapping[str, set[str]] = {
    "hearts": {"pass", "play"},
    "schnapsen": {"play", "marry", "exchange", "close"},
    "whist": {"bid", "play"},
}
"""What has to be done in the matches that are watched."""
MESSAGES = {"table", "event", "ok", "error", "hint", "chat", "presence"}
"""What has to be among the messages that are looked at."""
OTHERS: Mapping[str, Openings] = {"hearts": hearts, "schnapsen": schnapsen, "whist": whist}


async def recorded(
    folder: Path,
    numbers: range,
    catalogue: Catalogue = GAMES,
    seed: int = 1,
    bots: Sequence[int] = (0, 1, 2),
    openings: Openings = black_queen,
) -> list[Recording]:
    async with open_house(folder, catalogue, max_tables=10_000, chat_per_minute=1000) as house:
        return await record(house, Random(seed), numbers, bots, openings)


def judge(recordings: Iterable[Recording], catalogue: Catalogue = GAMES) -> Counter[str]:
    """`Leak` if there is one; else how many messages of each type were looked at."""
    looked_at: Counter[str] = Counter()
    for recording in recordings:
        judge = Judge(recording, catalogue)
        for sent in recording.sent:
            judge.check(sent)
            looked_at[sent.message["type"]] += 1
    return looked_at


@pytest.mark.timeout(240)
@pytest.mark.parametrize("batch", range(4))
async def test_no_frame_shows_what_its_reader_may_not_know(tmp_path: Path, batch: int) -> None:
    """Matches of 2 to 8 with all options, both encodings: every frame to every seat, and more."""
    looked_at: Counter[str] = Counter()
    for part in itertools.count():
        if part >= count(1) and looked_at.keys() >= MESSAGES:
            break
        numbers = range(part * MATCHES, (part + 1) * MATCHES)
        recordings = await recorded(tmp_path / str(part), numbers, seed=4 * part + batch)
        looked_at += judge(recordings)
        assert {recording.seats for recording in recordings} == set(range(2, 9))
        assert {recording.log[-1].body.kind for recording in recordings} == {"act"}, "unfinished"


@pytest.mark.parametrize("game", OTHERS)
async def test_no_frame_of_the_other_games_does(tmp_path: Path, game: str) -> None:
    """What others pass, draw, hold or leave in the talon is in no frame to anybody else."""
    bots, openings = strengths(game), OTHERS[game]
    looked_at, verbs = Counter[str](), set[str]()
    for part in itertools.count():
        # The cards are new each time, so a kind of move may take more matches than planned.
        if part >= count(1) and verbs >= VERBS[game] and looked_at.keys() >= MESSAGES:
            break
        folder = tmp_path / str(part)
        recordings = await recorded(folder, range(20), seed=part, bots=bots, openings=openings)
        looked_at += judge(recordings)
        assert {recording.log[-1].body.kind for recording in recordings} == {"act"}, "unfinished"
        acted = (entry.body for recording in recordings for entry in recording.log)
        verbs |= {verb(body.action) for body in acted if isinstance(body, Acted)}


def test_no_game_is_left_out() -> None:
    """Every game that ships is watched."""
    assert {info.id for info in GAMES} == WATCHED.keys() == {"black_queen", *OTHERS}


class Borrower(BlackQueen):
    """The player who is asked may also choose from their neighbour's hand."""

    def choices(self, state: State, seat: Seat) -> Choices:
        choices = super().choices(state, seat)
        hand = super().view(state, OPEN).cards("hand", (seat + 1) % state.setup.seats)
        return Choices(choices.actions, (Pick("swap", hand, 1, 1),) if choices and hand else ())


LEAKS: Mapping[Openings, Sequence[type[MatchGame[Any]]]] = {
    black_queen: (
        *(OpenHand, LoudDealer, Peeker, CountingFact, Prophet),
        *(OpenStands, HelpfulChoices, Borrower),
    ),
    hearts: (OpenPasses, Whisper, LoudExchange, Impatient, ShownHand),
    schnapsen: (LoudTalon, Blusher, CloseWatcher, Shouting),
    whist: (SeenStock, Omen, LooseTongue, WiseBids),
}
"""Games that tell of a card by more than an order or a seat: that takes two worlds to see."""


@pytest.mark.parametrize(
    ("openings", "leaky"),
    [
        pytest.param(openings, leaky, id=f"{openings.__name__}-{leaky.__name__}")
        for openings, games in LEAKS.items()
        for leaky in games
    ],
)
async def test_a_leak_in_the_game_is_found(
    tmp_path: Path, openings: Openings, leaky: type[MatchGame[Any]]
) -> None:
    """View, facts, audience, words, choices: in whatever way a card leaks, a frame shows it.

    The cards differ each time, and some leaks need luck: so matches are played until one shows it.
    """
    catalogue = Catalogue((Match(leaky()),))
    (info,) = catalogue
    bots = strengths(info.id)[-1:]

    async def watch() -> None:
        for part in range(12):
            folder, numbers = tmp_path / str(part), range(4 * part, 4 * part + 4)
            judge(await recorded(folder, numbers, catalogue, part, bots, openings), catalogue)

    with pytest.raises(Leak):
        await watch()
