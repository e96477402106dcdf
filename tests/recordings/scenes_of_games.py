"""What is recorded of each game but Black Queen: matches at every point where rules differ."""

from tests.recordings.party import Scenes


async def whist(scenes: Scenes) -> None:
    """One match to its end, one in the middle of a bid, one in the middle of a trick."""
    over = await scenes.gather("whist, finished", "whist", 3, "Rob", "Sue", options={"cards": 4})
    await over.start(fill=1)
    await over.play_on()
    nil = {"cards": 3, "hook": False, "nil_score": 5}
    bidding = await scenes.gather("whist, bidding", "whist", 5, "Tea", "Uli", "Vic", options=nil)
    await bidding.start(fill=0)
    playing = await scenes.gather("whist, in play", "whist", 4, "Wim", "Xia", "Yan", "Zoe")
    await playing.start()
    await playing.moves(50)


async def schnapsen(scenes: Scenes) -> None:
    """Points that have to be claimed, rightly and wrongly; the talon closed; a marriage, a jack."""
    manual = {"claim": "manual", "target": 5}
    for verb in ("claim_failed", "deal_won", "closing_failed"):
        about = f"schnapsen, {verb}"
        party = await scenes.gather(about, "schnapsen", 2, "Abe", "Bob", options=manual)
        await party.start()
        if verb == "closing_failed":
            await party.until("talon_closed", without="claim_made")
        await party.until(verb, without="claim_made")
        await party.moves(3)
    for verb in ("marriage_announced", "exchanged"):
        party = await scenes.gather(f"schnapsen, {verb}", "schnapsen", 2, "Cat", "Dan")
        await party.start()
        await party.until(verb, without="talon_closed")
    auto = {"target": 3, "min_talon": 4, "freeze": False}
    over = await scenes.gather("schnapsen, finished", "schnapsen", 2, "Eve", "Fin", options=auto)
    await over.start()
    await over.play_on()
    bots = await scenes.gather("schnapsen with a bot", "schnapsen", 2, "Guy")
    await bots.start(fill=1)
    await bots.until("talon_closed")


async def hearts(scenes: Scenes) -> None:
    """Passing: some have chosen and some have not; a match to its end; other rules."""
    passing = await scenes.gather("hearts, passing", "hearts", 4, "Fox", "Gil", "Hue", "Ian")
    await passing.start()
    await passing.moves(2)
    over = await scenes.gather(
        "hearts, finished", "hearts", 4, "Jan", "Kay", "Lou", "Max", options={"target": 30}
    )
    await over.start()
    await over.play_on()
    second = await scenes.gather("hearts, second deal", "hearts", 4, "Nat", "Olf")
    await second.start(fill=1)
    while second.state.turn < 70:
        await second.move()


async def described(scenes: Scenes) -> None:
    """Games made of text: in play, with bots, and after a match and its rematch."""
    cribbage = await scenes.gather("cribbage, in play", "Cribbage2.rcy", 2, "Pat", "Rex")
    await cribbage.start()
    await cribbage.moves(40)
    agram = await scenes.gather(
        "agram, a rematch finished", "Agram3.rcy", 3, "Sam", "Tim", options={"deals": 1}
    )
    await agram.start(fill=0)
    await agram.play_on()
    await agram.ok(agram.host, "rematch")
    await agram.start()
    await agram.play_on()
    blind = await scenes.gather("blind man, in play", "BlindMan4.rcy", 4, "Una", "Val", "Wes")
    await blind.start(fill=0)
    await blind.moves(11)
