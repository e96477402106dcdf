"""How many places of a house an address, twelve addresses and a network may have."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.shares import Places, network

TWELVE = [f"192.0.2.{number}" for number in range(12)]


def filled(places: Places, *addresses: str) -> Counter[str]:
    """The places that addresses get that take turns until none gets more."""
    left = list(addresses)
    while left:
        left = [address for address in left if not places.lack(address)]
        for address in left:
            if not places.lack(address):
                places.take(address)
    return places.held


@pytest.mark.parametrize("most", [400, 1000, 2000, 100_000])
def test_one_address_has_a_quarter_at_most_and_twelve_a_half(most: int) -> None:
    assert most / 8 <= filled(Places(most, None), "192.0.2.1").total() <= most / 4
    assert most / 4 <= filled(Places(most, None), *TWELVE).total() <= most / 2


@pytest.mark.parametrize("most", [1, 3, 10, 40, 100])
def test_in_a_small_house_an_address_has_a_quarter_but_never_nothing(most: int) -> None:
    assert 1 <= filled(Places(most, None), "192.0.2.1").total() <= max(1, most / 4)


@given(st.lists(st.tuples(st.integers(0, 11), st.booleans()), max_size=2000))
def test_whatever_they_do_in_whatever_order(steps: list[tuple[int, bool]]) -> None:
    """Twelve addresses get no more by coming and leaving in any order."""
    places = Places(400, None)
    for who, comes in steps:
        address = TWELVE[who]
        if comes and not places.lack(address):
            places.take(address)
        elif not comes and places.held[address]:
            places.leave(address)
        assert places.held.total() <= 200
        assert max(places.held.values(), default=0) <= 100
        weights = map(places.weight, places.held)
        assert places.greatest_weight == max(weights, default=0)


def test_forty_people_behind_one_address_come_in_while_others_take_what_they_can() -> None:
    """Forty people behind one address come in although others take what they can."""
    places = Places(2000, None)
    filled(places, *TWELVE)
    while places.held.total() < 1960:
        places.take(f"198.51.{places.held.total() % 256}.1")
    assert filled(places, "203.0.113.7")["203.0.113.7"] == 40


def test_a_network_has_a_quarter() -> None:
    """A network gets at most a quarter; local addresses are no network."""
    for addresses, most in (
        ([f"93.184.216.{number}" for number in range(256)], 500),
        ([f"2600:1:2:{number:x}::/64" for number in range(256)], 500),
        ([f"10.0.0.{number}" for number in range(256)], 2000),
        ([f"127.0.0.{number}" for number in range(256)], 2000),
    ):
        assert filled(Places(2000, None), *addresses).total() == most
    assert network("93.184.216.34") == network("93.184.216.1") == "93.184.216.0/24"
    assert network("2600:1:2:3::/64") == "2600:1:2::/48"
    assert network("nowhere") == "nowhere"


def test_a_number_takes_the_place_of_shares() -> None:
    """A configured number replaces shares; 0 means no limit."""
    assert filled(Places(400, 300), "192.0.2.1").total() == 300
    assert filled(Places(400, 0), "192.0.2.1").total() == 400
