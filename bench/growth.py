"""How a cluster grows: what each part costs, what it is given by so many players, when it is full.

A part's time for a move is a line: so much for the move, and a share of what a message over the bus
(for the database: a commit) costs, since what gathers while a process is busy goes as one. How much
gathers is found by playing a cluster: processes that take turns on so many cores, each of which
takes all that waits for it at once. Times are in seconds.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from math import ceil
from typing import NamedTuple

GATEWAY, TABLES, BROKER, DATABASE, CLIENTS = PARTS = (
    "gateway",
    "tables",
    "broker",
    "database",
    "clients",
)
USED = 0.6
"""The share of a core that is planned with: beyond it what waits grows faster than the load."""
SETTLED = 0.25
"""The share of a run that is not counted, as everything begins at once."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor time of a part for each move, and for each message (database: commit)."""

    move: float
    message: float = 0.0

    def of(self, messages: float) -> float:
        """Seconds for a move, with so many messages for each."""
        return self.move + self.message * messages


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured of a cluster: for each move, unless it says something else."""

    seconds: Mapping[str, float]
    """Processor time by part."""
    messages: float
    """Messages over the bus."""
    commits: float

    def batches(self, part: str) -> float:
        """Messages, or commits for the database."""
        return self.commits if part == DATABASE else self.messages


def fitted(calm: Measured, busy: Measured) -> dict[str, Cost]:
    """The lines through a calm and a busy cluster; no part has a cost below zero."""
    return {part: _line(part, calm, busy) for part in PARTS}


def in_steps(measured: Measured, calm: Measured, gateways: int) -> Measured:
    """The same, with messages as `PlayedCluster` counts them.

    It plays one to the tables and one to each gateway for a move by itself. What a calm cluster
    sends beyond that, to say what has arrived, is taken to be in proportion.
    """
    return replace(measured, messages=measured.messages * (1 + gateways) / calm.messages)


def _line(part: str, calm: Measured, busy: Measured) -> Cost:
    apart = calm.batches(part) - busy.batches(part)
    more = calm.seconds[part] - busy.seconds[part]
    message = max(0.0, more / apart) if apart > 0 else 0.0
    move = busy.seconds[part] - message * busy.batches(part)
    if move < 0:
        return Cost(0.0, busy.seconds[part] / busy.batches(part))
    return Cost(move, message)


class Size(NamedTuple):
    """How many of each there are; `interval` is that of a table's moves, 0: as fast as it can."""

    tables: int
    interval: float = 0.0
    gateways: int = 2
    nodes: int = 1
    cores: int = 2


class Need(NamedTuple):
    """How many cores a part needs, and how many of its processes that are."""

    part: str
    cores: float
    processes: int


def needs(costs: Mapping[str, Cost], moves: float, messages: float, commits: float) -> list[Need]:
    """What `moves` a second need of each part, the part that needs most first.

    A process of each part is one core at most, but for the database, which has a process for each
    of its connections.
    """
    cores = {
        part: moves * costs[part].of(commits if part == DATABASE else messages)
        for part in PARTS
        if part != CLIENTS
    }
    found = [Need(part, used, ceil(used / USED)) for part, used in cores.items()]
    return sorted(found, key=lambda need: -need.cores)


class Item(NamedTuple):
    """A move on its way: at which step, of which table, from and to which process."""

    step: int
    table: int
    sender: str = ""
    to: str = ""


@dataclass(slots=True)
class _Process:
    name: str
    part: str
    waiting: list[Item] = field(default_factory=list)
    busy: bool = False


