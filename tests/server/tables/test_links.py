"""Links: what holds for a player's connections at all gateways together."""

from collections.abc import Callable

from engine.phrases import Phrase
from protocol.errors import ProtocolError
from protocol.version import JSON
from server.crossing.names import MOST_OF_A_PLAYER, Player
from server.crossing.parcels import (
    Batch,
    Charged,
    Expelled,
    Parcel,
    Replaced,
)
from server.tables.links import Links


class Gateways:
    """Links of one player at several gateways, and what each gateway is sent."""

    def __init__(self, *names: str) -> None:
        self.links = Links()
        self.sent: dict[str, list[Parcel]] = {name: [] for name in names}
        for name in names:
            self.links.attach(name, self._publish(name))

    def _publish(self, name: str) -> Callable[[Batch], None]:
        def publish(batch: Batch) -> None:
            self.sent[name] += batch.parcels

        return publish

    def add(self, gateway: str, number: int, client: str, *, alongside: bool = True) -> None:
        """Ann comes in."""
        ann, token = Player("ann", "Ann"), f"hash of {client}"
        self.links.arrive(gateway, number, ann.id)
        added = self.links.add(
            gateway, number, ann, client, token, "", JSON, "::1", frozenset(), None, (), alongside
        )
        assert added is not None

    def told(self) -> dict[str, list[Parcel]]:
        """What the gateways were sent since the last call."""
        self.links.flush()
        told = {name: parcels.copy() for name, parcels in self.sent.items()}
        for parcels in self.sent.values():
            parcels.clear()
        return told


def test_a_program_that_comes_back_elsewhere_replaces_itself() -> None:
    """At the gateway where it was; its own gateway sees to itself."""
    gateways = Gateways("a", "b")
    gateways.add("a", 1, "tab")
    gateways.add("a", 2, "other")
    gateways.add("b", 1, "tab")
    assert gateways.told() == {"a": [Replaced([1])], "b": []}
    gateways.add("b", 2, "tab")
    assert gateways.told() == {"a": [], "b": []}


def test_programs_that_know_of_no_siblings_replace_each_other() -> None:
    """A program of 0.1.0 throws out another such one, and none that says it stands beside it."""
    gateways = Gateways("a", "b")
    gateways.add("a", 1, "old", alongside=False)
    gateways.add("a", 2, "new")
    gateways.add("b", 1, "older", alongside=False)
    assert gateways.told() == {"a": [Replaced([1])], "b": []}


def test_the_bound_of_connections_holds_for_all_gateways() -> None:
    """One more takes the place of the oldest, which is told so once."""
    gateways = Gateways("a", "b")
    for number in range(1, MOST_OF_A_PLAYER):
        gateways.add("a", number, f"tab {number}")
    gateways.add("b", 1, "far tab")
    assert gateways.told() == {"a": [], "b": []}
    gateways.add("b", 2, "one more")
    assert gateways.told() == {"a": [Replaced([1])], "b": []}
    gateways.add("b", 3, "and another")
    assert gateways.told() == {"a": [Replaced([2])], "b": []}


def test_connections_that_come_in_turns_are_bounded_too() -> None:
    """However they are spread, the newest ones stay, and each other is closed once."""
    gateways = Gateways("a", "b")
    for number in range(1, MOST_OF_A_PLAYER + 1):
        gateways.add("a", number, f"near {number}")
        gateways.add("b", number, f"far {number}")
    replaced = Replaced([1]), Replaced([2]), Replaced([3]), Replaced([4])
    assert gateways.told() == {"a": [*replaced], "b": [*replaced]}


def test_nothing_waits_for_a_gateway_that_is_gone() -> None:
    """What is still said of its connections is forgotten at once."""
    gateways = Gateways("a", "b")
    gateways.add("a", 1, "tab")
    (link,) = gateways.links.detach("a")
    link.send(b"too late")
    assert (link.mail.parcels, gateways.told()) == ([], {"a": [], "b": []})


def test_what_a_player_is_charged_and_denied_is_so_at_each_gateway() -> None:
    """A charge reaches each gateway once; a ban all of them, a token those who came in by it."""
    gateways = Gateways("a", "b", "c")
    for gateway, number, client in (("a", 1, "tab"), ("a", 2, "page"), ("b", 1, "phone")):
        gateways.add(gateway, number, client)
    gateways.links.charge("ann", 2.5)
    assert gateways.told() == {"a": [Charged("ann", 2.5)], "b": [Charged("ann", 2.5)], "c": []}
    phrase = Phrase("refused_removed")
    removed = ProtocolError("unauthorized", "removed", phrase=phrase)
    gateways.links.expel("ann", removed, "hash of phone")
    assert gateways.told() == {"a": [], "b": [Expelled("ann", [1], "removed", phrase)], "c": []}
    gateways.links.expel("ann", ProtocolError("forbidden", "banned"))
    assert gateways.told() == {name: [Expelled("ann", [], "banned")] for name in "abc"}
