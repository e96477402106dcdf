"""Clients that follow the list of public tables, and the list of one's own."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from protocol.lobby_mirror import LobbyMirror
from protocol.to_client import TO_CLIENT, Lobby
from protocol.to_server import ListTables
from protocol.version import SUBPROTOCOLS
from server.lobby import feed
from server.lobby.feed import BEAT_SECONDS, REST_SECONDS
from server.sessions.slow_readers import LOOK_SECONDS
from tests.counts import count
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server


class Follower:
    """A client that follows the list, with its mirror."""

    def __init__(self, client: TestClient, **wanted: Any) -> None:
        self.client = client
        self.wanted = wanted
        self.messages = 0
        self._mirror = LobbyMirror()
        self._read = 0

    async def follow(self) -> "Follower":
        answer = await self.client.ask("follow_tables", **self.wanted)
        assert answer["type"] == "lobby", answer
        return self

    @property
    def mirror(self) -> LobbyMirror:
        """The list as told so far."""
        news, self._read = self.client.received[self._read :], len(self.client.received)
        for message in news:
            told = TO_CLIENT.validate_python(message)
            if isinstance(told, Lobby):
                self.messages += 1
                self._mirror = self._mirror.follow(told)
        return self._mirror

    @property
    def codes(self) -> list[str]:
        return [table.table for table in self.mirror.tables]


async def follower(server: ServerHarness, name: str = "Flo", **wanted: Any) -> Follower:
    return await Follower(await server.client(name), **wanted).follow()


@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
async def test_rows_come_change_and_go(tmp_path: Path, subprotocol: str) -> None:
    """A follower is told of new, changed and closed tables only."""
    async with open_server(tmp_path) as server:
        flo = await Follower(await server.client("Flo", subprotocol)).follow()
        assert flo.client.received[-1] == {
            "type": "lobby",
            "id": 2,
            "order": flo.client.received[-1]["order"],
        }
        assert flo.codes == []
        ann, bea = await server.client("Ann"), await server.client("Bea")
        first = await ann.open_table()
        await server.wait(BEAT_SECONDS)
        second = await ann.open_table()
        await server.wait(BEAT_SECONDS)
        assert flo.codes == [first, second]
        await bea.ask("join", table=first)
        await server.wait(BEAT_SECONDS)
        flo.client.new_messages()
        assert flo.codes == [second, first]
        assert [seat.name for seat in flo.mirror.tables[1].seats] == ["Ann", "Bea"]
        await ann.ask("leave", table=second)
        await server.wait(BEAT_SECONDS)
        (gone,) = flo.client.new_messages("lobby")
        assert (list(gone["order"]), "tables" in gone) == ([first], False)
        await ann.ask("start", table=first)
        await server.wait(BEAT_SECONDS)
        (changed,) = flo.client.new_messages("lobby")
        assert [row["phase"] for row in changed["tables"]] == ["playing"]
        assert "order" not in changed
        await server.play(first, 3, ann, bea)
        await server.wait(5 * BEAT_SECONDS)
        assert flo.client.new_messages("lobby") == []


async def test_many_changes_make_one_message(tmp_path: Path) -> None:
    """Changes within a second are told in one message, as they are at its end."""
    async with open_server(tmp_path) as server:
        flo = await follower(server)
        ann = await server.client("Ann")
        code = await ann.open_table()
        flo.client.new_messages()
        for deals in range(1, 9):
            await ann.ask("configure", table=code, options={"deals": deals})
            passing = await ann.open_table()
            await ann.ask("leave", table=passing)
        assert flo.client.new_messages("lobby") == []
        await server.wait(BEAT_SECONDS)
        (told,) = flo.client.new_messages("lobby")
        assert [row["options"]["deals"] for row in told["tables"]] == [8]


async def test_the_filters_are_those_of_the_list(tmp_path: Path) -> None:
    """A table that starts or stops matching the filters is added or removed."""
    async with open_server(tmp_path) as server:
        waiting = await follower(server, phase="lobby", free=1, text="ann")
        ann, bea = await server.client("Ann"), await server.client("Bea")
        code = await ann.open_table()
        await bea.open_table()
        await server.wait(BEAT_SECONDS)
        assert waiting.codes == [code]
        await bea.ask("join", table=code)
        await server.wait(BEAT_SECONDS)
        assert waiting.codes == []
        await bea.ask("leave", table=code)
        await server.wait(BEAT_SECONDS)
        assert waiting.codes == [code]


async def test_a_list_is_as_long_as_it_was_wanted(tmp_path: Path) -> None:
    """A list has the wanted length, says if there is more, and moves up."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        made = [await ann.open_table() for _ in range(4)]
        flo = await follower(server, size=2)
        assert (flo.codes, flo.mirror.more) == (made[:2], True)
        await ann.ask("leave", table=made[0])
        await server.wait(BEAT_SECONDS)
        assert (flo.codes, flo.mirror.more) == (made[1:3], True)
        await ann.ask("leave", table=made[3])
        await server.wait(BEAT_SECONDS)
        assert (flo.codes, flo.mirror.more) == (made[1:3], False)


