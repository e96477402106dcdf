"""Games that nodes bring for all: a row for each file and its source."""

from server.store import Deletion, HostedFile, HostedGame, HostedKey, Store, Write

HIGH = HostedFile("High2.rcy", "t1", "d1", "r1", 100.0, "(game …)\n", "# High\nSuns count.")


def listed(file: HostedFile) -> HostedGame:
    return HostedGame(*file[:5])


async def test_a_game_is_listed_and_its_text_is_found(store: Store) -> None:
    """A game is listed, and its text and rules found by their digests."""
    plain = HIGH._replace(name="Änne.gdl", digest="d2", rules_digest="", text="", rules="")
    await store.save(Write(hosted=(HIGH,)))
    await store.save(Write(hosted=(plain._replace(brought=101.0),)))
    assert await store.hosted_games() == [listed(HIGH), listed(plain._replace(brought=101.0))]
    assert await store.hosted_text("d1", "r1") == (HIGH.text, HIGH.rules)
    assert await store.hosted_text("d2", "") == ("", "")
    assert await store.hosted_text("d1", "") is None


async def test_what_is_brought_later_is_later_by_any_clock(store: Store) -> None:
    """A later game is later by any node's clock, and a name's latest comes last."""
    behind = HIGH._replace(source="a", brought=50.0)
    await store.save(Write(hosted=(HIGH, HIGH._replace(source="t2"))))
    await store.save(Write(hosted=(behind,)))
    found = await store.hosted_games()
    assert [game.source for game in found] == ["t1", "t2", "a"]
    assert found[0].brought == 100.0 < found[1].brought < found[2].brought < 101.0
    await store.save(Write(hosted=(HIGH._replace(digest="d3", text="other"),)))
    last = (await store.hosted_games())[-1]
    assert (last.source, last.digest) == ("t1", "d3")
    assert await store.hosted_text("d3", "r1") == ("other", HIGH.rules)


async def test_what_others_bring_stays(store: Store) -> None:
    """Games of other sources stay when a source removes its own."""
    other = HIGH._replace(source="t2", brought=200.0)
    await store.save(Write(hosted=(HIGH, other)))
    gone = (HostedKey("High2.rcy", "t1"), HostedKey("Low2.rcy", "t2"))
    await store.save(Write(deleted=Deletion(hosted=gone)))
    assert await store.hosted_games() == [listed(other)]
