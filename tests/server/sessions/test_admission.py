"""Which connections are admitted when there are too many, and which make room."""

from typing import Any

import pytest

from protocol.codec import codec_for
from protocol.version import JSON
from server.names import Player
from server.ops.access_log import AccessLog
from server.ops.metrics import Metrics
from server.sessions.admission import Admission
from server.sessions.connection import Connection, Outboxes
from server.sessions.session import Session
from server.shares import Places, network


class NoWire:
    """A wire that writes nothing, and may be closed to make room."""

    def __init__(self) -> None:
        self.is_closed = False

    def write(self, frame: bytes | str) -> None:
        raise AssertionError

    def unsent(self) -> int:
        return 0

    def unread(self) -> float:
        return 0.0

    def welcomed(self, player: str) -> None:
        pass

    def close(self, code: int, reason: str) -> None:
        assert (code, reason) == (1013, "too many connections")
        self.is_closed = True


class House:
    """An admission with few places; `playing` are the players with a seat in play."""

    def __init__(self, most: int, per_address: int | None = 0) -> None:
        self.playing: set[str] = set()
        self.wires: dict[Connection, NoWire] = {}
        self.places = Places(most, per_address)
        seated = self.playing.__contains__
        self.admission = Admission(self.places, seated, Metrics(), AccessLog())

    @property
    def put_out(self) -> list[Connection]:
        """Those who were closed, in the order in which they came."""
        return [each for each, wire in self.wires.items() if wire.is_closed]

    def comes(self, address: str, *, seated: bool = False, replaces: Any = ()) -> Connection | str:
        """A connection that now has a place, or that got none."""
        session = Session(codec_for(JSON), 1, 1, 0)
        wire = NoWire()
        connection = Connection(wire, session, 1, address, False, Outboxes())
        self.wires[connection] = wire
        connection.player = Player(f"player {connection.number}", "")
        lack = self.admission.admit(connection, seated, replaces)
        if seated and not lack:
            self.playing.add(connection.player.id)
        return lack or connection

    def let_in(self, *addresses: str, seated: bool = False) -> list[Connection]:
        inside = [self.comes(address, seated=seated) for address in addresses]
        assert all(isinstance(each, Connection) for each in inside)
        return [each for each in inside if isinstance(each, Connection)]


def test_a_newcomer_takes_the_place_of_the_newest_of_the_heaviest() -> None:
    """A newcomer replaces a connection of an address with more; between equals none is closed."""
    house = House(4)
    inside = house.let_in("a", "b", "b", "b")
    (cid,) = house.let_in("c")
    assert house.put_out == [inside[3]]
    assert house.comes("b") == "house"
    assert house.comes("c") == "house"
    house.admission.remove(cid)
    house.let_in("c", "d")
    assert house.put_out == [inside[2], inside[3]]
    assert house.places.held == {"a": 1, "b": 1, "c": 1, "d": 1}
    assert house.comes("e") == "house"


def test_a_crowd_before_a_full_house_costs_no_look_at_everybody() -> None:
    """A crowd before a full house is refused in constant time."""
    most = 5000
    house = House(most)
    house.let_in(*(f"{20 + at // 65536}.{at // 256 % 256}.{at % 256}.7" for at in range(most)))
    weighed: list[str] = []
    weight = house.places.weight
    house.places.weight = lambda address: weighed.append(address) or weight(address)  # type: ignore
    assert house.comes("99.1.1.7") == "house"
    assert weighed == ["99.1.1.7"]
    unknown = network.cache_info().misses
    house.let_in("99.1.1.7", seated=True)
    assert len(weighed) >= most
    assert network.cache_info().misses <= unknown + 2


def test_a_seat_in_play_takes_the_place_of_any_other_and_gives_up_its_own_to_nobody() -> None:
    house = House(3)
    ann, bea = house.let_in("a", "a", seated=True)
    (cid,) = house.let_in("b")
    assert house.comes("c") == "house"
    house.let_in("b", seated=True)
    assert house.put_out == [cid]
    assert house.comes("c") == house.comes("c", seated=True) == "house"
    assert {ann, bea}.isdisjoint(house.put_out)


@pytest.mark.parametrize("per_address", [2, None])
def test_a_seat_comes_back_to_a_crowded_address(per_address: int | None) -> None:
    """A player with a seat in play takes a place of their own address, within its limit."""
    house = House(8, per_address)
    ann, bea = house.let_in("a", "a")
    (other,) = house.let_in("b")
    assert house.comes("a") == "address"
    (seated,) = house.let_in("a", seated=True)
    assert house.put_out == [bea]
    house.playing.add(ann.player.id)
    assert house.comes("a", seated=True) == "address"
    assert house.places.held == {"a": 2, "b": 1}
    assert {seated, other}.isdisjoint(house.put_out)


def test_in_a_crowded_network_its_heaviest_address_makes_room() -> None:
    house = House(16, None)
    inside = house.let_in(*["93.184.216.1"] * 3, "93.184.216.2", "10.0.0.1")
    house.let_in("93.184.216.3")
    assert house.put_out == [inside[2]]
    assert house.comes("93.184.216.2") == "network"


def test_who_comes_back_takes_their_own_place() -> None:
    """A reconnecting player takes the place of their old connection, unless refused."""
    house = House(2, 1)
    (ann, bea) = house.let_in("a", "b")
    assert house.comes("b", replaces=[ann]) == "address"
    assert house.places.held == {"a": 1, "b": 1}
    again = house.comes("a", replaces=[ann])
    assert isinstance(again, Connection)
    assert not house.admission.remove(ann)
    assert house.put_out == []
    assert house.admission.admit(again, False, ()) == ""
    assert house.places.held == {"a": 1, "b": 1}
    assert house.admission.remove(bea)
