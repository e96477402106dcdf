"""People at one table of a server under a hand-turned clock, who play so that something happens."""

from random import Random
from typing import Any

from engine.choices import Action, random_action
from server.table.state import TableState
from tests.server.house import Guest, House

MOST_MOVES = 5_000


class Party:
    """A table that the first of `guests` has opened; the others have joined in their order."""

    def __init__(self, house: House, code: str, guests: list[Guest], rng: Random) -> None:
        self.house = house
        self.code = code
        self.guests = guests
        self.rng = rng
        self._away: set[str] = set()

    @classmethod
    async def gather(
        cls, house: House, rng: Random, *names: str, game: str, seats: int, **fields: Any
    ) -> "Party":
        """Open a table and have everybody sit down; the match has not begun."""
        guests = [await house.guest(name) for name in names]
        code = await guests[0].open_table(game=game, seats=seats, **fields)
        party = cls(house, code, guests, rng)
        for guest in guests[1:]:
            await party.ok(guest, "join")
        return party

    @property
    def host(self) -> Guest:
        return self.guests[0]

    @property
    def state(self) -> TableState:
        return self.house.state(self.code)

    async def ok(self, guest: Guest, command: str, **fields: Any) -> None:
        """Have a guest say something about this table that nobody may refuse."""
        answer = await guest.ask(command, table=self.code, **fields)
        assert answer["type"] == "ok", answer

    async def start(self, **fields: Any) -> None:
        await self.ok(self.host, "start", **fields)

    def lose(self, *guests: Guest) -> None:
        """Their connections are gone."""
        for guest in guests:
            guest.lose()
            self._away.add(guest.player)

    async def back(self, *guests: Guest) -> None:
        for guest in guests:
            await guest.back()
            self._away.discard(guest.player)
        await self.house.calm()

    async def ready(self) -> None:
        """The match starts when all have said that they are ready."""
        for guest in self.guests:
            await self.ok(guest, "ready")

    async def move(self, wanted: str = "", without: str = "") -> bool:
        """One of those who are asked moves: if that can be, so that a fact of the verb `wanted`
        comes about, else so that none of the verb `without` does. Whether the wanted one did.
        """
        asked = [guest for guest in self.guests if self._asked(guest)]
        if not asked:
            return False
        guest = self.rng.choice(asked)
        choices, turn = guest.tables[self.code].choices, guest.tables[self.code].question.turn
        found, harmless = self._sorted(guest, wanted, without)
        if found:
            action = found[0]
        elif harmless:
            action = self.rng.choice(harmless)
        else:
            action = random_action(choices, self.rng)
        await self.ok(guest, "act", turn=turn, action=action)
        return bool(found)

    async def moves(self, number: int) -> None:
        for _ in range(number):
            await self.move()

    async def until(self, wanted: str, without: str = "") -> None:
        """Play until a fact of this verb has come about by somebody's choice, match after match."""
        for _ in range(MOST_MOVES):
            if self.state.phase == "finished":
                await self.ok(self.host, "rematch")
                await self.start()
            elif await self.move(wanted, without):
                return
        raise AssertionError(f"no {wanted} in {MOST_MOVES} moves")

    async def play_on(self) -> None:
        """Play until the match is over or the table gone."""
        for _ in range(MOST_MOVES):
            if not any(self._asked(guest) for guest in self.guests):
                return
            await self.move()
        raise AssertionError(f"no end in {MOST_MOVES} moves")

    def _asked(self, guest: Guest) -> bool:
        mirror = guest.tables.get(self.code)
        here = guest.player not in self._away
        return here and mirror is not None and mirror.my_turn

    def _sorted(self, guest: Guest, wanted: str, without: str) -> tuple[list[Action], list[Action]]:
        """The moves that bring about the one verb, and those that do not bring about the other."""
        actions = guest.tables[self.code].choices.actions
        if not wanted and not without:
            return [], list(actions)
        verbs = {action: self._verbs(guest, action) for action in actions}
        found = [action for action in actions if wanted in verbs[action]]
        return found, [action for action in actions if without not in verbs[action]]

    def _verbs(self, guest: Guest, action: Action) -> set[str]:
        """What would happen if this guest made this move."""
        table = self.house.table(self.code)
        seat = table.state.seat_of(guest.player)
        assert seat is not None
        return {fact.verb for fact in table.game.apply(table.state.play, seat, action).facts}