class PlayedCluster:
    """A cluster of this size, with these costs, played; `sync` is how long a commit is written."""

    def __init__(self, size: Size, costs: Mapping[str, Cost], sync: float = 0.001) -> None:
        self._size, self._costs, self._sync = size, costs, sync
        self._now = 0.0
        self._events: list[tuple[float, int, str, list[Item]]] = []
        self._count = 0
        self._free = size.cores
        self._ready: deque[_Process] = deque()
        self._processes: dict[str, _Process] = {}
        self._gateways = [self._process(GATEWAY, n) for n in range(size.gateways)]
        self._nodes = [self._process(TABLES, n) for n in range(size.nodes)]
        self._databases = [self._process(DATABASE, n) for n in range(size.nodes)]
        self._process(BROKER, 0)
        self._process(CLIENTS, 0)
        self._turns: Counter[int] = Counter()
        self._began: dict[int, float] = {}
        self._trips: list[float] = []
        self._used: defaultdict[str, float] = defaultdict(float)
        self._messages = self._commits = 0

    def play(self, seconds: float) -> tuple[Measured, float, float]:
        """The figures of so many seconds: of each move, moves a second, and the median trip."""
        for table in range(self._size.tables):
            begin = self._size.interval * table / self._size.tables
            self._at(begin, "clients.0", [Item(0, table)])
        settled = SETTLED * seconds
        counting = False
        while self._events and self._events[0][0] < seconds:
            self._now, _, name, items = heappop(self._events)
            if not counting and self._now >= settled:
                counting = True
                self._trips.clear()
                self._used.clear()
                self._messages = self._commits = 0
            if name:
                self._give(name, items)
            else:
                self._free += 1
            self._run()
        moves = len(self._trips)
        if not moves:
            raise ValueError("no move was made in that time")
        spent = {part: self._used[part] / moves for part in PARTS}
        told = Measured(spent, self._messages / moves, self._commits / moves)
        return told, moves / (seconds - settled), sorted(self._trips)[moves // 2]

    def _process(self, part: str, number: int) -> str:
        name = f"{part}.{number}"
        self._processes[name] = _Process(name, part)
        return name

    def _at(self, time: float, name: str, items: list[Item]) -> None:
        self._count += 1
        heappush(self._events, (time, self._count, name, items))

    def _give(self, name: str, items: list[Item]) -> None:
        """Let items arrive at a process; without items it has done what it was doing."""
        process = self._processes[name]
        if not items:
            process.busy = False
        process.waiting += items
        if process.waiting and not process.busy and process not in self._ready:
            self._ready.append(process)

    def _run(self) -> None:
        while self._ready and self._free:
            process = self._ready.popleft()
            process.busy = True
            self._free -= 1
            items, process.waiting = process.waiting, []
            sent: dict[tuple[str, float], list[Item]] = {}
            at_once = []
            for number, item in enumerate(items, start=1):
                for to, later, following in self._after(process.name, item):
                    if CLIENTS in (process.part, self._processes[to].part):
                        # A socket of its own: this does not wait for the others.
                        at_once.append((number / len(items), to, later, following))
                    else:
                        sent.setdefault((to, later), []).append(following)
            took = self._time(process, items, sent)
            self._used[process.part] += took
            for share, to, later, following in at_once:
                self._at(self._now + share * took + later, to, [following])
            for (to, later), gathered in sent.items():
                self._at(self._now + took + later, to, gathered)
            self._at(self._now + took, "", [])
            # A database writes on while a core is free for others; its next commit waits.
            syncs = self._sync if process.part == DATABASE else 0.0
            self._at(self._now + took + syncs, process.name, [])

    def _time(
        self,
        process: _Process,
        items: Sequence[Item],
        sent: Mapping[tuple[str, float], Sequence[Item]],
    ) -> float:
        cost = self._costs[process.part]
        if process.part == DATABASE:
            self._commits += 1
            return len(items) * cost.move + cost.message
        if process.part == CLIENTS:
            return cost.move * sum(item.step == 0 for item in items)
        shares = {GATEWAY: 1 + self._size.gateways, TABLES: 2, BROKER: 1 + self._size.gateways}
        if process.part == BROKER:
            messages = len({(item.sender, item.to) for item in items})
            self._messages += messages
        else:
            # What it hears costs it something, and what it says.
            heard = {item.sender for item in items} - {""}
            told = {(item.sender, item.to) for of in sent.values() for item in of if item.to}
            messages = len(heard) + len(told)
        return len(items) * cost.move / shares[process.part] + messages * cost.message

    def _after(self, name: str, item: Item) -> Iterator[tuple[str, float, Item]]:
        """Where a move goes from here: to which process, after how long, and as what."""
        gateway = self._gateways[(item.table + self._turns[item.table]) % self._size.gateways]
        node = self._nodes[item.table % self._size.nodes]
        match item.step:
            case 0:
                self._began[item.table] = self._now
                yield gateway, 0.0, item._replace(step=1)
            case 1:
                yield "broker.0", 0.0, Item(2, item.table, name, node)
            case 2:
                yield node, 0.0, Item(3, item.table, item.sender)
            case 3:
                database = self._databases[item.table % self._size.nodes]
                yield database, 0.0, Item(4, item.table, node)
            case 4:
                yield node, self._sync, Item(5, item.table)
            case 5:
                for to in self._gateways:
                    yield "broker.0", 0.0, Item(6, item.table, name, to)
            case 6:
                yield item.to, 0.0, Item(7 if item.to == gateway else 9, item.table, item.sender)
            case 7:
                self._trips.append(self._now - self._began[item.table])
                self._turns[item.table] += 1
                yield "clients.0", self._pause(item.table), Item(0, item.table)

    def _pause(self, table: int) -> float:
        """How long until the table's next move may be made."""
        if not self._size.interval:
            return 0.0
        return max(0.0, self._began[table] + self._size.interval - self._now)
