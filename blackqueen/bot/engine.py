"""Somebody's own program as a player: it reads a line of JSON and writes one.

    a question ─▶ standard input   the engine   standard output ─▶ its answer

It is started without a shell, in a session of its own, and gets nothing but questions. Whatever it
does wrong ends it with an `EngineFailed` that says so in one line; docs/writing-a-bot.md gives its
authors the rules.
"""

import asyncio
import json
import os
import shlex
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

from blackqueen.client import Turn
from engine.choices import Action
from protocol.exits import EngineFailed, UsageError

SECONDS = 30.0
"""How long an answer may take, unless another time is chosen."""
MOST_BYTES = 65_536
"""The longest line that an answer may be."""
END_SECONDS = 2.0
"""How long an engine may take to end once its input has; then it is told to, then it is killed."""
LAST_WORDS_SECONDS = 0.5
"""How long the output of a process that has ended may take to arrive."""
LOOK_SECONDS = 0.05
"""How often it is asked whether a process has ended."""
_QUOTED = 80


class EngineDied(EngineFailed):
    """The engine has ended, or closed its output, before it answered."""


class EngineHung(EngineFailed):
    """The engine has not answered in time."""


class WrongAnswer(EngineFailed):
    """The engine has written something other than an answer to the question."""


def command_words(text: str) -> tuple[str, ...]:
    """The words of a command, split as a shell would; `UsageError` if that is not possible.

    >>> command_words("python3 'my bot.py' --depth 3")
    ('python3', 'my bot.py', '--depth', '3')
    """
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise UsageError(f"the command {text!r} cannot be read: {error}") from None
    if not words or not words[0] or "\0" in text:
        raise UsageError(f"the command {text!r} names no program")
    return words


class Engine:
    """A running engine, which is asked one question at a time; made by `running_engine`.

    `seconds` is how long an answer may take, from the question to the end of its line.
    """

    def __init__(self, process: Process, seconds: float) -> None:
        assert process.stdin is not None, "it is started with pipes"
        assert process.stdout is not None, "it is started with pipes"
        assert process.stderr is not None, "it is started with pipes"
        self._process = process
        self._stdin, self._stdout, self._stderr = process.stdin, process.stdout, process.stderr
        self._seconds = seconds
        # What nobody asked for waits in the pipe, not here. An empty line is the end.
        self._lines: asyncio.Queue[bytes] = asyncio.Queue(maxsize=1)
        self._too_long = False
        self._last_words = ""

    async def choose(self, turn: Turn) -> Action:
        """The engine's answer, which may be no legal move; `EngineFailed` if there is none."""
        seconds = self._seconds if turn.seconds is None else min(self._seconds, turn.seconds)
        if not self._lines.empty() and (unasked := self._lines.get_nowait()):
            raise WrongAnswer(f"the engine wrote a line that nobody asked for: {_quoted(unasked)}")
        try:
            async with asyncio.timeout(self._seconds):
                line = await self._asked(replace(turn, seconds=seconds).to_json())
        except TimeoutError:
            raise EngineHung(
                f"the engine did not answer within {self._seconds:g} seconds (an answer is one "
                "line, and has to be flushed)"
            ) from None
        if not line:
            raise await self._failed()
        return _action(line, turn)

    async def _asked(self, question: str) -> bytes:
        """The next line after a question; empty if there is none."""
        with suppress(ConnectionError):  # it has ended; the end of its output says so
            self._stdin.write(f"{question}\n".encode())
            await self._stdin.drain()
        return await self._lines.get()

    async def _failed(self) -> EngineFailed:
        """Why the engine writes no more lines."""
        if self._too_long:
            return WrongAnswer(f"the engine wrote a line of more than {MOST_BYTES} bytes")
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS_SECONDS):
                await self._exited()
                await self._errors
        code = self._process.returncode
        if code is None:
            how = "closed its output"
        elif code < 0:
            how = f"was ended by {signal.Signals(-code).name}"
        else:
            how = f"ended with exit code {code}"
        words = f": {self._last_words}" if self._last_words else ""
        return EngineDied(f"the engine {how}{words}")

    def begin(self, tasks: asyncio.TaskGroup) -> list[asyncio.Task[None]]:
        """Start to listen to the engine; returns the tasks that do."""
        self._errors = tasks.create_task(self._read_errors())
        others = (self._read_answers(), self._notice_end())
        return [self._errors, *(tasks.create_task(each) for each in others)]

    async def _read_answers(self) -> None:
        line = b"..."
        while line:
            try:
                line = await self._stdout.readline()
            except ValueError:
                self._too_long, line = True, b""
            await self._lines.put(line)

    async def _read_errors(self) -> None:
        """Remember the last line of the engine's standard error, and drop all others."""
        begun = b""
        while piece := await self._stderr.read(4096):
            *whole, begun = (begun + piece).split(b"\n")
            begun = begun[:MOST_BYTES]
            for line in (*whole, begun):
                if line.strip():
                    self._last_words = line.decode("utf-8", "replace").strip()[:200]

    async def _notice_end(self) -> None:
        """Notice that the process has ended even if a child of it keeps its output open."""
        await self._exited()
        await asyncio.sleep(LAST_WORDS_SECONDS)
        await self._lines.put(b"")

    async def _exited(self) -> None:
        # `Process.wait` waits for the pipes too, which a child may hold open.
        while self._process.returncode is None:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(LOOK_SECONDS)

    async def end(self) -> bool:
        """End the engine, gently first; returns whether it ended when its input did."""
        self._stdin.close()
        for number in (None, signal.SIGTERM, signal.SIGKILL):
            if number is not None:
                # The group of its own session: its children too.
                with suppress(ProcessLookupError):
                    os.killpg(self._process.pid, number)
            with suppress(TimeoutError):
                async with asyncio.timeout(END_SECONDS):
                    await self._exited()
                    return number is None
        return False


