"""The effects of administrators' requests at a whole server, without a socket."""

import json
from pathlib import Path

import pytest

from server.admin.answers import (
    Announced,
    Banned,
    BanPage,
    ClosedTable,
    Kicked,
    PlayerPage,
    TablePage,
    Unbanned,
    answer_line,
)
from server.admin.requests import (
    Announce,
    Ban,
    CloseTable,
    Drain,
    KickPlayer,
    ListBans,
    ListPlayers,
    Tables,
    Unban,
)
from server.admin.service import NAMED
from server.housekeeping import Housekeeping
from server.nodes.admin_errors import (
    AMBIGUOUS_PLAYER,
    CANNOT_DRAIN,
    NOT_BANNED,
    TRY_AGAIN,
    UNKNOWN_PLAYER,
    UNKNOWN_TABLE,
    AdminError,
)
from server.store import BanRow, Write
from server.store.writer import Done
from tests.server.admin.asking import ask, refusal
from tests.server.client import TestClient
from tests.server.harness import ServerHarness, open_server
from tests.server.statements import execute


def housekeeping(server: ServerHarness) -> Housekeeping:
    """The housekeeping of a server, which deletes what has expired."""
    game = server.game_server
    return Housekeeping(
        server.settings, server.store, game.connections, game.guests, game.bans, lambda: server.now
    )


async def test_a_kicked_player_is_gone_and_a_bot_plays_on(tmp_path: Path) -> None:
    """A kicked player reads the reason, a bot takes the seat, and others are told of it."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea")
        kicked = await ask(server, KickPlayer(player=bea.player, reason="be nice"), Kicked)
        assert kicked.kicked[0].tables == (code,)
        assert bea.closed() == (4001, "forbidden")
        (error,) = bea.new_messages("error")
        assert error["id"] is None
        assert error["reason"] == "an administrator removed you from this server: be nice"
        assert server.state(code).chairs[1].kind == "bot"
        assert ann.tables[code].info.seats[1].kind == "bot"
        bea.disconnect()
        await bea.reconnect()
        assert bea.closed() is None


async def test_a_player_is_kicked_by_name_if_only_one_has_it(tmp_path: Path) -> None:
    """A player is kicked by name if it is unique; otherwise all with it are listed."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        bea, other = await server.client("Bea"), await server.client("Bea", address="192.0.2.9")
        code = await other.open_table()
        with pytest.raises(AdminError) as several:
            await ask(server, KickPlayer(player="Bea"), Kicked)
        head, *lines = str(several.value).splitlines()
        assert head == "2 players have this name; name one by the id that begins its line:"
        assert sorted(lines) == sorted(
            [
                f"{bea.player}  at no table, {bea.address}",
                f"{other.player}  seat 1 at {code}, 192.0.2.9",
            ]
        )
        assert await refusal(server, Ban(subject="Bea")) == AMBIGUOUS_PLAYER
        assert await refusal(server, KickPlayer(player="Zoe")) == UNKNOWN_PLAYER
        with pytest.raises(AdminError, match=r"'192\.0\.2\.0/33', and it is no address"):
            await ask(server, Ban(subject="192.0.2.0/33"), Banned)
        assert bea.closed() is None
        (gone,) = (await ask(server, KickPlayer(player="Ann"), Kicked)).kicked
        assert (gone.player, gone.name) == (ann.player, "Ann")
        assert gone.player not in {
            player.player for player in (await ask(server, ListPlayers(), PlayerPage)).players
        }


async def test_a_player_who_is_away_is_kicked_by_name(tmp_path: Path) -> None:
    """An absent player can be kicked by name, at a sleeping table too."""
    async with open_server(tmp_path) as server:
        code, (_, bea) = await server.match_of("Ann", "Bea")
        bea.disconnect()
        await server.settle()
    async with open_server(tmp_path) as server:
        (gone,) = (await ask(server, KickPlayer(player="Bea"), Kicked)).kicked
        assert (gone.player, gone.name, gone.online) == (bea.player, "Bea", False)
        assert gone.tables == (code,)
        assert server.state(code).chairs[1].kind == "bot"
        assert await refusal(server, KickPlayer(player="Bea")) == UNKNOWN_PLAYER


async def test_a_crowd_of_one_name_is_not_listed_whole(tmp_path: Path) -> None:
    """The list of players with one name is cut, since anybody can use a name."""
    async with open_server(tmp_path) as server:
        for _ in range(NAMED + 2):
            await server.client("Bea")
        with pytest.raises(AdminError, match=f"^{NAMED + 2} players have this name") as told:
            await ask(server, KickPlayer(player="Bea"), Kicked)
        assert str(told.value).endswith("\n…")
        assert len(str(told.value).splitlines()) == NAMED + 2


async def test_an_absent_player_loses_a_seat_at_a_sleeping_table(tmp_path: Path) -> None:
    """An absent player loses their seat at a sleeping table, also after a restart."""
    async with open_server(tmp_path) as server:
        code, (_, bea) = await server.match_of("Ann", "Bea")
    async with open_server(tmp_path) as server:
        assert code not in server.loaded()
        (gone,) = (await ask(server, KickPlayer(player=bea.player), Kicked)).kicked
        assert gone.tables == (code,)
        assert server.state(code).chairs[1].kind == "bot"


