"""Reviews in the store: one for each seat of a match and each knowledge."""

from server.store import Deletion, ReviewRow, Store, TableRow, Write

TABLE = TableRow("K7QX", "hearts", 1, False, "closed", None, 9, 1.0)
OWN = ReviewRow("K7QX", 1, 0, "p1", 5.0, "{}")


async def test_a_review_is_found_and_replaced(store: Store) -> None:
    """A review is found and replaced by table, match, seat and player."""
    shown = OWN._replace(player="", body="[]")
    await store.save(Write(tables=(TABLE,), reviews=(OWN, shown)))
    assert await store.review("K7QX", 1, 0, "p1") == OWN
    assert await store.review("K7QX", 1, 0, "") == shown
    assert await store.review("K7QX", 1, 1, "p1") is None
    await store.save(Write(reviews=(OWN._replace(made=6.0),)))
    assert await store.review("K7QX", 1, 0, "p1") == OWN._replace(made=6.0)


async def test_reviews_go_with_their_table(store: Store) -> None:
    """Reviews are deleted with their table."""
    await store.save(Write(tables=(TABLE,), reviews=(OWN,)))
    await store.save(Write(deleted=Deletion(tables=("K7QX",))))
    assert await store.review("K7QX", 1, 0, "p1") is None