@asynccontextmanager
async def running_engine(words: Sequence[str], seconds: float = SECONDS) -> AsyncIterator[Engine]:
    """An engine for as long as the block lasts; `UsageError` if it cannot be started."""
    process = await _started(words)
    engine = Engine(process, seconds)
    # Entered by hand, so that what the block raises leaves it as it is and not in a group.
    tasks = asyncio.TaskGroup()
    await tasks.__aenter__()
    readers = engine.begin(tasks)
    try:
        yield engine
    finally:
        # A second Ctrl-C must not leave the process behind either.
        await asyncio.shield(engine.end())
        for reader in readers:
            reader.cancel()
        await tasks.__aexit__(None, None, None)
        # A child that outlived the engine may hold its pipes open for ever, and asyncio has no
        # public way to close our ends of them.
        process._transport.close()  # type: ignore[attr-defined]


async def _started(words: Sequence[str]) -> Process:
    # Python, the most likely of all engines, keeps what it prints to a pipe until there is more.
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    try:
        return await asyncio.create_subprocess_exec(
            *words,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            limit=MOST_BYTES,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        raise UsageError(_not_started(words[0], error)) from None


def _not_started(program: str, error: OSError) -> str:
    here = "/" not in program and Path(program).is_file()
    hint = f"; for the file in this folder write ./{program}" if here else ""
    return f"the engine {program} cannot be started: {error.strerror or error}{hint}"


def _action(line: bytes, turn: Turn) -> Action:
    """The action in an answer; `WrongAnswer` if the line has none."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        raise WrongAnswer(f"the engine wrote {_quoted(line)}, which is not JSON") from None
    action = answer.get("action") if isinstance(answer, dict) else None
    if not isinstance(action, str):
        example = '{"action": "…"}'
        raise WrongAnswer(f"the engine wrote {_quoted(line)}; an answer looks like {example}")
    if answer.get("turn", turn.number) != turn.number:
        raise WrongAnswer(
            f"the engine answered turn {answer['turn']!r:.20}, not turn {turn.number}"
        )
    return action


def _quoted(line: bytes) -> str:
    text = line.decode("utf-8", "replace").strip()
    return repr(text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…")
