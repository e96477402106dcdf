"""A table keeps its promises whatever people, bots, time and the disk do, in any order.

`TableHarness` checks at every step that entries are published once and in order and that no command
is answered twice; the invariants below check the rest.
"""

from collections.abc import Mapping
from random import Random
from typing import TypeAlias

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from engine.choices import random_action
from protocol.to_server import (
    Act,
    AddBot,
    Admit,
    Back,
    Command,
    Configure,
    Join,
    Kick,
    Latecomers,
    Leave,
    MakeHost,
    Ready,
    Rematch,
    RemoveBot,
    Sit,
    StandIn,
    Start,
    TableSettings,
    Undo,
)
from server.table.clocks import Timing
from server.table.effects import Notify
from server.table.messages import info_message, info_of
from server.table.turn_clock import TurnRule
from server.table.undo import turns_of
from tests.counts import count
from tests.server.table.harness import TableHarness

PEOPLE = st.sampled_from(["ann", "bea", "cid", "dan"])
SEATS = st.integers(0, 3)
Said: TypeAlias = tuple[type[Command], dict[str, object]]
COMMANDS: st.SearchStrategy[Said] = st.one_of(
    st.sampled_from([(kind, {}) for kind in (Back, Leave, Ready, Rematch, Start, Configure, Undo)]),
    st.tuples(
        st.sampled_from([Join, Sit, Kick, RemoveBot, StandIn, MakeHost]),
        st.fixed_dictionaries({"seat": SEATS}),
    ),
    st.tuples(st.just(Join), st.just({})),
    st.tuples(st.just(AddBot), st.fixed_dictionaries({"strength": st.integers(0, 2)})),
    st.tuples(
        st.just(Configure),
        st.fixed_dictionaries({"options": st.sampled_from([{"rounds": 1}, {"rounds": 7}])}),
    ),
    st.tuples(
        st.just(Admit),
        st.fixed_dictionaries({"request": st.integers(1, 3), "admit": st.booleans()}),
    ),
    st.tuples(
        st.just(Act),
        st.fixed_dictionaries(
            {"turn": st.integers(0, 4), "action": st.sampled_from(["lay 2C", "play QS", "?"])}
        ),
    ),
)
QUICK: Mapping[str, Mapping[str, object]] = {
    "both_at_once": {"rounds": 2},
    "black_queen": {"columns": 0},
    "hearts": {"target": 1},
}
"""By game, options that make its match a short one."""
TIMING = Timing(bot_delay=1, grace=10, abandon=60, lobby=40, finished=30, rule=TurnRule(5, 10))


