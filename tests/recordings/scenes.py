"""What is recorded: every game, every kind of entry, every phase in which a table can be stored.

Time goes by in one server, so what waits for the end of a table comes first.
"""

import shutil
from pathlib import Path
from random import Random

from server.games.folder import GameFolder
from server.store import Store
from tests.recordings import scenes_of_games
from tests.recordings.party import GAMES, Party, Scenes
from tests.server.controllable_store import ControllableStore
from tests.server.harness import open_server
from tests.server.small_descriptions import STUCK

DESCRIBED = ("Agram3.rcy", "BlindMan4.rcy", "Cribbage2.rcy")
SHORT = {"deals": 1, "columns": 3}


async def record_scenes(folder: Path, data: Path) -> Scenes:
    """Write the database in `data`; `folder` is for what else that takes."""
    games = folder / "games"
    games.mkdir()
    for name in DESCRIBED:
        shutil.copy(GAMES / name, games / name)
    (games / "Stuck2.rcy").write_text(STUCK)
    async with open_server(data, hosted=GameFolder(games)) as server:
        scenes = Scenes(server, Random(20_251_122))
        for scene in (
            _abandoned,
            _expired,
            _finished_and_closed,
            _given_up,
            _stopped,
            _black_queen_with_comings_and_goings,
            _black_queen_against_the_clock,
            scenes_of_games.whist,
            scenes_of_games.schnapsen,
            scenes_of_games.hearts,
            scenes_of_games.described,
            _lobbies,
            _paused,
            _black_queen_after_its_match,
            _refusals,
            _stopped_and_not_yet_closed,
        ):
            await scene(scenes)
        return scenes


# Tables that are closed


async def _abandoned(scenes: Scenes) -> None:
    """Everybody goes away in the middle of a match and stays away."""
    party = await scenes.gather("abandoned", "black_queen", 2, "Ann", "Bea", options=SHORT)
    await party.start()
    await party.moves(9)
    party.disconnect(*party.clients)
    await scenes.server.wait(3_700)


async def _expired(scenes: Scenes) -> None:
    """Nobody starts."""
    party = await scenes.gather("expired in the lobby", "whist", 4, "Cem", "Dee")
    await party.ok(party.host, "add_bot", strength=1)
    await scenes.server.wait(1_900)


async def _finished_and_closed(scenes: Scenes) -> None:
    """Two matches with bots, and after a while nobody wants a third; the seed was chosen."""
    party = await scenes.gather(
        "two matches, then closed", "black_queen", 4, "Emil", "Fay", options=SHORT, seed=7
    )
    await party.ok(party.host, "add_bot", strength=0, seat=3)
    await party.start(fill=1)
    await party.play_on()
    await party.ok(party.host, "rematch")
    await party.ready()
    await party.play_on()
    await scenes.server.wait(700)


async def _given_up(scenes: Scenes) -> None:
    """The host leaves, then the last player."""
    party = await scenes.gather("left by all", "schnapsen", 2, "Gus", "Hal")
    await party.start()
    await party.moves(4)
    await party.ok(party.host, "leave")
    await party.moves(2)
    await party.ok(party.clients[1], "leave")


async def _stopped(scenes: Scenes) -> None:
    """A described game that cannot go on."""
    party = await scenes.gather("stopped by its rules", "Stuck2.rcy", 2, "Ida", "Jon")
    await party.start()
    await party.play_on()


# Tables that are open


async def _black_queen_with_comings_and_goings(scenes: Scenes) -> None:
    """Stand-ins, returns, kicks, a seat given up and taken by somebody new, another host."""
    names = ("Kim", "Leo", "Mia", "Ned")
    party = await scenes.gather("comings and goings", "black_queen", 5, *names, seed=11)
    kim, leo, mia, ned = party.clients
    await party.start(fill=1)
    await party.moves(6)
    party.disconnect(leo)
    await scenes.server.wait(31)
    await party.moves(12)
    await party.reconnect(leo)
    await party.moves(5)
    await party.ok(kim, "kick", seat=2)
    party.clients.remove(mia)
    await party.moves(8)
    otto = await scenes.stranger("Otto")
    asked = await otto.ask("join", table=party.code, seat=2)
    await party.ok(kim, "admit", request=asked["request"])
    party.clients.append(otto)
    await party.moves(8)
    await party.ok(kim, "leave")
    party.clients.remove(kim)
    party.disconnect(ned)
    await scenes.server.wait(31)
    await party.moves(10)


