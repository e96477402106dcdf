"""Compares every frame of a recorded match with what its receiver had been shown.

Each frame is taken apart, zone by zone and word by word. No card may stand in it that the knowledge
model, which is told nothing but the deal and the moves, had not shown to that player.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import combinations
from typing import Any

from pydantic_core import to_json

from engine import OPEN, SPECTATOR, Catalogue, Viewer
from engine.choices import Action
from engine.facts import Seat
from protocol.texts.catalogue import english
from protocol.wire_form import legend_form
from server.table.entries import Acted, Left, Moved, Seated, Undone
from server.table.fold import replay
from tests.games.catalogue import SERVER_SUBJECTS
from tests.server.secrecy.knowledge import TOKEN, KnowledgeModel, Reveal
from tests.server.secrecy.recorded_match import RecordedMatch, SentMessage


class Leak(AssertionError):
    """A frame contains a card that its receiver had not been shown."""


class LeakChecker:
    """Checks what was sent in a match; `moments` is what all had been shown by each entry."""

    def __init__(self, recording: RecordedMatch, catalogue: Catalogue) -> None:
        self.recording = recording
        self.undo_points: dict[int, KnowledgeModel] = {}
        self.played: dict[int, KnowledgeModel] = {}
        self.deals: list[int] = []
        # The entries of the deal in play up to each entry, without moves that were taken back.
        self.line: dict[int, tuple[int, ...]] = {}
        self.undone: set[int] = set()
        put: dict[int, int] = {}
        self.seats: dict[int, dict[str, Seat]] = {0: {}}
        self.subject = SERVER_SUBJECTS[recording.game]
        game = catalogue.game(recording.game)
        self.legend = to_json(legend_form(game.info.legend)["legend"])
        before: KnowledgeModel | None = None
        line: tuple[int, ...] = ()
        for entry, advanced in replay(catalogue, recording.log):
            play = advanced.state.play
            self._sit(entry.seq, entry.body)
            if isinstance(entry.body, Acted) and before is not None:
                before = before.played(entry.body.seat, entry.body.action)
                self.played[entry.seq] = before
            if isinstance(entry.body, Undone):
                self.undone.add(entry.seq)
                back = put[entry.body.turn]
                before, line = self.undo_points[back], self.line[back]
            put.setdefault(advanced.state.turn, entry.seq)
            started = play is not None and play.number == len(self.deals) and not play.over
            if started:
                self.deals.append(entry.seq)
                before, line = self.subject.knowledge(game.view(play, OPEN)), ()
            line = (*line, entry.seq)
            self.line[entry.seq] = line
            if before is not None:
                self.undo_points[entry.seq] = before

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
        """The viewer that a player is after an entry; one who just left keeps the old seat."""
        now, before = self.seats[seq], self.seats[max(0, seq - 1)]
        return now.get(player, before.get(player, SPECTATOR))

    def check(self, sent: SentMessage) -> None:
        """Raise `Leak` if a message tells its receiver more than they had been shown."""
        message = dict(sent.message)
        if message["type"] == "log":
            self._check_log(sent.player, message)
        elif message["type"] in ("event", "table"):
            viewer = self.viewer(sent.player, message["seq"])
            self._check_words(sent, viewer, message["seq"], message)
            self._check_facts(viewer, message)
            self._check_choices(viewer, message["seq"], message.get("question", {}))
        elif message["type"] != "welcome":
            self._check_words(sent, self.viewer(sent.player, sent.seq), sent.seq, message)
        if message["type"] == "table":
            self._check_view(viewer, message["seq"], message["view"])

    def _check_log(self, player: str, log: Mapping[str, Any]) -> None:
        """Check that log entries are told as their events were; a finished match is open."""
        if any(entry.get("info", {}).get("phase") == "finished" for entry in log["entries"]):
            return
        for entry in log["entries"]:
            told = {key: entry[key] for key in ("seq", "facts", "question") if key in entry}
            event = {"type": "event", "table": log["table"], **told}
            self.check(SentMessage(player, entry["seq"], event))
            if "view" in entry:
                seat = entry.get("seat")
                viewer = SPECTATOR if seat is None else seat
                if viewer != self.seats[entry["seq"]].get(player, SPECTATOR):
                    raise Leak(f"entry {entry['seq']} is shown to {player} as {viewer}")
                self._check_view(viewer, entry["seq"], entry["view"])

    def _check_words(
        self, sent: SentMessage, viewer: Viewer, seq: int, message: dict[str, Any]
    ) -> None:
        """Check that texts name only shown cards, and those that the player named."""
        legend = message.pop("legend", None)
        if legend is not None and to_json(legend) != self.legend:
            raise Leak("the legend is not the same for all")
        words = set(TOKEN.findall(to_json(message).decode()))
        words -= {card for _, _, card in self._moved(viewer, seq)}
        # What was taken back just now may not even be named.
        past = None if message["type"] == "event" and seq in self.undone else seq - 1
        said = ""
        if message["type"] == "error":
            said = str(self.recording.said[sent.player, message["id"]].get("action"))
            words -= set(TOKEN.findall(said))
        for moment in (self.undo_points.get(at) for at in (past, seq) if at is not None):
            if moment is not None:
                words -= moment.tokens(viewer)
                words -= set(self.subject.meant(said, moment.shown(viewer)))
        if words:
            raise Leak(f"{words} told to {viewer} in {message['type']}")

    def _moved(self, viewer: Viewer, seq: int) -> Iterable[Reveal]:
        """The faces that a viewer saw move at an entry, apart from a new deal."""
        return self.played[seq].moved(viewer) if seq in self.played else ()

    def _check_facts(self, viewer: Viewer, message: Mapping[str, Any]) -> None:
        """Check that faces move where the model says, and that no fact has further cards."""
        seq = message["seq"]
        whole = message["type"] == "table" or seq in self.undone
        seen: Counter[Reveal] = Counter()
        for at in self.line.get(seq, ()) if whole else (seq,):
            seen.update(self._moved(viewer, at))
            if at in self.deals:
                seen.update(self.undo_points[at].dealt(viewer))
        for fact in message.get("facts", ()):
            named = list(_faces(fact.get("changes", ())))
            seen.subtract(named)
            args = fact.get("args", {})
            known = english().facts.get(fact["verb"])
            if known is None or args.keys() != known.example.keys():
                raise Leak(f"{fact['verb']} has words of its own: {args}")
            told = {value for value in args.values() if isinstance(value, str)}
            cards = {card for *_, card in named}.union(*self._spoken(viewer, seq))
            if not set(TOKEN.findall(" ".join(told))) <= cards:
                raise Leak(f"{fact['verb']} names a card that it does not move")
            self._check_keys(change["key"] for change in fact.get("changes", ()) if "key" in change)
        if over := -seen:
            raise Leak(f"{dict(over)} told to {viewer} at entry {seq}")

    def _spoken(self, viewer: Viewer, seq: int) -> Iterator[AbstractSet[str]]:
        for moments in (self.played, self.undo_points):
            if seq in moments:
                yield moments[seq].spoken(viewer)

    def _check_view(self, viewer: Viewer, seq: int, view: Mapping[str, Any]) -> None:
        """Check each zone's open cards against the model."""
        zones = view.get("zones", {})
        shown = self.undo_points[seq].shown(viewer) if seq in self.undo_points else {}
        for name, zone in zones.items():
            if extra := Counter(zone.get("cards", ())) - shown[name]:
                raise Leak(f"{dict(extra)} in {name} before {viewer}")
        self._check_keys(view.get("values", {}))

    def _check_choices(self, viewer: Viewer, seq: int, question: Mapping[str, Any]) -> None:
        """Check that choices go only to the player asked, and follow from their own cards."""
        offered = question.get("choices")
        if offered is None:
            return
        moment = self.undo_points[seq]
        if viewer == SPECTATOR or set(_offered(offered)) != moment.allowed(viewer):
            raise Leak(f"choices {offered} before {viewer}")

    def _check_keys(self, keys: Iterable[str]) -> None:
        for key in keys:
            if key.partition("/")[0] not in self.subject.values:
                raise Leak(f"a value of its own: {key}")


def _faces(changes: Iterable[Mapping[str, Any]]) -> Iterable[Reveal]:
    for change in changes:
        cards = change.get("cards", 0)
        if isinstance(cards, int):
            continue
        source = change.get("source", change.get("zone"))
        for card in cards:
            yield source, change.get("target", source), card


def _offered(choices: Mapping[str, Any]) -> Iterator[Action]:
    """Every single action, with picks written out."""
    yield from choices.get("actions", ())
    for pick in choices.get("picks", ()):
        for number in range(pick["least"], pick["most"] + 1):
            for cards in combinations(pick["cards"], number):
                yield " ".join((pick["verb"], *cards))
