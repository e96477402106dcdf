"""Whoever comes in waits for their home; a node that refuses or is slow is told of them later."""

import asyncio

import pytest

from protocol.to_server import Chat, Hello
from protocol.version import VERSION
from server.bus.bus import Failure
from server.commands.introductions import (
    HOME_SECONDS,
    OTHERS_SECONDS,
    UNHEARD,
    Introductions,
    TablesAway,
    Told,
)
from server.crossing.names import Player
from server.crossing.parcels import Message
from server.crossing.requests import (
    DONE,
    SECONDS,
    Arriving,
    Gone,
    Identified,
    Introduced,
    Known,
    Refused,
    Resumed,
)
from tests.server.commands.gateway import LoneGateway

HELLO = Hello(id=1, version=VERSION, client="laptop")
REFUSED = Refused("try_again", "the store does not answer; try again")


def arriving(number: int) -> Arriving:
    """What nodes hear first of a connection of Ann's."""
    return Arriving("gateway.g", number, "ann", "laptop", "", "192.0.2.1", ("AAAAA",), known=True)


def resumed(number: int) -> Resumed:
    """What they hear then."""
    ann = Player("ann", "ann", "")
    address, table = "192.0.2.1", {"AAAAA": 7}
    return Resumed(
        "gateway.g", number, ann, "laptop", "", "", "msgpack", address, table, frozenset()
    )


def other(gateway: LoneGateway) -> str:
    """The node that is not Ann's home."""
    (name,) = gateway.nodes.attachments.keys() - {gateway.nodes.home("ann")}
    return name


async def answers(gateway: LoneGateway, home: Message, away: Message | Failure) -> list[Message]:
    """Have each node answer what it is asked, Ann's home first; returns what was asked of that."""
    await gateway.quiet()
    asked = gateway.take()
    for request in asked:
        at_home = request.peer == gateway.nodes.home("ann")
        longest = HOME_SECONDS if isinstance(request.message, Arriving) else SECONDS
        assert request.seconds == (longest if at_home else OTHERS_SECONDS)
        request.answer(home if at_home else away)
    return [request.message for request in asked if request.peer != other(gateway)]


@pytest.mark.parametrize("failure", [REFUSED, Failure.UNANSWERED])
async def test_a_player_comes_in_where_one_of_two_nodes_refuses(failure: Message | Failure) -> None:
    """That one hears of them once it can, and what it has answered is asked of it until then."""
    gateway = LoneGateway("a", "b")
    introductions = Introductions(gateway.nodes)
    connection = gateway.connect("ann")
    connection.announced = True
    come = resumed(connection.number)
    connection.come = come._replace(home=False, resume={})
    told = Told(gateway.nodes.attachments)
    async with asyncio.TaskGroup() as tasks:
        asked = introductions.highest(told, arriving(connection.number), HELLO)
        highest = tasks.create_task(asked)
        await answers(gateway, Known(3), failure)
    assert highest.result() == UNHEARD
    assert connection.session.identity is not None
    connection.session.welcome(connection.session.identity, UNHEARD)
    async with asyncio.TaskGroup() as tasks:
        shown = tasks.create_task(introductions.shown(told, come, HELLO))
        await answers(gateway, DONE, DONE)
    assert shown.result()
    late = other(gateway)
    assert list(told.at) == [gateway.nodes.home("ann")]
    assert list(told.late) == [late]
    await introductions.tell_others(connection, told, {"AAAAA": 7}, 3)
    assert gateway.nodes.untold == {(late, connection.number)}
    command = Chat(id=4, table="AAAAA", text="hello")
    assert not connection.session.is_new(command)
    heard = []
    for answer in (DONE, REFUSED, DONE, Known(5), DONE):
        await gateway.pass_moments()
        (request,) = gateway.take()
        assert request.peer == late
        heard.append(request.message)
        request.answer(answer)
    await gateway.quiet()
    gone, again, resume = heard[0], heard[3], heard[4]
    assert isinstance(gone, Gone)
    assert again == arriving(connection.number)
    assert resume == come._replace(home=False)
    assert not gateway.nodes.untold
    assert not len(gateway.beside)
    assert not connection.session.is_new(Chat(id=5, table="AAAAA", text="hello"))
    assert connection.session.is_new(Chat(id=6, table="AAAAA", text="hello"))