async def test_private_and_deserted_tables_are_not_listed(tmp_path: Path) -> None:
    """Private and deserted tables are not listed; one that returns has its old place."""
    async with open_server(tmp_path) as server:
        flo = await follower(server)
        ann, bea, cid = [await server.client(name) for name in ("Ann", "Bea", "Cid")]
        left = await ann.open_table(seats=3)
        await bea.ask("join", table=left)
        other = await cid.open_table()
        await ann.open_table(settings={"private": True})
        await ann.ask("start", table=left, fill=0)
        ann.disconnect()
        await server.wait(BEAT_SECONDS)
        assert set(flo.codes) == {left, other}
        bea.disconnect()
        await server.wait(BEAT_SECONDS)
        assert flo.codes == [other]
        listed = (await cid.ask("list_tables"))["tables"]
        assert [table["table"] for table in listed] == [other]
        await ann.reconnect()
        await server.wait(BEAT_SECONDS)
        assert set(flo.codes) == {left, other}


async def test_a_new_wish_replaces_the_old_one(tmp_path: Path) -> None:
    """New filters replace the old ones; `unfollow_tables` or a closed connection ends them."""
    async with open_server(tmp_path) as server:
        flo = await follower(server, phase="playing")
        flo.wanted = {}
        await flo.follow()
        ann = await server.client("Ann")
        code = await ann.open_table()
        await server.wait(BEAT_SECONDS)
        assert flo.codes == [code]
        assert (await flo.client.ask("unfollow_tables"))["type"] == "ok"
        await ann.open_table()
        await server.wait(BEAT_SECONDS)
        assert flo.codes == [code]
        await flo.follow()
        assert len(server.game_server.feed) == 1
        flo.client.disconnect()
        await server.settle()
        assert len(server.game_server.feed) == 0
        assert server.game_server.next_tick() is not None
        await ann.open_table()
        assert (await ann.ask("unfollow_tables"))["type"] == "ok"


async def test_a_slow_reader_gets_one_whole_list(tmp_path: Path) -> None:
    """A slow reader gets nothing, and then the whole list."""
    async with open_server(tmp_path, send_buffer_bytes=4_096) as server:
        flo = await follower(server)
        flo.client.wire.blocked = True
        made = []
        for _ in range(24):
            ann = await server.client("Ann")
            made.append(await ann.open_table())
            await server.wait(BEAT_SECONDS)
        assert flo.client.connection.lagging_since is not None
        assert flo.client.wire.unsent() < 2 * 4_096
        flo.client.wire.drain()
        flo.client.new_messages()
        await server.wait(2 * LOOK_SECONDS)
        notice, whole = flo.client.new_messages()
        assert notice["kind"] == "lagging"
        assert [row["table"] for row in whole["tables"]] == made
        assert flo.codes == made


