"""The preferences of players in the store."""

from server.store import Deletion, PlayerRow, PreferencesRow, Store, Write

ANN = PlayerRow("p1", "Ann", "first", 1.0, 2.0, sat=True)


async def test_the_last_preferences_of_a_player_are_kept(store: Store) -> None:
    """Later preferences replace a player's, and stay when the player is written again."""
    one, other = PreferencesRow("p1", "one"), PreferencesRow("p1", "other")
    await store.save(Write(players=(ANN,)))
    assert await store.preferences("p1") == ""
    await store.save(Write(preferences=(one,)))
    await store.save(Write(preferences=(other,)))
    await store.save(Write(players=(ANN._replace(name="Anna"),)))
    assert await store.preferences("p1") == "other"


async def test_preferences_go_with_their_player(store: Store) -> None:
    """Preferences are deleted with their player, and nothing is kept for somebody unknown."""
    await store.save(Write(players=(ANN,), preferences=(PreferencesRow("p1", "one"),)))
    await store.save(Write(deleted=Deletion(players=("p1",), unseen_since=9.0)))
    assert await store.preferences("p1") == ""
    await store.save(Write(preferences=(PreferencesRow("p1", "two"),)))
    assert await store.preferences("p1") == ""
