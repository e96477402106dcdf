"""Nothing hidden leaves the server: every frame is held against what its reader had been shown.

Matches are played with people, bots, spectators, lost connections, hints and wrong moves. Then
each frame is taken apart, zone by zone and word by word, and no card may stand in it that the
camera, which knows nothing but the deal and the moves, had not shown to that player by then.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pydantic_core import to_json

from engine import GAMES, OPEN, SPECTATOR, Catalogue, Viewer
from engine.cards import FRENCH
from engine.choices import Choices, Pick
from engine.facts import Seat
from engine.games.black_queen import BlackQueen, State
from engine.match import Match
from protocol.encode import legend_plain
from protocol.texts.examples import EXAMPLES
from server.table.entries import Acted, Left, Moved, Seated
from server.table.fold import replay
from tests.conformance.black_queen_leaky import (
    CountingFact,
    HelpfulChoices,
    LoudDealer,
    OpenHand,
    OpenStands,
    Peeker,
    Prophet,
)
from tests.counts import count
from tests.server.camera import TOKEN, Camera, Reveal
from tests.server.house import open_house
from tests.server.recording import Recording, Sent, record

MATCHES = 50
"""Played side by side; four times so many make 200."""
LEGEND = to_json(legend_plain(FRENCH))
VALUES = {"leader", "turn", "deal", "points", "total", "option"}
"""What a view says beside cards, up to the first slash."""


class Leak(AssertionError):
    """A card in a frame to somebody who had not been shown it."""


class Judge:
    """What everybody had been shown, entry by entry, of one recorded match."""

    def __init__(self, recording: Recording, catalogue: Catalogue) -> None:
        self.recording = recording
        self.moments: dict[int, Camera] = {}
        self.reveals: dict[int, list[Reveal]] = {}
        self.deals: list[int] = []
        self.seats: dict[int, dict[str, Seat]] = {0: {}}
        before = None
        game = catalogue.game("black_queen")
        for entry, advanced in replay(catalogue, recording.log):
            play = advanced.state.play
            self._sit(entry.seq, entry.body)
            if isinstance(entry.body, Acted) and before is not None:
                before, self.reveals[entry.seq] = before.played(entry.body.seat, entry.body.action)
            started = play is not None and play.number == len(self.deals) and not play.over
            if started:
                self.deals.append(entry.seq)
                view = game.view(play, OPEN)
                before = Camera.at_deal(view, view.number("leader"))
            if before is not None:
                self.moments[entry.seq] = before

    def _sit(self, seq: int, body: object) -> None:
        seats = dict(self.seats[seq - 1])
        match body:
            case Seated(seat=seat, player=player):
                seats[player] = seat
            case Moved(seat=seat, to=to):
                seats = {who: to if at == seat else at for who, at in seats.items()}
            case Left(seat=seat):
                seats = {who: at for who, at in seats.items() if at != seat}
        self.seats[seq] = seats

    def viewer(self, player: str, seq: int) -> Viewer:
        """As whom a player looks at the table after an entry; who just left still as himself."""
        now, before = self.seats[seq], self.seats[max(0, seq - 1)]
        return now.get(player, before.get(player, SPECTATOR))

    def check(self, sent: Sent) -> None:
        message = dict(sent.message)
        if message["type"] in ("event", "table"):
            viewer = self.viewer(sent.player, message["seq"])
            self._check_words(sent, viewer, message["seq"], message)
            self._check_facts(viewer, message)
            self._check_choices(viewer, message["seq"], message.get("question", {}))
        elif message["type"] != "welcome":
            self._check_words(sent, self.viewer(sent.player, sent.seq), sent.seq, message)
        if message["type"] == "table":
            self._check_view(viewer, message["seq"], message["view"])

    def _check_words(self, sent: Sent, viewer: Viewer, seq: int, message: dict[str, Any]) -> None:
        """No card in any text, but those shown and those the player named himself."""
        legend = message.pop("legend", None)
        if legend is not None and to_json(legend) != LEGEND:
            raise Leak("the legend is not the same for all")
        words = set(TOKEN.findall(to_json(message).decode()))
        words -= {card for _, _, card in self.reveals.get(seq, ())}
        for moment in (self.moments.get(seq - 1), self.moments.get(seq)):
            if moment is not None:
                words -= moment.tokens(viewer)
        if message["type"] == "error":
            said = self.recording.said[sent.player, message["id"]]
            words -= set(TOKEN.findall(str(said.get("action"))))
        if words:
            raise Leak(f"{words} told to {viewer} in {message['type']}")

    def _check_facts(self, viewer: Viewer, message: Mapping[str, Any]) -> None:
        """Faces move where the camera saw them move, and no fact has a word too many."""
        seq = message["seq"]
        deals = [deal for deal in self.deals if deal <= seq]
        since = max(deals, default=seq) if message["type"] == "table" else seq
        seen: Counter[Reveal] = Counter()
        for at in range(since, seq + 1):
            seen.update(self.reveals.get(at, ()))
            if at in self.deals:
                seen.update(self.moments[at].dealt(viewer))
        for fact in message.get("facts", ()):
            named = list(_faces(fact.get("changes", ())))
            seen.subtract(named)
            args = fact.get("args", {})
            if args.keys() != EXAMPLES[fact["verb"]].keys() if fact["verb"] in EXAMPLES else True:
                raise Leak(f"{fact['verb']} has words of its own: {args}")
            told = {value for value in args.values() if isinstance(value, str)}
            if not set(TOKEN.findall(" ".join(told))) <= {card for *_, card in named}:
                raise Leak(f"{fact['verb']} names a card that it does not move")
            _check_keys(change["key"] for change in fact.get("changes", ()) if "key" in change)
        if over := -seen:
            raise Leak(f"{dict(over)} told to {viewer} at entry {seq}")

    def _check_view(self, viewer: Viewer, seq: int, view: Mapping[str, Any]) -> None:
        """Zone by zone, what lies open is what the camera shows there."""
        zones = view.get("zones", {})
        shown = self.moments[seq].shown(viewer) if seq in self.moments else {}
        for name, zone in zones.items():
            if extra := Counter(zone.get("cards", ())) - shown[name]:
                raise Leak(f"{dict(extra)} in {name} before {viewer}")
        _check_keys(view.get("values", {}))

    def _check_choices(self, viewer: Viewer, seq: int, question: Mapping[str, Any]) -> None:
        """Choices are for who is asked, and follow from his own cards and the trick."""
        offered = question.get("choices")
        if offered is None:
            return
        moment = self.moments[seq]
        own = viewer != SPECTATOR and set(offered.get("actions", ())) == moment.allowed(viewer)
        if not own or "picks" in offered:
            raise Leak(f"choices {offered} before {viewer}")


def _faces(changes: Iterable[Mapping[str, Any]]) -> Iterable[Reveal]:
    for change in changes:
        cards = change.get("cards", 0)
        if isinstance(cards, int):
            continue
        source = change.get("source", change.get("zone"))
        for card in cards:
            yield source, change.get("target", source), card


def _check_keys(keys: Iterable[str]) -> None:
    for key in keys:
        if key.partition("/")[0] not in VALUES:
            raise Leak(f"a value of its own: {key}")


async def recorded(
    folder: Path,
    numbers: range,
    catalogue: Catalogue = GAMES,
    seed: int = 1,
    bots: Sequence[int] = (0, 1, 2),
) -> list[Recording]:
    async with open_house(folder, catalogue, max_tables=10_000, chat_per_minute=1000) as house:
        return await record(house, Random(seed), numbers, bots)


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
    for part in range(count(1)):
        numbers = range(part * MATCHES, (part + 1) * MATCHES)
        recordings = await recorded(tmp_path / str(part), numbers, seed=4 * part + batch)
        looked_at += judge(recordings)
        assert {recording.seats for recording in recordings} == set(range(2, 9))
        assert {recording.log[-1].body.kind for recording in recordings} == {"act"}, "unfinished"
    assert looked_at.keys() >= {"table", "event", "ok", "error", "hint", "chat", "presence"}


class Borrower(BlackQueen):
    """Who is asked is offered to pick from his neighbour's hand as well."""

    def choices(self, state: State, seat: Seat) -> Choices:
        choices = super().choices(state, seat)
        hand = super().view(state, OPEN).cards("hand", (seat + 1) % state.setup.seats)
        return Choices(choices.actions, (Pick("swap", hand, 1, 1),) if choices else ())


@pytest.mark.parametrize(
    "leaky",
    [
        *(OpenHand, LoudDealer, Peeker, CountingFact, Prophet),
        *(OpenStands, HelpfulChoices, Borrower),
    ],
)
async def test_a_leak_in_the_game_is_found(tmp_path: Path, leaky: type[BlackQueen]) -> None:
    """View, facts, audience, words, choices: whichever way a card gets out, a frame shows it."""
    catalogue = Catalogue((Match(leaky()),))
    recordings = await recorded(tmp_path, range(4), catalogue, bots=(1,))
    with pytest.raises(Leak):
        judge(recordings, catalogue)