async def test_the_list_is_right_whatever_happens(tmp_path: Path) -> None:
    """After any changes each follower's list equals what would be listed."""
    rng = Random(7)
    async with open_server(tmp_path, max_tables_per_player=1000) as server:
        people = [await server.client(name) for name in ("Ann", "Bea", "Cid")]
        wishes: list[dict[str, Any]] = [
            {},
            {"size": 3},
            {"free": 1},
            {"text": "bea"},
            {"phase": "playing", "size": 2},
        ]
        followers = [await follower(server, f"F{at}", **each) for at, each in enumerate(wishes)]
        codes: list[str] = []
        for _ in range(count(40)):
            who, code = rng.choice(people), rng.choice(codes or ["NONE"])
            match rng.randrange(6):
                case 0 | 1:
                    private = rng.random() < 0.2
                    codes.append(await who.open_table(settings={"private": private}))
                case 2:
                    await who.ask("join", table=code)
                case 3:
                    await who.ask("leave", table=code)
                case 4:
                    await who.ask("start", table=code, fill=0)
                case 5:
                    who.disconnect()
                    await who.reconnect()
            await server.wait(rng.choice((0.0, 0.3, BEAT_SECONDS)))
        await server.wait(BEAT_SECONDS)
        listing = server.game_server.live.directory.listing
        for each in followers:
            infos, following = listing.page(ListTables(id=1, **each.wanted))
            assert each.codes == [info["table"] for info in infos]
            assert each.mirror.more == (following is not None)
            seats = [[seat.name for seat in table.seats] for table in each.mirror.tables]
            assert seats == [[seat.get("name", "") for seat in info["seats"]] for info in infos]


async def test_a_crowd_shares_one_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Followers with equal filters share one comparison and one encoding."""
    async with open_server(tmp_path) as server:
        crowd = [await follower(server, f"F{at}") for at in range(30)]
        looked = 0
        news = feed._List.news

        def counted(of: feed._List) -> Any:
            nonlocal looked
            looked += 1
            return news(of)

        monkeypatch.setattr(feed._List, "news", counted)
        ann = await server.client("Ann")
        code = await ann.open_table()
        await server.wait(BEAT_SECONDS)
        assert all(each.codes == [code] for each in crowd)
        assert looked == 1


async def test_very_many_lists_are_told_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Very many lists are updated in bounded parts."""
    monkeypatch.setattr(feed, "MOST_WORK", 20)
    async with open_server(tmp_path) as server:
        crowd = [await follower(server, f"F{at}", text="A" * (at + 1)) for at in range(40)]
        every = await follower(server, "Eve")
        ann = await server.client("A" * 20)
        await server.settle()
        server.now += BEAT_SECONDS
        code = await ann.open_table()
        told = sum(each.codes == [code] for each in crowd)
        assert 0 < told < 20
        await server.wait(20 * REST_SECONDS)
        assert [each.codes == [code] for each in crowd] == [at < 20 for at in range(40)]
        assert every.codes == [code]


async def test_a_fault_in_one_list_stays_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error in one list does not affect the others."""
    async with open_server(tmp_path) as server:
        broken, whole = await follower(server, "Bo", size=1), await follower(server, "Flo")
        news = feed._List.news

        def fails(of: feed._List) -> Any:
            if of.wanted.size == 1:
                raise RuntimeError("a test's fault")
            return news(of)

        monkeypatch.setattr(feed._List, "news", fails)
        ann = await server.client("Ann")
        code = await ann.open_table()
        await server.wait(BEAT_SECONDS)
        assert (broken.codes, whole.codes) == ([], [code])


async def test_my_tables_are_mine_alone(tmp_path: Path) -> None:
    """`my_tables` lists all tables of the player with seats, private and sleeping ones too."""
    async with open_server(tmp_path) as server:
        ann, bea = await server.client("Ann"), await server.client("Bea")
        assert (await ann.ask("my_tables"))["tables"] == []
        private = await ann.open_table(settings={"private": True})
        await bea.ask("join", table=private)
        await ann.ask("start", table=private)
        slept = await ann.open_table()
        await ann.ask("start", table=slept, fill=0)
        await bea.open_table()
        await ann.ask("watch", table=private)
        ann.disconnect()
        await server.wait(200)
        assert slept not in server.loaded()
        seats = server.game_server.live.directory.seats_of(ann.player)
        assert {info["table"]: seat for seat, info in seats} == {private: 0, slept: 0}
        zoe = await server.client("Zoe")
        assert (await zoe.ask("my_tables"))["tables"] == []
        own = {row["info"]["table"]: row["seat"] for row in (await bea.ask("my_tables"))["tables"]}
        assert own[private] == 1
        await ann.reconnect()
        rows = (await ann.ask("my_tables"))["tables"]
        assert {row["info"]["table"]: row["seat"] for row in rows} == {private: 0, slept: 0}