async def test_a_banned_player_stays_out_until_the_ban_is_over(tmp_path: Path) -> None:
    """A banned player stays out until the ban ends, over restarts, and reads the reason."""
    async with open_server(tmp_path) as server:
        bea = await server.client("Bea")
        await bea.open_table()
        request = Ban(subject=bea.player, hours=2, reason="spam")
        banned = await ask(server, request, Banned)
        assert banned.ban.until == server.now + 7200
        assert bea.closed() == (4001, "forbidden")
        bea.disconnect()
        now = server.now
    async with open_server(tmp_path, now=now) as server:
        answer = await bea.reconnect(server)
        assert answer["code"] == "forbidden"
        assert "you are banned from this server until" in answer["reason"]
        assert answer["reason"].endswith(": spam")
        assert bea.closed() == (4001, "forbidden")
        await server.wait(7200)
        assert (await bea.reconnect(server))["type"] == "welcome"


async def test_a_lifted_ban_lets_the_player_in(tmp_path: Path) -> None:
    """A lifted ban is gone from the store too, and only a ban can be lifted."""
    async with open_server(tmp_path) as server:
        bea = await server.client("Bea")
        await ask(server, Ban(subject=bea.player), Banned)
        (line,) = (await ask(server, ListBans(), BanPage)).bans
        assert (line.kind, line.subject, line.until) == ("player", bea.player, None)
        assert (await ask(server, Unban(subject=bea.player), Unbanned)).ban == line
        assert await refusal(server, Unban(subject=bea.player)) == NOT_BANNED
        assert await server.store.bans() == []
        assert (await bea.reconnect())["type"] == "welcome"


async def test_a_banned_address_lets_nobody_in(tmp_path: Path) -> None:
    """A banned address lets nobody in and is disconnected; other addresses are not affected."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann", address="203.0.113.5")
        bea = await server.client("Bea", address="203.0.113.77")
        cid = await server.client("Cid", address="198.51.100.1")
        banned = await ask(server, Ban(subject="203.0.113.0/24"), Banned)
        assert {player.player for player in banned.kicked} == {ann.player, bea.player}
        assert cid.closed() is None
        answer = await ann.reconnect()
        assert answer["code"] == "forbidden"
        assert answer["reason"] == "your address is banned from this server"
        await ask(server, Unban(subject="203.0.113.9/24"), Unbanned)
        assert (await ann.reconnect())["type"] == "welcome"


async def test_a_ban_that_cannot_be_stored_is_none(tmp_path: Path) -> None:
    """A ban that cannot be stored has no effect, and the administrator is told."""
    async with open_server(tmp_path) as server:
        bea = await server.client("Bea")
        server.store.broken = True
        assert await refusal(server, Ban(subject=bea.player)) == TRY_AGAIN
        server.store.broken = False
        assert bea.closed() is None
        assert (await ask(server, ListBans(), BanPage)).bans == ()


async def test_a_failing_disk_lets_nobody_stay_who_is_banned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a failing disk a ban disconnects all players, and names the seats it could not take."""
    async with open_server(tmp_path) as server:
        (first, (ann, _)), (second, (bea, _)) = (
            await server.match_of("Ann", "Cid"),
            await server.match_of("Bea", "Dan"),
        )
        for client in (ann, bea):
            client.disconnect()
            client.address = "203.0.113.5"
            await client.reconnect()
        commit = server.store.commit

        def commit_no_more(write: Write, done: Done) -> None:
            commit(write, done)
            server.store.broken = bool(write.bans) or server.store.broken

        monkeypatch.setattr(server.store, "commit", commit_no_more)
        with pytest.raises(AdminError) as refused:
            await ask(server, Ban(subject="203.0.113.0/24"), Banned)
        await server.settle()
        assert ann.closed() == bea.closed() == (4001, "forbidden")
        for client, code in ((ann, first), (bea, second)):
            assert f"{client.player} at table {code}" in str(refused.value)
        server.store.broken = False
        await ask(server, KickPlayer(player=bea.player), Kicked)
        assert server.state(second).chairs[0].kind == "bot"


async def test_bans_that_are_over_are_deleted(tmp_path: Path) -> None:
    """Expired bans are deleted from store and memory by the hourly housekeeping."""
    async with open_server(tmp_path) as server:
        await ask(server, Ban(subject="203.0.113.5", hours=1), Banned)
        await ask(server, Ban(subject="203.0.113.6"), Banned)
        server.now += 3601
        game = server.game_server
        assert (await housekeeping(server).tidy())["bans"] == 1
        assert [ban.subject for ban in await server.store.bans()] == ["203.0.113.6/32"]
        assert len(game.bans) == 1


