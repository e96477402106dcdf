"""The list of public tables: its order, pages and filters."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import ProtocolError
from protocol.to_server import PAGE, ListTables
from protocol.wire_form import WireForm
from server.tables.listing import Listing
from tests.server.harness import open_server

GAMES = ("whist", "black_queen", "rummy@5f3a")


def info(
    code: str,
    *names: str,
    free: int = 0,
    game: str = "whist",
    phase: str = "lobby",
    private: bool = False,
) -> WireForm:
    """A table as the lobby gets it; fields with their default value are left out."""
    people: list[WireForm] = [{"kind": "human", "name": name} for name in names]
    empty: list[WireForm] = [{"kind": "empty"}] * free
    return {
        "table": code,
        "game": game,
        "title": game.partition("@")[0].replace("_", " ").title(),
        "phase": phase,
        "seats": (*people, *empty),
        "settings": {"private": True} if private else {},
    }


def listing(*infos: WireForm) -> Listing:
    made = Listing()
    for each in infos:
        made.update(each["table"], each)
    return made


def codes(of: Listing, **fields: Any) -> list[str]:
    """The codes on one page."""
    return [each["table"] for each in of.page(ListTables(id=1, **fields))[0]]


def all_codes(of: Listing, **fields: Any) -> list[str]:
    """The codes on all pages in order."""
    told: list[str] = []
    page: str | None = None
    while True:
        infos, page = of.page(ListTables(id=1, page=page, **fields))
        told += [each["table"] for each in infos]
        if page is None:
            return told


def test_tables_with_free_seats_come_first() -> None:
    """Tables with free seats come first, the older ones before."""
    tables = listing(info("A"), info("B", free=1), info("C", free=2), info("D"))
    assert codes(tables) == ["B", "C", "A", "D"]
    tables.update("B", info("B"))
    assert codes(tables) == ["C", "A", "B", "D"]
    tables.update("A", info("A", free=1))
    assert codes(tables) == ["A", "C", "B", "D"]


def test_private_and_closed_tables_are_not_listed() -> None:
    """Private and closed tables are not listed."""
    tables = listing(info("A"), info("B", private=True), info("C"))
    assert codes(tables) == ["A", "C"]
    tables.update("A", info("A", private=True))
    tables.remove("C")
    tables.remove("never listed")
    assert codes(tables) == []
    tables.update("A", info("A"))
    assert codes(tables) == ["A"]


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"game": "whist"}, ["A", "D"]),
        ({"game": "rummy"}, ["C"]),
        ({"game": "rummy@5f3a"}, ["C"]),
        ({"free": 1}, ["A", "B"]),
        ({"free": 2}, ["B"]),
        ({"phase": "playing"}, ["D"]),
        ({"text": "ÖZGE"}, ["B"]),
        ({"text": "queen"}, ["B"]),
        ({"text": "d"}, ["D"]),
        ({"text": ""}, ["A", "B", "C", "D"]),
        ({"text": "nobody"}, []),
        ({"game": "whist", "phase": "lobby", "free": 1, "text": "a"}, ["A"]),
        ({"game": "whist", "free": 2}, []),
    ],
)
def test_what_one_looks_for(fields: dict[str, Any], found: list[str]) -> None:
    """Filters for game, seats, phase and words must all match."""
    tables = listing(
        info("A", free=1),
        info("B", "Özge", free=2, game="black_queen"),
        info("C", "Zoe", game="rummy@5f3a"),
        info("D", phase="playing"),
    )
    assert codes(tables, **fields) == found


@given(
    tables=st.lists(st.tuples(st.integers(0, 3), st.sampled_from(GAMES)), max_size=30),
    size=st.integers(1, 10),
    game=st.none() | st.sampled_from(GAMES),
    free=st.integers(0, 2),
)
def test_the_pages_are_the_list(
    tables: list[tuple[int, str]], size: int, game: str | None, free: int
) -> None:
    """All pages together are the list, at any page size."""
    infos = [info(f"T{at}", free=seats, game=played) for at, (seats, played) in enumerate(tables)]
    fitting = [each for each in infos if game in (None, each["game"])]
    fitting = [each for each in fitting if len(each["seats"]) >= free]
    expected = sorted(fitting, key=lambda each: len(each["seats"]) == 0)
    told = all_codes(listing(*infos), size=size, game=game, free=free)
    assert told == [each["table"] for each in expected]


@given(data=st.data())
def test_tables_that_stay_are_told_once_though_others_change(data: st.DataObject) -> None:
    """Tables that stay are listed once although others change between pages."""
    stay = {f"S{at}": at % 2 for at in range(12)}
    tables = listing(*(info(code, free=free) for code, free in stay.items()))
    others = [f"O{at}" for at in range(6)]
    told: list[str] = []
    page: str | None = None
    while True:
        for code in data.draw(st.lists(st.sampled_from(others), max_size=6)):
            if data.draw(st.booleans()):
                tables.update(code, info(code, free=data.draw(st.integers(0, 1))))
            else:
                tables.remove(code)
        infos, page = tables.page(ListTables(id=1, page=page, size=data.draw(st.integers(1, 5))))
        told += [each["table"] for each in infos if each["table"] in stay]
        if page is None:
            break
    assert told == sorted(stay, key=lambda code: 1 - stay[code])


@pytest.mark.parametrize("page", ["", "x", "2.1", "0.", "0.-1", "0.1.2", "0.²", "1"])
def test_a_page_that_is_none(page: str) -> None:
    """An invalid page is refused with where pages come from."""
    with pytest.raises(ProtocolError, match=r"bad_message: .*'next' of an earlier page"):
        codes(listing(info("A")), page=page)


def test_it_is_what_a_list_made_anew_would_be() -> None:
    """After any changes the list equals a newly sorted one."""
    rng, tables = Random(1), Listing()
    truth: dict[str, int] = {}
    for _ in range(2_000):
        code = f"T{rng.randrange(40)}"
        if rng.random() < 0.3:
            truth.pop(code, None)
            tables.remove(code)
        else:
            free = truth[code] = rng.randrange(2)
            tables.update(code, info(code, free=free))
        assert all_codes(tables, size=7) == sorted(truth, key=lambda code: not truth[code])


async def test_who_asks_for_no_page_gets_the_first(tmp_path: Path) -> None:
    """Without a page the first hundred tables come, with how to get more."""
    async with open_server(tmp_path, max_tables=200, max_tables_per_player=200) as server:
        ann = await server.client("Ann")
        made = [await ann.open_table(seats=2) for _ in range(PAGE + 3)]
        first = await ann.ask("list_tables")
        assert [each["table"] for each in first["tables"]] == made[:PAGE]
        rest = await ann.ask("list_tables", page=first["next"])
        assert [each["table"] for each in rest["tables"]] == made[PAGE:]
        assert "next" not in rest
        assert await ann.refusal("list_tables", page="nonsense") == "bad_message"
        assert await ann.refusal("list_tables", size=PAGE + 1) == "bad_message"
        found = await ann.ask("list_tables", text=made[-1].lower())
        assert [each["table"] for each in found["tables"]] == [made[-1]]
