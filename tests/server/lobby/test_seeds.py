"""A table with a chosen seed says so, since whoever opened it may know every card."""

from pathlib import Path

from protocol.features import SEEDED
from tests.server.harness import open_server


async def test_a_chosen_seed_is_told_wherever_the_table_is(tmp_path: Path) -> None:
    """A chosen seed is told in lists, at the table and in the log, without the seed."""
    async with open_server(tmp_path, allow_seeds=True) as server:
        ann = await server.client("Ann")
        seeded, fair = await ann.open_table(seed=7), await ann.open_table()
        listed = (await ann.ask("list_tables"))["tables"]
        own = [each["info"] for each in (await ann.ask("my_tables"))["tables"]]
        logs = [(await ann.ask("log", table=code))["info"] for code in (seeded, fair)]
        for infos in (listed, own, logs):
            told = {info["table"]: info.get("seeded", False) for info in infos}
            assert told == {seeded: True, fair: False}
        assert ann.tables[seeded].info.seeded
        assert not ann.tables[fair].info.seeded
        assert "7" not in str((await ann.ask("log", table=seeded))["entries"][0]["facts"])


async def test_who_can_be_told_is_told_before_they_sit_down(tmp_path: Path) -> None:
    """A client that asks for `join.seeded` must confirm; an older client sits down."""
    async with open_server(tmp_path, allow_seeds=True) as server:
        ann = await server.client("Ann")
        code = await ann.open_table(seed=7, seats=3)
        bob = await server.client("Bob")
        bob.connect(server)
        await bob.hello(features=[SEEDED])
        answer = await bob.ask("join", table=code)
        assert (answer["code"], answer["phrase"]["code"]) == ("forbidden", "refused_seeded")
        assert (await bob.ask("join", table=code, seeded=True))["type"] == "ok"
        cid = await server.client("Cid")
        assert (await cid.ask("join", table=code))["type"] == "ok"
        fair = await ann.open_table()
        assert (await bob.ask("join", table=fair))["type"] == "ok"
