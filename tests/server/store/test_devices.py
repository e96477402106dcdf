"""Devices in the store: further tokens of a player."""

from server.store import Deletion, DeviceCodeRow, DeviceRow, PlayerRow, RedeemedCode, Store, Write

ANN = PlayerRow("p1", "Ann", "first", 1.0, 2.0, sat=True)
PHONE = DeviceRow("second", "p1", "d2", "phone", 3.0, 3.0)
LAPTOP = DeviceRow("third", "p1", "d3", "laptop", 2.0, 2.0)


async def add(store: Store, *devices: DeviceRow) -> None:
    """Store Ann, and add devices by codes."""
    await store.save(Write(players=(ANN,)))
    for row in devices:
        code = DeviceCodeRow("code", row.player, row.created + 1)
        redeemed = RedeemedCode("code", "", row.token_hash, row.device, row.name, row.created)
        await store.save(Write(codes=(code,), redeemed=(redeemed,)))


async def test_each_token_leads_to_the_player(store: Store) -> None:
    """Each token of a player or device finds the player; an unknown one finds nobody."""
    await add(store, PHONE, LAPTOP)
    for token in ("first", "second", "third"):
        assert await store.player_by_token(token) == ANN
    assert await store.player_by_token("fourth") is None
    assert await store.devices("p1") == [LAPTOP, PHONE]
    assert await store.devices("p2") == []


async def test_a_device_is_deleted(store: Store) -> None:
    """A device can be deleted, and the others stay."""
    await add(store, PHONE, LAPTOP)
    await store.save(Write(deleted=Deletion(devices=("second",))))
    assert await store.player_by_token("second") is None
    assert await store.devices("p1") == [LAPTOP]


async def test_devices_go_with_their_player(store: Store) -> None:
    """Devices are deleted with their player, unless that was seen meanwhile."""
    await add(store, PHONE)
    await store.save(Write(deleted=Deletion(players=("p1",), unseen_since=1.5)))
    assert await store.devices("p1") == [PHONE]
    await store.save(Write(deleted=Deletion(players=("p1",), unseen_since=9.0)))
    assert await store.devices("p1") == []
    assert await store.player_by_token("second") is None


async def test_a_revoked_token_is_not_written_back(store: Store) -> None:
    """A revoked token is not written back by older rows."""
    first = LAPTOP._replace(token_hash="first")
    await add(store, PHONE)
    later = PHONE._replace(name="tablet", seen=9.0)
    await store.save(Write(arrived=(later, first)))
    assert await store.devices("p1") == [first._replace(created=ANN.created), later]
    await store.save(Write(deleted=Deletion(devices=("first", "second"))))
    await store.save(Write(players=(ANN._replace(name="Anna"),), arrived=(PHONE, first)))
    assert [await store.player_by_token(token) for token in ("first", "second")] == [None, None]
    assert await store.devices("p1") == []
    assert await store.player("p1") == ANN._replace(name="Anna", token_hash="revoked p1")
