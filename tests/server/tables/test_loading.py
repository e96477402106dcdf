"""The order in which sleeping tables are loaded."""

from server.tables.loading import LoadQueue


def test_tables_that_somebody_waits_for_come_first() -> None:
    """Tables that somebody waits for are loaded first, each once, in order."""
    queue = LoadQueue()
    for code in ("A", "B", "C", "A"):
        queue.put(code)
    for code in ("C", "D", "C"):
        queue.put(code, awaited=True)
    queue.put("D")
    found = []
    while queue:
        found.append((queue.is_awaited, queue.take()))
    assert found == [(True, "C"), (True, "D"), (False, "A"), (False, "B")]
