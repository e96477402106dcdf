"""Tests public events of nodes with a real broker, one node being cut off from the database."""

import asyncio
from random import Random

import pytest
from sqlalchemy.engine import make_url

from tests.e2e.databases import on_postgresql
from tests.e2e.processes import Programs
from tests.e2e.proxy import proxy
from tests.e2e.stored import table_at, url_of
from tests.e2e.test_disk import forgive
from tests.e2e.test_public_events import Subscriber
from tests.e2e.whole_nodes import Nodes
from tests.mosquitto import Mosquitto

pytestmark = [pytest.mark.e2e, on_postgresql, pytest.mark.timeout(120)]


async def test_a_node_that_is_cut_off_says_nothing_of_its_tables(
    programs: Programs, mosquitto: Mosquitto, rng: Random
) -> None:
    """Another node sends the events of a cut off node's tables, and corrects its last will.

    A move that the lost node had begun to store is published by nobody, and no retained message is
    removed.
    """
    prefix = mosquitto.topic()
    nodes = Nodes(programs, rng, "--events", f"{mosquitto.url}/{prefix}")
    at = make_url(url_of(programs.data))
    subscriber = Subscriber(mosquitto, prefix)

    def presence(since: int) -> list[bool]:
        """The server's presence that was published last."""
        heard = subscriber.said[since:]
        return [each["online"] for each in heard if each["type"] == "server"]

    async with proxy(at.port or 0) as way, asyncio.TaskGroup() as tasks:
        url = at.set(port=way.port).render_as_string(hide_password=False)
        nodes.own["a"] = ("--database-url", url)
        hearing = tasks.create_task(subscriber.run())
        await nodes.begin("a", "b")
        async with nodes.player("Ann", "a") as ann:
            code = await ann.opens_table()
            base = f"{prefix}/tables/black_queen/{code}"
            await ann.ask("add_bot", 30, table=code, strength=0)
            await ann.ask("start", 31, table=code)
            # Nobody is told of a match against bots that nobody else has seen.
            assert await nodes.has("a", code)
            await ann.plays(code, 3)
            asked = (await ann.question())["question"]
            move = {"turn": asked["turn"], "action": asked["choices"]["actions"][0]}
            await subscriber.until_last(lambda last: _turn(last, base) == asked["turn"])
            way.drop()
            await ann.send("act", 50, table=code, **move)
            before = len(subscriber.said)
            async with nodes.player("Ann", "b") as there:
                failed = nodes.urls["a"]
                assert (await there.ask("watch", 40, table=code, failed=failed))["type"] == "ok"
                await there.plays(code, 3)
                await subscriber.until_last(lambda last: _turn(last, base) > asked["turn"])
                way.reopen()
                way.thaw()
                program = nodes.servers["a"].program
                assert await program.ended() == 1
                await there.plays(code, 1)
                told = await there.question()
                await subscriber.until_last(
                    lambda last: (
                        _turn(last, base) == told["question"]["turn"]
                        and presence(before)[-2:] == [False, True]
                    )
                )
        assert subscriber.last.keys() == {
            f"{prefix}/server",
            *(f"{base}/{kind}" for kind in ("opened", "changed", "started", "play")),
            *(f"{base}/{kind}" for kind in ("summary", "turn")),
        }
        # From one node, and each move that is in the log.
        numbers = [each["number"] for each in subscriber.said[before:] if each["type"] == "play"]
        assert numbers == [*range(1, len(numbers) + 1)]
        plays = sum(each["type"] == "play" for each in subscriber.said)
        kinds = table_at(programs.data, code).kinds
        assert plays == kinds[kinds.index("watched") :].count("act")
        await nodes.servers["b"].stop()
        await subscriber.until_last(lambda _: not presence(before)[-1])
        hearing.cancel()
    forgive(program)


def _turn(last: dict[str, dict[str, object]], base: str) -> int:
    """Return the last published turn of a table; 0 if none was."""
    turn = last.get(f"{base}/turn", {}).get("turn", 0)
    assert isinstance(turn, int)
    return turn
