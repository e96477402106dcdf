"""How much a bot worker has to do: what it takes, and what became of it."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from server.bots.workers import HEAVY_SECONDS

FIRST_SECONDS = 0.5
"""How long a question takes, as long as nobody knows."""
LEARNING = 0.2
"""The weight of the last question in what the next ones are expected to take."""
MOST_OPEN = 256
"""Questions that one lane takes at once, however quickly it answers."""
GAMES = 64
"""Described games of which a worker remembers how long their questions take."""


class Lane:
    """Questions of one kind, which have so many processes: whether one more would be in time.

    `ahead` is how many seconds the processes need for what other lanes have for them.
    """

    def __init__(self, processes: int, ahead: Callable[["Lane"], float] = lambda lane: 0.0) -> None:
        self.open = 0
        self.seconds = FIRST_SECONDS
        self._processes = processes
        self._ahead = ahead

    @property
    def is_long(self) -> bool:
        """Whether its questions have only half of the processes of described games."""
        return self.seconds > HEAVY_SECONDS

    def fits(self, seconds: float) -> bool:
        """Whether one more question would be answered within `seconds`."""
        left = seconds - self._ahead(self)
        if self.open < self._processes:
            return left >= 0
        return self.open < MOST_OPEN and self._turns * self.seconds <= left

    def begin(self) -> int:
        """Take a question; how many turns of the processes it needs."""
        turns = self._turns
        self.open += 1
        return turns

    def end(self, turns: int, seconds: float) -> None:
        """A question is over that has taken so long, the time in which it waited included."""
        self.open -= 1
        self.seconds += LEARNING * (seconds / turns - self.seconds)

    def give_back(self) -> None:
        """A question that was taken is not thought about."""
        self.open -= 1

    @property
    def _turns(self) -> int:
        return self.open // self._processes + 1


class Lanes:
    """All lanes of a worker with so many processes.

    Hints come after all moves and have half of the processes, so they count apart. A described game
    has one process at a time. Games whose questions take long share one, and quick games another,
    so a slow game keeps no quick one waiting.
    """

    def __init__(self, processes: int) -> None:
        self._own = {False: Lane(processes), True: Lane(max(1, processes // 2))}
        self._described: OrderedDict[tuple[str, bool], Lane] = OrderedDict()

    def lane(self, described: str | None, *, hint: bool) -> Lane:
        """The lane for moves or hints at a described game; None for those of the program."""
        if described is None:
            return self._own[hint]
        lane = self._described.setdefault((described, hint), Lane(1, self._ahead))
        self._described.move_to_end((described, hint))
        if len(self._described) > GAMES:
            self._described.popitem(last=False)
        return lane

    def _ahead(self, lane: Lane) -> float:
        return sum(
            other.open * other.seconds
            for other in self._described.values()
            if other is not lane and other.is_long == lane.is_long
        )


@dataclass(slots=True)
class Fates:
    """How many questions have ended in what way, since the worker was started."""

    answered: int = 0
    failed: int = 0
    late: int = 0
    full: int = 0
    bad: int = 0
    repeated: int = 0

    def counts(self) -> dict[str, int]:
        """The numbers by name."""
        return {name: getattr(self, name) for name in self.__slots__}
