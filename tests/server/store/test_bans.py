"""Bans in the store: each subject has one, which replaces the one before."""

from server.store import BanKey, BanRow, Deletion, PlayerRow, Store, Write


async def test_bans_come_back_with_every_field(store: Store) -> None:
    """Bans are read with every field, the oldest first."""
    first = BanRow("player", "p1", 2000.5, "Änne: spam", 1000.25)
    second = BanRow("address", "203.0.113.0/24", None, "", 1001.0)
    await store.save(Write(bans=(second, first)))
    assert await store.bans() == [first, second]


async def test_a_later_ban_replaces_an_earlier_one(store: Store) -> None:
    """A later ban replaces an earlier one, in one batch and in two."""
    ban = BanRow("player", "p1", None, "", 1.0)
    await store.save(Write(bans=(ban, ban._replace(until=5.0))))
    assert (await store.bans())[0].until == 5.0
    await store.save(Write(bans=(ban._replace(until=6.0),)))
    assert [found.until for found in await store.bans()] == [6.0]


async def test_a_deleted_ban_is_gone(store: Store) -> None:
    """A deleted ban is gone, and similar ones stay."""
    kept = (BanRow("player", "p2", None, "", 1.0), BanRow("address", "p1", None, "", 2.0))
    await store.save(Write(bans=(BanRow("player", "p1", None, "", 0.0), *kept)))
    await store.save(Write(deleted=Deletion(bans=(BanKey("player", "p1"),))))
    assert await store.bans() == list(kept)


async def test_a_ban_that_was_renewed_meanwhile_stays(store: Store) -> None:
    """A ban renewed meanwhile is not deleted, unless it is over by then."""
    over = BanRow("player", "p1", 5.0, "", 1.0)
    later, for_ever = BanRow("player", "p2", 5.5, "", 2.0), BanRow("player", "p3", None, "", 3.0)
    await store.save(Write(bans=(over, later, for_ever)))
    keys = tuple(BanKey("player", subject) for subject in ("p1", "p2", "p3"))
    await store.save(Write(deleted=Deletion(bans=keys, over_at=5.0)))
    assert await store.bans() == [later, for_ever]


async def test_a_player_is_found_by_id(store: Store) -> None:
    """A stored player is found by id."""
    row = PlayerRow("p1", "Ann", "hash", 1.0, 2.0, sat=True)
    await store.save(Write(players=(row,)))
    assert await store.player("p1") == row
    assert await store.player("p2") is None
