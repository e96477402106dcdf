"""Players at a table and around it: spectators, hints, lists, and their limits."""

from pathlib import Path

from engine import GAMES, SPECTATOR
from tests.server.harness import open_server


async def test_a_spectator_sees_what_everybody_sees(tmp_path: Path) -> None:
    """A spectator gets the public view and its events, without choices or seat."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.table_of("Ann", "Bea", options={"deals": 1})
        walter = await server.client("Walter")
        answer = await walter.ask("watch", table=code)
        assert (answer["table"], answer["seq"]) == (code, 3)
        await ann.ask("start", table=code)
        late = await server.client("Zoe")
        await late.ask("watch", table=code)
        while ann.tables[code].info.phase == "playing":
            await (ann if ann.tables[code].my_turn else bea).move(code)
            table = server.table(code)
            public = table.game.view(table.state.play, SPECTATOR)
            for client in (walter, late):
                assert client.tables[code].view == public
                assert client.tables[code].seat is None
                assert not client.tables[code].choices


async def test_a_table_may_refuse_spectators(tmp_path: Path) -> None:
    """With `watchable` off only seated players may see the table, even when resuming."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.table_of("Ann", "Bea", settings={"watchable": False})
        walter = await server.client("Walter")
        assert await walter.refusal("watch", table=code) == "forbidden"
        assert await walter.refusal("sync", table=code) == "not_seated"
        assert (await bea.ask("watch", table=code))["type"] == "ok"
        assert bea.tables[code].seat == 1
        walter.disconnect()
        await walter.reconnect(resume={code: 1})
        assert walter.tables == {}
        await ann.ask("chat", table=code, text="alone?")
        assert walter.new_messages("chat") == []


async def test_a_spectator_may_leave_and_sit_down(tmp_path: Path) -> None:
    """A spectator who leaves gets no more events, and one who joins is a player."""
    async with open_server(tmp_path) as server:
        code, (ann,) = await server.table_of("Ann")
        walter = await server.client("Walter")
        await walter.ask("watch", table=code)
        assert (await walter.ask("leave", table=code))["type"] == "ok"
        assert walter.new_messages("closed") == [
            {"type": "closed", "table": code, "reason": "left"}
        ]
        await ann.ask("ready", table=code)
        assert code not in walter.tables
        assert await walter.refusal("leave", table=code) == "not_seated"
        await walter.ask("watch", table=code)
        await walter.ask("join", table=code)
        assert walter.tables[code].seat == 1


async def test_sync_sends_the_table_as_one_sees_it(tmp_path: Path) -> None:
    """`sync` sends a fresh snapshot after its answer, in one frame."""
    async with open_server(tmp_path) as server:
        code, (_, bea) = await server.match_of("Ann", "Bea")
        before = bea.tables[code]
        bea.new_messages()
        frames = len(bea.frames)
        await bea.ask("sync", table=code)
        assert [message["type"] for message in bea.new_messages()] == ["ok", "table"]
        assert len(bea.frames) == frames + 1
        assert bea.tables[code].view == before.view


async def test_a_seated_player_who_is_not_told_of_the_table_asks_for_it(tmp_path: Path) -> None:
    """`sync` lets a seated player follow the table whose `join` another node has answered."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea")
        server.game_server.subscribers.unsubscribe(code, bea.connection, "moved")
        await bea.ask("sync", table=code)
        told = [message["type"] for message in bea.new_messages()]
        assert told[told.index("closed") :] == ["closed", "ok", "table"]
        await (ann if ann.tables[code].my_turn else bea).move(code)
        assert bea.new_messages("event")


async def test_a_player_who_asks_for_their_table_is_present(tmp_path: Path) -> None:
    """Who comes back by `sync` or `watch` alone keeps their seat, and the others are told."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea")
        game_server, player = server.game_server, bea.connection.player.id
        for command in ("sync", "watch"):
            game_server.subscribers.unsubscribe(code, bea.connection, "moved")
            # As in a table that was loaded while they were connected.
            table = server.table(code)
            away = table.player_disconnected(player, server.now)
            game_server.effects.perform(table, away)
            await bea.ask(command, table=code)
            seen = [told["away"] for told in ann.new_messages("presence")]
            assert seen == [True, False]


async def test_a_hint_is_what_a_bot_would_do(tmp_path: Path) -> None:
    """A hint is one of the choices of a player to move, with candidates, if allowed."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.table_of("Ann", "Bea")
        assert await ann.refusal("hint", table=code) == "not_your_turn"
        await ann.ask("start", table=code)
        asked, idle = (ann, bea) if ann.tables[code].my_turn else (bea, ann)
        hint = await asked.ask("hint", table=code)
        assert hint["turn"] == asked.tables[code].question.turn
        assert hint["action"] in asked.tables[code].choices.actions
        assert {c["action"] for c in hint["candidates"]} == set(asked.tables[code].choices.actions)
        assert await idle.refusal("hint", table=code) == "not_your_turn"
        strict = await ann.open_table(settings={"hints": False})
        assert await ann.refusal("hint", table=strict) == "no_hints"


async def test_private_tables_are_found_by_their_code_alone(tmp_path: Path) -> None:
    """The list has only public tables; a private code is longer."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        public = await ann.open_table()
        private = await ann.open_table(settings={"private": True})
        assert [t["table"] for t in (await ann.ask("list_tables"))["tables"]] == [public]
        assert len(private) > len(public)
        bea = await server.client("Bea")
        assert (await bea.ask("join", table=private))["type"] == "ok"