async def test_a_node_that_comes_and_cannot_be_told_hears_it_later() -> None:
    """It was attached while others were told of a connection, and then lost its database."""
    gateway = LoneGateway("a", "b")
    introductions = Introductions(gateway.nodes)
    connection = gateway.connect("ann")
    connection.announced = True
    connection.come = resumed(connection.number)._replace(home=False, resume={})
    home = gateway.nodes.home("ann")
    told = Told({home: gateway.nodes.attachments[home]})
    async with asyncio.TaskGroup() as tasks:
        telling = introductions.tell_others(connection, told, {"AAAAA": 7}, 3)
        tasks.create_task(telling)
        await gateway.quiet()
        (first,) = gateway.take()
        assert first.peer == other(gateway)
        first.answer(REFUSED)
    assert gateway.nodes.untold == {(other(gateway), connection.number)}
    heard = []
    for answer in (DONE, Known(5), DONE):
        await gateway.pass_moments()
        (request,) = gateway.take()
        heard.append(request.message)
        request.answer(answer)
    await gateway.quiet()
    assert isinstance(heard[0], Gone)
    # It was welcomed before, so it is shown its tables by who has them.
    assert heard[1] == arriving(connection.number)._replace(resume=(), known=False)
    assert heard[2] == connection.come
    assert not gateway.nodes.untold


async def test_nobody_comes_in_where_all_nodes_refuse() -> None:
    """The reason is that of the first."""
    gateway = LoneGateway("a", "b")
    told = Told(gateway.nodes.attachments)
    introductions = Introductions(gateway.nodes)

    async def refused() -> None:
        with pytest.raises(TablesAway, match="store does not answer"):
            await introductions.highest(told, arriving(1), HELLO)

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(refused())
        await answers(gateway, REFUSED, REFUSED)


async def test_a_node_that_shows_tables_too_slowly_does_it_again_later() -> None:
    """The player is shown those of the others at once."""
    gateway = LoneGateway("a", "b")
    told = Told(gateway.nodes.attachments)
    async with asyncio.TaskGroup() as tasks:
        shown = tasks.create_task(Introductions(gateway.nodes).shown(told, resumed(1), HELLO))
        await answers(gateway, DONE, Failure.UNANSWERED)
    assert shown.result()
    assert list(told.late) == [other(gateway)]


@pytest.mark.parametrize("home", [REFUSED, Failure.UNANSWERED])
async def test_another_node_says_who_it_is_where_the_home_stands_still(
    home: Message | Failure,
) -> None:
    """Soon; and whom the other one does not know is asked to try again, not to be somebody new."""
    gateway = LoneGateway("a", "b")
    come = Introduced("192.0.2.1", "token", known=True)
    first = gateway.nodes.home("token")
    identified, unknown = Identified("ann", "Ann"), Refused("unauthorized", "not known here")

    async def hello(code: str, *answers: Message | Failure) -> list[tuple[str, float]]:
        asked: list[tuple[str, float]] = []

        async def answer() -> None:
            for each in answers:
                await gateway.quiet()
                (request,) = gateway.take()
                asked.append((request.peer, request.seconds))
                request.answer(each)

        introductions = Introductions(gateway.nodes)
        answered, _ = await asyncio.gather(
            introductions.identified(come._replace(code=code), HELLO), answer()
        )
        assert answered == identified
        return asked

    asked = await hello("", home, identified)
    assert [seconds for _, seconds in asked] == [OTHERS_SECONDS, SECONDS]
    assert asked[0][0] == first
    with pytest.raises(TablesAway):
        await hello("", home, unknown)
    # Only the node that made a code can redeem it.
    with pytest.raises(TablesAway):
        await hello("code", home)