async def _black_queen_against_the_clock(scenes: Scenes) -> None:
    """Nobody answers in time, again and again."""
    settings = {"turn_seconds": 20, "hints": False}
    party = await scenes.gather(
        "a turn clock", "black_queen", 3, "Pia", "Quin", settings=settings, options=SHORT
    )
    await party.start(fill=0)
    for _ in range(3):
        await party.moves(2)
        await scenes.server.wait(21)
    # A table whose clock runs would play on by itself while others are recorded.
    await party.play_on()


async def _lobbies(scenes: Scenes) -> None:
    """Everything that can be done before a match, and settings of every kind."""
    settings = {
        "private": True,
        "turn_seconds": 60,
        "hints": False,
        "watchable": False,
        "bot_delay": 0.5,
    }
    party = await scenes.gather(
        "a lobby, everything tried", "black_queen", 6, "Yve", "Zac", "Ada", settings=settings
    )
    yve, zac, ada = party.clients
    await party.ok(zac, "sit", seat=4)
    await party.ok(yve, "sit", seat=5)
    await party.ok(ada, "ready")
    await party.ok(ada, "ready", ready=False)
    await party.ok(yve, "add_bot", strength=0)
    await party.ok(yve, "add_bot", strength=1, seat=1)
    await party.ok(yve, "remove_bot", seat=0)
    await party.ok(yve, "kick", seat=4)
    await party.ok(
        yve, "configure", options={"deals": 2, "columns": 0}, settings={"turn_seconds": 90}
    )
    await party.ok(yve, "configure", options={"deals": 3})
    await party.ok(ada, "ready")
    await party.ok(yve, "leave")
    party.clients = [ada]
    plain = await scenes.gather("a lobby, as it was opened", "hearts", 4, "Ben")
    await plain.ok(plain.host, "ready")


async def _paused(scenes: Scenes) -> None:
    """Everybody is away; one table has been paused and resumed before."""
    resumed = await scenes.gather("paused and resumed", "whist", 3, "Cal", "Dot")
    once = await scenes.gather("paused", "black_queen", 2, "Ed", "Flo")
    for party in (resumed, once):
        await party.start(**({"fill": 0} if party is resumed else {}))
        await party.moves(4)
        party.disconnect(*party.clients)
    await scenes.server.wait(31)
    await resumed.reconnect(*resumed.clients)
    await resumed.moves(2)


async def _black_queen_after_its_match(scenes: Scenes) -> None:
    """Finished, and the table still open for another."""
    party = await scenes.gather("finished", "black_queen", 2, "Gwen", "Hank", options=SHORT)
    await party.start()
    await party.play_on()


async def _refusals(scenes: Scenes) -> None:
    """Commands whose answers are stored: by an entry, and by themselves."""
    party = next(each for each in scenes.parties if scenes.about[each.code] == "whist, in play")
    asked = next(client for client in party.clients if client.tables[party.code].my_turn)
    mirror = asked.tables[party.code]
    turn, code = mirror.question.turn, party.code
    await scenes.remember(asked, "act", table=code, turn=turn, action="play XX")
    await scenes.remember(asked, "act", table=code, turn=turn - 1, action="play 2C")
    await scenes.remember(asked, "act", table=code, turn=turn, action=mirror.choices.actions[0])
    lone = await scenes.stranger("Ivy")
    await scenes.remember(lone, "create_table", game="black_queen", seats=3, options={"deals": 2})
    code = lone.answers[max(lone.answers)][0]["table"]
    scenes.about[code] = "opened by somebody who waits"
    scenes.parties.append(Party(scenes.server, code, [lone], scenes.rng))
    await scenes.remember(lone, "ready", table=code)
    await scenes.remember(lone, "rematch", table=code)
    await scenes.remember(lone, "join", table="QQQQQ")


async def _stopped_and_not_yet_closed(scenes: Scenes) -> None:
    """The server dies between the move that stops a game and the closing of its table."""
    party = await scenes.gather("stopped, not closed", "Stuck2.rcy", 2, "Jo", "Ken")
    await party.start()
    await party.moves(7)
    store: ControllableStore = scenes.server.store
    store.hold_writes()
    last = next(client for client in party.clients if client.tables[party.code].my_turn)
    mirror = last.tables[party.code]
    await last.send(
        "act", table=party.code, turn=mirror.question.turn, action=mirror.choices.actions[0]
    )
    assert store.held_writes is not None
    ((write, done),) = store.held_writes
    store.held_writes.clear()
    Store.commit(store, write, done)
    await store.flushed()
    assert party.state.phase == "stopped"
    # What is kept back is never written: this was the last thing the server did.
    assert [entry.kind for write, _ in store.held_writes for entry in write.entries] == ["closed"]
