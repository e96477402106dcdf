"""The queue of events: ordered, bounded, and with only the newest look of a table."""

from engine.cards import FRENCH
from server.events.narrator import PublishedEntries
from server.events.news import ListChange, NewsQueue, TableNews
from server.table.state import TableState
from tests.protocol.everything_said import LOBBY


def happened(code: str, time: float = 0.0, state: TableState = LOBBY) -> TableNews:
    return TableNews(code, PublishedEntries((), state, {"turn": 0}), FRENCH, time)


def test_the_oldest_goes_for_the_newest() -> None:
    """The oldest event makes room for the newest, and is given back."""
    queue = NewsQueue(2)
    assert queue.put(happened("A")) is None
    assert queue.put(happened("B")) is None
    gone = queue.put(happened("C"))
    assert gone is not None
    assert gone.code == "A"
    taken = [queue.take() for _ in range(3)]
    assert [news and news.code for news in taken] == ["B", "C", None]


def test_how_a_table_looked_for_a_moment_is_not_kept() -> None:
    """A newer look of a table replaces an older one, but not its end."""
    queue = NewsQueue()
    first, second, closed = (
        ListChange("A", {"match": 0}),
        ListChange("A", {"match": 1}),
        ListChange("A", None),
    )
    for news in (first, second, closed, first):
        assert queue.put(news) is None
    assert [queue.take() for _ in range(len(queue))] == [second, closed, first]
    queue.put(first)
    queue.put(happened("A"))
    queue.put(second)
    assert len(queue) == 3