class TableMachine(RuleBasedStateMachine):
    """A state machine that drives a table at random."""

    @initialize(
        game=st.sampled_from(["both_at_once", "both_at_once", "black_queen", "hearts"]),
        seats=st.integers(2, 3),
        turn_seconds=st.sampled_from([None, None, 0, 5, 20]),
        guests=st.sets(st.sampled_from(["bea", "cid"]), max_size=2),
        started=st.booleans(),
        latecomers=st.sampled_from(["ask", "ask", "never", "anyone"]),
    )
    def open(
        self,
        game: str,
        seats: int,
        turn_seconds: int | None,
        guests: set[str],
        started: bool,
        latecomers: Latecomers,
    ) -> None:
        settings = TableSettings(turn_seconds=turn_seconds, latecomers=latecomers)
        seats = 4 if game == "hearts" else seats
        self.table = TableHarness(
            game, seats, options=QUICK[game], settings=settings, timing=TIMING
        )
        self.table.actor.origins.of = lambda player: {"x" if player in ("cid", "dan") else player}
        self.rng = Random(seats)
        self.without_host_since: float | None = None
        for who in sorted(guests):
            self.table.ask(who, Join)
        if started:
            self.table.ask("ann", Start, fill=0)

    # People

    @rule(who=PEOPLE, command=COMMANDS)
    def command(self, who: str, command: Said) -> None:
        kind, fields = command
        self.table.send(who, kind, **fields)

    @rule(command=st.sampled_from([(Start, {"fill": 0}), (Rematch, {}), (AddBot, {"strength": 0})]))
    def manage(self, command: Said) -> None:
        """Let the host proceed."""
        state = self.table.state
        if state.host is not None:
            kind, fields = command
            self.table.send(state.host, kind, **fields)

    @precondition(lambda self: self.table.state.phase == "playing")
    @rule(times=st.integers(1, 6), here=st.booleans())
    def play(self, times: int, here: bool) -> None:
        """Make some moves by the players who are asked, present or not."""
        for _ in range(times):
            state = self.table.state
            humans = [seat for seat in state.to_act if state.chairs[seat].kind == "human"]
            if not humans or state.phase != "playing":
                return
            seat = self.rng.choice(humans)
            who = state.chairs[seat].player
            if here:
                self.table.reconnect(who)
            action = random_action(self.table.game.choices(state.play, seat), self.rng)
            self.table.send(who, Act, turn=state.turn, action=action)

    @precondition(lambda self: self.table.state.undo_points)
    @rule(data=st.data(), named=st.booleans())
    def take_back(self, data: st.DataObject, named: bool) -> None:
        """Take moves back, perhaps to a named turn."""
        state = self.table.state
        (seat,) = state.humans()
        turns = turns_of(state.undo_points or (), seat)
        turn = data.draw(st.sampled_from(turns)) if named and turns else None
        self.table.send(state.chairs[seat].player, Undo, turn=turn)

    @rule(who=st.sampled_from(["wim", "xia"]))
    def watch(self, who: str) -> None:
        self.table.watch(who)

    @precondition(lambda self: bool(self.late()))
    @rule(back=st.booleans())
    def stand_in(self, back: bool) -> None:
        """Let a bot play for a player whose time is up."""
        for who in sorted(self.table.connected):
            self.table.send(who, StandIn, seat=self.late()[0])
            if not self.late():
                break
        for chair in self.table.state.chairs:
            if back and chair.stand_in:
                self.table.send(chair.player, Back)

    def late(self) -> list[int]:
        """The seats of players whose time is up."""
        table = self.table
        seats = range(len(table.state.chairs))
        run_out = table.actor.clocks.has_run_out
        return [seat for seat in seats if run_out(table.state, seat, table.now)]

    @rule(who=PEOPLE)
    def disconnect(self, who: str) -> None:
        self.table.disconnect(who)

    @precondition(lambda self: self.table.state.host is not None)
    @rule()
    def lose_host(self) -> None:
        """End the host's connection."""
        assert self.table.state.host is not None
        self.table.disconnect(self.table.state.host)

    @rule(who=PEOPLE)
    def reconnect(self, who: str) -> None:
        self.table.reconnect(who)

    # Time and bots

    @rule(seconds=st.sampled_from([0.5, 1, 5, 10, 15, 30, 45]))
    def wait(self, seconds: float) -> None:
        self.table.wait(seconds)

    @rule()
    def tick(self) -> None:
        self.table.tick()

    @precondition(lambda self: bool(self.table.questions))
    @rule(times=st.integers(1, 4), late=st.booleans())
    def bot_moves(self, times: int, late: bool) -> None:
        for _ in range(times):
            if self.table.questions:
                self.table.bot_moves(late)
                self.table.wait(1)

    # The disk

    @rule(held=st.booleans(), broken=st.sampled_from([False, False, True]))
    def disk(self, held: bool, broken: bool) -> None:
        if self.table.writing:
            self.table.commit()
        self.table.held, self.table.broken = held, broken

    @precondition(lambda self: self.table.writing)
    @rule(fails=st.booleans())
    def write(self, fails: bool) -> None:
        if fails:
            self.table.fail()
        else:
            self.table.commit()

    # What always holds

    @invariant()
    def the_log_is_the_table(self) -> None:
        """Check that the log has no gap, and that its replay gives equal states and facts."""
        if self.table.log:
            self.table.check_log()

    @invariant()
    def what_is_said_of_the_table_is_never_old(self) -> None:
        """Check that what is kept of the last message about the table is what it would be now."""
        table = self.table.actor
        away = [seat for seat in range(len(table.state.chairs)) if table.clocks.is_away(seat)]
        said = info_message(table.code, table.game, table.state, table.clocks, away)
        assert info_of(table) == said

    @invariant()
    def an_answer_names_its_entry(self) -> None:
        """Check that each command with an effect has exactly the entry that its answer names."""
        table = self.table
        named = [(entry.key, entry.seq) for entry in table.log if entry.key is not None]
        assert len(dict(named)) == len(named)
        for key, seq in named:
            for answer in table.answers[key]:
                assert answer.get("seq") == seq

    @precondition(lambda self: self.table.actor.seat_requests.requests)
    @rule(request=st.integers(1, 3), admit=st.sampled_from([True, True, False]))
    def host_says(self, request: int, admit: bool) -> None:
        """Let the host answer a request."""
        state = self.table.state
        assert state.host is not None
        self.table.send(state.host, Admit, request=request, admit=admit)

    @invariant()
    def requests_have_one_end(self) -> None:
        """Check that a requester waits for a present host, or was told the result."""
        told = [each.message for each in self.table.effects if isinstance(each, Notify)]
        asked = {each["request"] for each in told if each.get("kind") == "latecomer"}
        ends = [each["request"] for each in told if each.get("kind") == "latecomer_gone"]
        assert len(set(ends)) == len(ends)
        table = self.table.actor
        waiting = [who for who in ("ann", "bea", "cid", "dan") if who in table.seat_requests]
        if waiting and not table.busy:
            state = self.table.state
            assert state.phase in ("lobby", "playing", "paused")
            assert state.host_seat is not None
            assert not table.clocks.is_away(state.host_seat)
            assert all(state.seat_of(who) is None for who in waiting)
        # Where the last player has gone there is no host to be told.
        if self.table.state.host is not None:
            assert len(asked) == len(ends) + len(waiting)

    @invariant()
    def only_a_match_of_one_person_goes_back(self) -> None:
        """Check that only a match of one unwatched person goes back, and is practice then."""
        state = self.table.state
        if state.undo_points is not None:
            assert len(state.humans()) == 1
            assert {who for who, _ in state.seen} == {state.chairs[state.humans()[0]].player}
            assert not state.watched
            assert state.phase in ("playing", "paused")
        if state.undo_points:
            assert state.undo_points[-1].turn == state.turn
            assert state.undo_points[-1].to_act == state.to_act
            assert state.undo_points[-1].play is state.play

    @invariant()
    def turns_only_rise(self) -> None:
        """Check that turn numbers only rise."""
        assert self.table.turns == sorted(self.table.turns)

    @invariant()
    def a_closed_table_stays_as_it_is(self) -> None:
        assert "closed" not in self.table.kinds[:-1]

    @invariant()
    def chairs_are_well_made(self) -> None:
        """Check that exactly bots' seats have a strength, and that the host is a person."""
        state = self.table.state
        for chair in state.chairs:
            assert (chair.strength is not None) == chair.played_by_bot
            assert (chair.player != "") == (chair.kind == "human")
        assert state.host_seat in (*state.humans(), None)
        assert (state.host is None) == (state.host_seat is None) == (not state.humans())
        assert len({state.chairs[seat].player for seat in state.humans()}) == len(state.humans())

    @invariant()
    def those_who_are_there_have_a_host(self) -> None:
        """Check that present players are without a present host only for the grace period.

        The time counts while the disk works.
        """
        table = self.table
        state = table.state
        here = [s for s in state.humans() if state.chairs[s].player in table.connected]
        disturbed = table.actor.busy or table.held or table.broken or not table.log
        if disturbed or state.phase == "closed" or not here or state.host_seat in here:
            self.without_host_since = None
        elif self.without_host_since is None:
            self.without_host_since = table.now
        else:
            assert table.now <= self.without_host_since + TIMING.grace

    @invariant()
    def reserves_are_seconds_of_people(self) -> None:
        """Check that reserves follow the server's rule for several people."""
        state, table = self.table.state, self.table
        reserves = table.actor.clocks.reserves(state, table.now)
        rule = state.settings.turn_seconds is None and len(state.humans()) > 1
        assert len(reserves) == (len(state.chairs) if rule else 0)
        for seat, seconds in enumerate(reserves):
            assert 0 <= seconds <= (10 if seat in state.humans() else 0)

    @invariant()
    def what_was_sent_is_what_may_be_seen(self) -> None:
        self.table.check_views()

    @invariant()
    def every_command_is_answered_once(self) -> None:
        waiting = [key for key, answers in self.table.answers.items() if not answers]
        assert not waiting or self.table.actor.busy

    @invariant()
    def the_table_is_not_forgotten(self) -> None:
        """Check that something is due if an asked seat is a bot's or its player is away."""
        state, table = self.table.state, self.table
        if state.phase != "playing" or table.actor.busy or table.questions:
            return
        waits_for_people = all(
            not state.chairs[seat].played_by_bot and not table.actor.clocks.is_away(seat)
            for seat in state.to_act
        )
        assert waits_for_people or table.actor.due() is not None

    @invariant()
    def the_table_knows_who_is_there(self) -> None:
        """Check that exactly the players without a connection are absent."""
        state, clocks = self.table.state, self.table.actor.clocks
        if self.table.actor.busy or state.phase == "closed":
            return
        for seat in state.humans():
            here = state.chairs[seat].player in self.table.connected
            assert clocks.is_away(seat) != here
            if here and seat in clocks.returned(state):
                assert self.table.actor.due() is not None

    def teardown(self) -> None:
        """Check that every table ends when it is left alone."""
        table = self.table
        table.repair()
        for who in ("ann", "bea", "cid", "dan"):
            table.disconnect(who)
        for _ in range(200):
            while table.questions:
                table.bot_moves()
            table.wait(5)
        assert table.state.phase == "closed" or not table.log
        table.check()


TestTable = TableMachine.TestCase
TestTable.settings = settings(max_examples=count(100), stateful_step_count=50)