async def test_the_list_keeps_up_with_the_tables(tmp_path: Path) -> None:
    """The list shows current players, presence and phase, and no closed tables."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.table_of("Ann", "Bea")
        (listed,) = (await ann.ask("list_tables"))["tables"]
        assert [seat["name"] for seat in listed["seats"]] == ["Ann", "Bea"]
        await ann.ask("start", table=code)
        bea.disconnect()
        (listed,) = (await ann.ask("list_tables"))["tables"]
        assert listed["phase"] == "playing"
        assert [seat.get("away", False) for seat in listed["seats"]] == [False, True]
        await bea.reconnect()
        (listed,) = (await ann.ask("list_tables"))["tables"]
        assert [seat.get("away", False) for seat in listed["seats"]] == [False, False]
        await bea.ask("leave", table=code)
        await ann.ask("leave", table=code)
        assert (await ann.ask("list_tables"))["tables"] == []


async def test_games_are_listed_shortly_or_whole(tmp_path: Path) -> None:
    """The list of games has options and strengths, and a single game rules and legend too."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        cards = {card["id"]: card for card in (await ann.ask("games"))["games"]}
        assert list(cards) == [info.id for info in GAMES]
        assert cards["black_queen"]["strengths"] == [0, 1, 2]
        assert not any("rules" in card for card in cards.values())
        (whole,) = (await ann.ask("games", game="black_queen"))["games"]
        assert "queen" in whole["rules"].lower()
        assert len(whole["legend"]) == 52
        assert await ann.refusal("games", game="tarot") == "unknown_game"


async def test_nobody_holds_more_seats_than_they_may(tmp_path: Path) -> None:
    """The limit of seats a player counts opened, joined and pending tables."""
    async with open_server(tmp_path, max_tables_per_player=3) as server:
        ann, bea = await server.client("Ann"), await server.client("Bea")
        codes = [await bea.open_table() for _ in range(3)]
        numbers = [await ann.send("create_table", game="black_queen") for _ in range(5)]
        await server.settle()
        answers = [ann.answers[number][0].get("code") for number in numbers]
        assert answers == [None] * 3 + ["too_many_tables"] * 2
        assert await ann.refusal("join", table=codes[0]) == "too_many_tables"
        first = ann.answers[numbers[0]][0]["table"]
        assert await ann.refusal("join", table=first) == "already_seated"
        await ann.ask("leave", table=first)
        assert (await ann.ask("join", table=codes[0]))["type"] == "ok"
        assert await ann.refusal("join", table=codes[1]) == "too_many_tables"


async def test_the_server_has_room_for_so_many_tables(tmp_path: Path) -> None:
    """The server's limit of tables holds for everybody."""
    async with open_server(tmp_path, max_tables=2) as server:
        ann, bea = await server.client("Ann"), await server.client("Bea")
        numbers = [
            await client.send("create_table", game="black_queen") for client in (ann, bea, ann)
        ]
        await server.settle()
        assert ann.answers[numbers[2]][0]["code"] == "too_many_tables"
        assert len(server.game_server.tables.directory) == 2


async def test_a_seed_is_chosen_only_where_that_is_allowed(tmp_path: Path) -> None:
    """A seed may be chosen only if the server allows it."""
    async with open_server(tmp_path, allow_seeds=False) as server:
        ann = await server.client("Ann")
        assert await ann.refusal("create_table", game="black_queen", seed=1) == "forbidden"
    async with open_server(tmp_path / "other") as server:
        hands = []
        for _ in range(2):
            ann = await server.client("Ann")
            code = await ann.open_table(seed=7)
            await ann.ask("start", table=code, fill=0)
            hands.append(ann.tables[code].view.cards("hand", 0))
        assert hands[0] == hands[1]


async def test_a_draining_server_opens_no_tables(tmp_path: Path) -> None:
    """A draining server opens no tables, lets matches go on, and then closes with 1012."""
    async with open_server(tmp_path) as server:
        code, (ann, bea) = await server.match_of("Ann", "Bea")
        assert await server.game_server.ready() == ""
        server.game_server.drain()
        assert await server.game_server.ready() == "draining"
        assert bea.new_messages("notice") == [{"type": "notice", "kind": "draining"}]
        number = await ann.send("create_table", game="black_queen")
        assert ann.answers[number][0]["code"] == "draining"
        asked = ann if ann.tables[code].my_turn else bea
        assert (await asked.move(code))["type"] == "ok"
        server.game_server.hang_up()
        assert ann.closed() == bea.closed() == (1012, "the server stops")


async def test_readiness_depends_on_the_store(tmp_path: Path) -> None:
    """`/readyz` fails while the disk is full."""
    async with open_server(tmp_path) as server:
        server.store.broken = True
        assert "disk full" in await server.game_server.ready()


async def test_who_comes_in_while_a_server_stops_is_told_so(tmp_path: Path) -> None:
    """A client that comes in while a server stops is told so, and pending writes are saved."""
    async with open_server(tmp_path) as server:
        ann = await server.client("Ann")
        server.game_server.drain()
        ann.disconnect()
        ann.new_messages()
        await ann.reconnect()
        assert [notice["kind"] for notice in ann.new_messages("notice")] == ["draining"]
