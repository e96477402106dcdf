"""The commands whose callers wait for an answer, across reconnections."""

import asyncio

from protocol.client_events import Answer
from protocol.errors import ConnectionLost, ProtocolError
from protocol.to_client import Error


class AwaitedAnswers:
    """A future for each command, by its id."""

    def __init__(self) -> None:
        self._futures: dict[int, asyncio.Future[Answer]] = {}
        self._over: ConnectionLost | ProtocolError | None = None

    def check_open(self) -> None:
        """Raise the final error if no answer will come any more."""
        if self._over is not None:
            raise self._over

    async def answer_to(self, id: int) -> Answer:
        """Wait for the answer to a new command; an error answer is raised."""
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._futures[id] = future
        try:
            return await future
        finally:
            del self._futures[id]

    def resolve(self, id: int, answer: Answer | Error) -> None:
        """Give the answer to the command's caller, who may have given up."""
        if isinstance(answer, Error):
            code, reason, phrase = answer.code, answer.reason, answer.phrase
            self._settle(id, ProtocolError(code, reason, id, answer.retry_after, phrase))
        else:
            self._settle(id, answer)

    def end(self, why: ConnectionLost | ProtocolError) -> None:
        """End all waiting with a reason; the first one holds for later commands too."""
        self._over = self._over or why
        for id in self._futures:
            self._settle(id, why)

    def _settle(self, id: int, outcome: Answer | Exception) -> None:
        future = self._futures.get(id)
        if future is None or future.done():
            return
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)
