"""How much a bot worker has to do: what it takes, and what became of it."""

from dataclasses import dataclass

FIRST_SECONDS = 0.5
"""How long a question takes, as long as nobody knows."""
LEARNING = 0.2
"""The weight of the last question in what the next ones are expected to take."""
MOST_OPEN = 256
"""Questions that one lane takes at once, however quickly it answers."""


class Lane:
    """The processes for one kind of game: how much they have to do, and whether more fits in."""

    def __init__(self, processes: int) -> None:
        self.open = 0
        self.seconds = FIRST_SECONDS
        self._processes = processes

    def fits(self, seconds: float) -> bool:
        """Whether one more question would be answered within `seconds`."""
        if self.open < self._processes:
            return True
        return self.open < MOST_OPEN and self._turns * self.seconds <= seconds

    def begin(self) -> int:
        """Take a question; how many turns of the processes it needs."""
        turns = self._turns
        self.open += 1
        return turns

    def end(self, turns: int, seconds: float) -> None:
        """A question is over that has taken so long, the time in which it waited included."""
        self.open -= 1
        self.seconds += LEARNING * (seconds / turns - self.seconds)

    @property
    def _turns(self) -> int:
        return self.open // self._processes + 1


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
