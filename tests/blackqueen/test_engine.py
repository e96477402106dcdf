"""Engines as players: real processes, asked and ended, whatever they do."""

import asyncio
import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from blackqueen.bot import engine as engines
from blackqueen.bot.engine import (
    EngineDied,
    EngineHung,
    WrongAnswer,
    command_words,
    running_engine,
)
from blackqueen.client import Turn
from protocol.exits import EngineFailed, Exit, UsageError, verdict
from tests.blackqueen.engines import BAD, GOOD, engine
from tests.client_cli.tables import ANNS_TURN

TURN = Turn.of(ANNS_TURN)


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that do not end are ended soon."""
    monkeypatch.setattr(engines, "END_SECONDS", 0.5)


async def asked(command: str, times: int = 3, seconds: float = 10.0) -> list[str]:
    """The answers of an engine to the same question, again and again."""
    async with running_engine(command_words(command), seconds) as running:
        answers = []
        for _ in range(times):
            answers.append(await running.choose(TURN))
            # What it writes besides is there before the next question.
            await asyncio.sleep(0.1)
        return answers


async def test_an_engine_answers_line_after_line(tmp_path: Path) -> None:
    """In one process, until its input ends."""
    assert await asked(engine(tmp_path, GOOD)) == ["play 2C"] * 3


@pytest.mark.parametrize(
    ("what", "error", "words"),
    [
        ("dies", EngineDied, "the engine ended with exit code 1: out of ideas"),
        ("dies later", EngineDied, "exit code 1: ZeroDivisionError: division by zero"),
        ("is killed", EngineDied, "the engine was ended by SIGKILL"),
        ("hangs", EngineHung, r"did not answer within 0\.7 seconds .*flushed"),
        ("does not read", EngineHung, "did not answer"),
        ("closes its output", EngineDied, "the engine closed its output"),
        ("says hello", WrongAnswer, "wrote 'Engine 3.1 ready', which is not JSON|asked for"),
        ("writes a number", WrongAnswer, 'wrote \'7\'; an answer looks like {"action": "…"}'),
        ("writes another object", WrongAnswer, "an answer looks like"),
        ("answers another turn", WrongAnswer, "answered turn 99999, not turn 7"),
        ("writes too much", WrongAnswer, "a line of more than 65536 bytes"),
        ("nests too deep", WrongAnswer, r"wrote '\[\[\[.*…', which is not JSON"),
        ("writes bytes", WrongAnswer, "which is not JSON"),
        ("writes twice", WrongAnswer, "a line that nobody asked for: '{"),
    ],
)
async def test_an_engine_that_fails_says_how_in_one_line(
    tmp_path: Path, what: str, error: type[EngineFailed], words: str
) -> None:
    """And the exit code is that of all engines that fail."""
    seconds = 0.7 if error is EngineHung else 10.0
    with pytest.raises(error, match=words) as caught:
        await asked(engine(tmp_path, BAD[what]), seconds=seconds)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300
    assert verdict(caught.value)[0] is Exit.ENGINE_FAILED


async def test_questions_that_nobody_reads_do_not_block(tmp_path: Path) -> None:
    """A question larger than the pipe takes no longer than an answer may."""
    large = replace(TURN, names=("x" * 1_000_000,))
    async with running_engine(command_words(engine(tmp_path, "time.sleep(60)")), 0.5) as running:
        with pytest.raises(EngineHung):
            await running.choose(large)


async def test_an_engine_is_told_the_time_it_has(tmp_path: Path) -> None:
    """The table's clock if that is shorter, else what an answer may take."""
    told = "for line in sys.stdin: print(json.dumps({'action': str(json.loads(line)['seconds'])}))"
    async with running_engine(command_words(engine(tmp_path, told)), 9.0) as running:
        assert await running.choose(TURN) == "9.0"
        assert await running.choose(replace(TURN, seconds=4.5)) == "4.5"
        assert await running.choose(replace(TURN, seconds=60.0)) == "9.0"


async def test_nothing_of_an_engine_is_left_behind(tmp_path: Path) -> None:
    """One that ignores its input's end and signals is killed, with its children."""
    stubborn = (
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "child = os.fork()\n"
        "if child: print(json.dumps({'action': str(child)}), flush=True)\n"
        "time.sleep(60)"
    )
    async with running_engine(command_words(engine(tmp_path, stubborn)), 10.0) as running:
        while running._lines.empty():  # noqa: ASYNC110 - it speaks before it is asked
            await asyncio.sleep(0.01)
        child = int(running._lines.get_nowait().split(b'"')[3])
        parent = running._process.pid
    for pid in (parent, child):
        await gone(pid)


async def gone(pid: int) -> None:
    """Wait until there is no such process, or but a dead one that nobody has asked after."""
    async with asyncio.timeout(10):
        with suppress(FileNotFoundError, ProcessLookupError):
            while " Z " not in Path(f"/proc/{pid}/stat").read_text():  # noqa: ASYNC110, ASYNC240
                await asyncio.sleep(0.02)


async def test_a_child_that_outlives_an_engine_holds_nobody_up(tmp_path: Path) -> None:
    """The engine has ended although its output stays open."""
    leaves = "if os.fork() == 0: os.setsid(); time.sleep(20)\nelse: sys.exit('gone')"
    async with asyncio.timeout(10):
        with pytest.raises(EngineDied, match="ended with exit code 1: gone"):
            await asked(engine(tmp_path, leaves), seconds=60.0)


async def test_no_shell_reads_the_command(tmp_path: Path) -> None:
    """What a shell would do something with is a word like any other."""
    told = "for line in sys.stdin: print(json.dumps({'action': ' '.join(sys.argv[1:])}))"
    rest = " '$HOME' ; touch pwned && `id` | cat > x"
    assert await asked(engine(tmp_path, told) + rest, 1) == [
        "$HOME ; touch pwned && `id` | cat > x"
    ]
    assert not Path("pwned").exists()  # noqa: ASYNC240


async def test_an_engine_gets_no_open_files_of_ours(tmp_path: Path) -> None:
    """Nothing but its three pipes: no socket of the connection."""
    listed = "input(); print(json.dumps({'action': str(sorted(os.listdir('/proc/self/fd')))}))"
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)
    try:
        (said,) = await asked(engine(tmp_path, listed), 1)
    finally:
        os.close(reader)
        os.close(writer)
    # The fourth is the listing itself.
    assert said == "['0', '1', '2', '3']"


async def test_ctrl_c_in_the_terminal_does_not_reach_it(tmp_path: Path) -> None:
    """It is we who end it; a session of its own keeps the terminal's signals away."""
    told = "for line in sys.stdin: print(json.dumps({'action': str(os.getsid(0) == os.getpid())}))"
    assert await asked(engine(tmp_path, told), 1) == ["True"]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("", "names no program"),
        ("''", "names no program"),
        ("python3 'x", "No closing quotation"),
        ("a\0b", "names no program"),
    ],
)
def test_a_command_without_a_program_is_a_mistake(command: str, words: str) -> None:
    """Said before anything is started."""
    with pytest.raises(UsageError, match=words):
        command_words(command)


async def test_a_program_that_is_not_there_is_a_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file in this folder is not found by its bare name, and that is said."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"nowhere cannot be started: No such file or directory$"):
        await asked("nowhere")
    (tmp_path / "mine").touch()
    with pytest.raises(UsageError, match=r"for the file in this folder write \./mine$"):
        await asked("mine")
    with pytest.raises(UsageError, match="Permission denied"):
        await asked("./mine")
