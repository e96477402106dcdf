"""People at tables of a server under a hand-turned clock, who play so that something happens."""

from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from engine.choices import Action, random_action
from server.table.state import TableState
from tests.server.client import TestClient
from tests.server.harness import ServerHarness

GAMES = Path(__file__).parents[2] / "engine" / "recycle" / "games"
MOST_MOVES = 5_000


class Party:
    """A table that the first of `clients` has opened; the others have joined in their order."""

    def __init__(
        self, server: ServerHarness, code: str, clients: list[TestClient], rng: Random
    ) -> None:
        self.server = server
        self.code = code
        self.clients = clients
        self.rng = rng
        self._away: set[str] = set()

    @classmethod
    async def gather(
        cls, server: ServerHarness, rng: Random, *names: str, game: str, seats: int, **fields: Any
    ) -> "Party":
        """Open a table and have everybody sit down; the match has not begun."""
        clients = [await server.client(name) for name in names]
        code = await clients[0].open_table(game=game, seats=seats, **fields)
        party = cls(server, code, clients, rng)
        for client in clients[1:]:
            await party.ok(client, "join")
        return party

    @property
    def host(self) -> TestClient:
        return self.clients[0]

    @property
    def state(self) -> TableState:
        return self.server.state(self.code)

    async def ok(self, client: TestClient, command: str, **fields: Any) -> None:
        """Have a client send a command about this table that nobody may refuse."""
        answer = await client.ask(command, table=self.code, **fields)
        assert answer["type"] == "ok", answer

    async def start(self, **fields: Any) -> None:
        await self.ok(self.host, "start", **fields)

    def disconnect(self, *clients: TestClient) -> None:
        """Their connections are gone."""
        for client in clients:
            client.disconnect()
            self._away.add(client.player)

    async def reconnect(self, *clients: TestClient) -> None:
        for client in clients:
            await client.reconnect()
            self._away.discard(client.player)
        await self.server.settle()

    async def ready(self) -> None:
        """The match starts when all have said that they are ready."""
        for client in self.clients:
            await self.ok(client, "ready")

    async def move(self, wanted: str = "", without: str = "") -> bool:
        """One of those who are asked moves: if that can be, so that a fact of the verb `wanted`
        comes about, else so that none of the verb `without` does. Whether the wanted one did.
        """
        asked = [client for client in self.clients if self._asked(client)]
        if not asked:
            return False
        client = self.rng.choice(asked)
        choices, turn = client.tables[self.code].choices, client.tables[self.code].question.turn
        found, harmless = self._sorted(client, wanted, without)
        if found:
            action = found[0]
        elif harmless:
            action = self.rng.choice(harmless)
        else:
            action = random_action(choices, self.rng)
        await self.ok(client, "act", turn=turn, action=action)
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
            if not any(self._asked(client) for client in self.clients):
                return
            await self.move()
        raise AssertionError(f"no end in {MOST_MOVES} moves")

    def _asked(self, client: TestClient) -> bool:
        mirror = client.tables.get(self.code)
        here = client.player not in self._away
        return here and mirror is not None and mirror.my_turn

    def _sorted(
        self, client: TestClient, wanted: str, without: str
    ) -> tuple[list[Action], list[Action]]:
        """The moves that bring about the one verb, and those that do not bring about the other."""
        actions = client.tables[self.code].choices.actions
        if not wanted and not without:
            return [], list(actions)
        verbs = {action: self._verbs(client, action) for action in actions}
        found = [action for action in actions if wanted in verbs[action]]
        return found, [action for action in actions if without not in verbs[action]]

    def _verbs(self, client: TestClient, action: Action) -> set[str]:
        """What would happen if this client made this move."""
        table = self.server.table(self.code)
        seat = table.state.seat_of(client.player)
        assert seat is not None
        return {fact.verb for fact in table.game.apply(table.state.play, seat, action).facts}


@dataclass
class Scenes:
    """The recorded server, and what there is to say about each table."""

    server: ServerHarness
    rng: Random
    about: dict[str, str] = field(default_factory=dict)
    parties: list[Party] = field(default_factory=list)
    clients: list[TestClient] = field(default_factory=list)
    repeated: list[dict[str, Any]] = field(default_factory=list)

    async def gather(self, about: str, game: str, seats: int, *names: str, **fields: Any) -> Party:
        party = await Party.gather(self.server, self.rng, *names, game=game, seats=seats, **fields)
        self.about[party.code] = about
        self.parties.append(party)
        self.clients += party.clients
        return party

    async def stranger(self, name: str) -> TestClient:
        client = await self.server.client(name)
        self.clients.append(client)
        return client

    async def remember(self, client: TestClient, command: str, **fields: Any) -> None:
        """Say something; if its answer is stored, it is to be the same in later years."""
        number = await client.send(command, **fields)
        await self.server.settle()
        (answer,) = client.answers[number]
        tables = set(self.about)
        if await self.server.store.answer(client.player, client.client_id, number, tables) is None:
            return
        said = {"type": command, "id": number, **fields}
        self.repeated.append(
            {"token": client.token, "client": client.client_id, "said": said, "answer": answer}
        )
