"""The client's session against a model server over connections that break at any moment."""

from collections import Counter, deque

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from engine.facts import Fact, Move
from protocol.client import ClientSession
from protocol.client_events import Answered, ClientEvent, PutOff, TableEvent
from protocol.codec import codec_for
from protocol.to_client import Event, Ok, ToClient
from protocol.to_server import Act, Join, Sit, ToServer
from protocol.version import MSGPACK
from tests.counts import count
from tests.protocol.model_server import SEATS, TABLE, ModelServer, encode_frame

CODEC = codec_for(MSGPACK)
BROKEN = Fact("card_played", {}, (Move("nowhere", "pile", 1),))
Frame = bytes | str


class LossyConnection(RuleBasedStateMachine):
    """A connection whose frames wait in `up` and `down`; a cut loses all of them."""

    @initialize(seated=st.booleans())
    def start(self, seated: bool) -> None:
        self.server = ModelServer()
        self.session = ClientSession(name="Ann")
        self.up: deque[Frame] = deque()
        self.down: deque[Frame] = deque()
        self.open = False
        self.acts: list[str] = []
        self.issued: list[int] = []
        self.answered: Counter[int] = Counter()
        self.put_off: list[int] = []
        self.seen = 0
        self.issue(self.session.command(Join, table=TABLE))
        if seated:
            self.connect()
            self.settle()

    # What the client does

    def issue(self, command: ToServer) -> None:
        self.issued.append(command.id)
        self.post()

    def post(self) -> None:
        self.up.extend(CODEC.encode_command(c) for c in self.session.take_outbox())

    @rule()
    def act(self) -> None:
        self.acts.append(f"do {len(self.acts)}")
        self.issue(self.session.command(Act, table=TABLE, turn=0, action=self.acts[-1]))

    # A player must sit in order to move: joining itself may have been put off.
    @precondition(lambda self: self.answered[1])
    @rule(seat=st.integers(0, SEATS - 1))
    def sit(self, seat: int) -> None:
        self.issue(self.session.command(Sit, table=TABLE, seat=seat))

    @precondition(lambda self: self.put_off)
    @rule()
    def send_put_off_again(self) -> None:
        self.session.again(self.put_off.pop())
        self.post()

    # What the connection does

    @precondition(lambda self: not self.open)
    @rule()
    def connect(self) -> None:
        self.open = True
        self.up.extend(CODEC.encode_command(c) for c in self.session.connected())

    @precondition(lambda self: self.open)
    @rule()
    def cut(self) -> None:
        self.open = False
        self.up.clear()
        self.down.clear()
        self.server.hang_up()
        self.session.disconnected()

    @precondition(lambda self: self.up)
    @rule(frames=st.integers(1, 5))
    def server_hears(self, frames: int) -> None:
        for _ in range(min(frames, len(self.up))):
            frame = self.server.receive(CODEC.decode_command(self.up.popleft()))
            self.down.append(encode_frame(CODEC, frame))

    @precondition(lambda self: self.down)
    @rule(frames=st.integers(1, 5))
    def client_hears(self, frames: int) -> None:
        for _ in range(min(frames, len(self.down))):
            for client_event in self.session.receive(*CODEC.decode_frame(self.down.popleft())):
                self.note(client_event)
            self.post()

    def note(self, client_event: ClientEvent) -> None:
        match client_event:
            case Answered(command, answer):
                assert isinstance(answer, Ok)
                self.answered[command.id] += 1
            case PutOff(command):
                self.put_off.append(command.id)
            case TableEvent(mirror, event, before):
                assert mirror.seq == event.seq == before.seq + 1
                self.seen += 1

    # What the server does

    @rule()
    def somebody_else_acts(self) -> None:
        self.server.happens()
        self.publish(self.server.events(len(self.server.log) - 1))

    @rule()
    def an_event_is_lost(self) -> None:
        self.server.happens()

    @rule()
    def an_event_does_not_fit(self) -> None:
        self.server.happens()
        broken = Event(table=TABLE, seq=len(self.server.log), facts=(BROKEN,))
        self.publish([broken] if self.server.subscribed else [])

    @rule()
    def an_event_comes_twice(self) -> None:
        self.publish(self.server.events(max(0, len(self.server.log) - 2)))

    @rule()
    def a_snapshot_comes_unasked(self) -> None:
        self.publish([self.server.snapshot()] if self.server.subscribed else [])

    @rule()
    def the_next_command_is_put_off(self) -> None:
        self.server.busy = True

    def publish(self, events: list[ToClient]) -> None:
        if events:
            self.down.append(encode_frame(CODEC, events))

    # How it ends

    def teardown(self) -> None:
        """Check that with a stable connection the client has all events and did everything once."""
        if not self.open:
            self.connect()
        self.settle()
        # Only the next event can show that the one before it was lost.
        self.somebody_else_acts()
        self.settle()
        # What was put off may be overtaken by what came after it.
        if not self.server.ever_busy:
            assert self.server.applied == self.acts
        assert sorted(self.server.applied) == sorted(self.acts)
        assert self.answered == Counter(self.issued)
        assert self.session.tables == {TABLE: self.server.truth()}
        assert not self.session.outbox

    def settle(self) -> None:
        self.server.busy = False
        for _ in range(1_000):
            if self.up:
                self.server_hears(1)
            elif self.down:
                self.client_hears(1)
            elif self.put_off:
                self.send_put_off_again()
            else:
                return
        raise AssertionError("client and server talk without end")


TestLossyConnection = LossyConnection.TestCase
TestLossyConnection.settings = settings(max_examples=count(60), stateful_step_count=40)