async def test_a_ban_that_is_renewed_while_it_is_deleted_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ban renewed while it is being deleted is kept in store and memory."""
    async with open_server(tmp_path) as server:
        await ask(server, Ban(subject="203.0.113.5", hours=1), Banned)
        server.now += 3601
        game, commit = server.game_server, server.store.commit
        renewed = BanRow("address", "203.0.113.5/32", None, "", server.now)

        def commit_late(write: Write, done: Done) -> None:
            if write.deleted is not None:
                commit(Write(bans=(renewed,)), lambda error: game.bans.put(renewed))
            commit(write, done)

        monkeypatch.setattr(server.store, "commit", commit_late)
        await housekeeping(server).tidy()
        assert await server.store.bans() == [renewed]
        assert list(game.bans) == [renewed]


async def test_everybody_hears_an_announcement(tmp_path: Path) -> None:
    """An announcement is a line of chat at tables, and a notice elsewhere."""
    async with open_server(tmp_path) as server:
        code, (ann, _) = await server.table_of("Ann", "Bea")
        watcher = await server.client("Wim")
        await watcher.ask("watch", table=code)
        lobby = await server.client("Lou")
        told = await ask(server, Announce(text="restart at noon"), Announced)
        assert told.clients == 4
        line = {"type": "chat", "table": code, "seat": None, "name": "Server"}
        for client in (ann, watcher):
            assert client.new_messages("chat") == [{**line, "text": "restart at noon"}]
        assert lobby.new_messages("notice") == [
            {"type": "notice", "kind": "announcement", "reason": "restart at noon"}
        ]


@pytest.mark.parametrize("name", ["Server", " server ", "S\u0435rver", "H0st", "Gastg\u00e9ber"])
async def test_no_player_has_a_name_like_the_server_s_or_a_host_s(
    tmp_path: Path, name: str
) -> None:
    """Names that resemble the server's or a host's are refused, also when changing a name."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        ann.connect(server)
        answer = await ann.hello(name=name)
        assert answer["code"] == "bad_message"
        assert answer["phrase"]["code"] == "refused_name"
        stranger = TestClient(server)
        assert (await stranger.hello(name=name))["code"] == "bad_message"
        assert ann.closed() is None
        assert (await ann.hello(name="Servera"))["name"] == "Servera"


async def test_a_stored_name_like_the_server_s_is_asked_for_once_and_keeps_its_seat(
    tmp_path: Path,
) -> None:
    """A stored name that resembles the server's is asked for once, and its seat is kept."""
    old = "S\u0435rver"
    async with open_server(tmp_path) as server:
        code, (ann, bob) = await server.match_of("Ann", "Bob")
        await server.settle()
        execute(server, f"UPDATE players SET name = '{old}' WHERE name = 'Ann'")
        execute(server, f"UPDATE entries SET body = replace(body, '\"Ann\"', '\"{old}\"')")
    async with open_server(tmp_path) as server:
        for _ in range(2):
            ann.connect(server)
            welcome = await ann.hello(name=old, resume={})
            assert (welcome["name"], welcome["renamed"]) == ("player", True)
            assert ann.tables[code].seat == 0
            assert ann.tables[code].names == ("player", "Bob")
            ann.disconnect()
        await ann.reconnect(server, name="Zoe")
        assert ann.tables[code].seat == 0
        welcome = await bob.reconnect(server)
        assert "renamed" not in welcome
        ann.connect(server)
        assert (await ann.hello())["name"] == "Zoe"


async def test_a_closed_table_is_closed_for_everybody(tmp_path: Path) -> None:
    """A closed table is closed for everybody for good, by its code in any case."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea")
        assert (await ask(server, CloseTable(table=code.lower()), ClosedTable)).table == code
        closed = {"type": "closed", "table": code, "reason": "closed_by_administrator"}
        assert ann.new_messages("closed") == bea.new_messages("closed") == [closed]
        assert await refusal(server, CloseTable(table=code)) == UNKNOWN_TABLE
        assert (await ask(server, Tables(), TablePage)).tables == ()
    async with open_server(tmp_path) as server:
        await bea.reconnect(server, resume={code: 1})
        assert bea.new_messages("closed") == [closed]


async def test_a_table_that_cannot_be_stored_stays_open(tmp_path: Path) -> None:
    """A table whose end cannot be stored stays open, and the administrator is told."""
    async with open_server(tmp_path) as server:
        code, (ann, _) = await server.match_of("Ann", "Bea")
        server.store.broken = True
        assert await refusal(server, CloseTable(table=code)) == TRY_AGAIN
        assert await refusal(server, KickPlayer(player="Ann")) == TRY_AGAIN
        assert await refusal(server, Drain(node="t1")) == CANNOT_DRAIN
        server.store.broken = False
        assert ann.tables[code].info.phase == "playing"
        assert json.loads(answer_line(AdminError(TRY_AGAIN, "x")))["code"] == "try_again"


async def test_a_stored_ban_of_an_unknown_kind_harms_nobody(tmp_path: Path) -> None:
    """A stored ban of an unknown kind, from a newer server, is ignored."""
    async with open_server(tmp_path) as server:
        await server.store.save(Write(bans=(BanRow("country", "xx", None, "", 0.0),)))
    async with open_server(tmp_path) as server:
        assert (await (await server.client("Ann")).ask("ping"))["type"] == "pong"
