"""Connecting to a server under a name, and staying at a table until its end."""

import argparse
import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from random import Random

from client_cli.attention import Attention
from client_cli.auto import NO_AUTO_START, AutoPlayer, AutoStart
from client_cli.effects import Remark
from client_cli.farewell import Farewell
from client_cli.identity import TokenPlace, state_directory
from client_cli.output import JsonOutput, LineOutput, Output
from client_cli.pager import Pager
from client_cli.shell import Shell
from client_cli.signs import ExplainedGames
from client_cli.speak_output import SpeakOutput
from client_cli.tell import tell
from client_cli.terminal import (
    TypedLine,
    ask_line,
    has_title,
    interactive,
    look_of_stdout,
    no_lines,
    piped_lines,
    plain_line,
    plain_lines,
    signal_terminal,
    terminal_lines,
    typed_at_terminal,
    write,
)
from protocol.connection import Client, connect
from protocol.errors import ProtocolError
from protocol.exits import Exit
from protocol.features import APART, LEGENDS, MISSED_CHAT, OUTAGES, PROMPTS, SEEDED, UNCHANGED


@asynccontextmanager
async def connected(
    url: str,
    name: str | None,
    identity: TokenPlace,
    program: str | None = None,
    ask: Callable[[str], Awaitable[str | None]] | None = None,
) -> AsyncIterator[Client]:
    """A welcomed client, as the player of the last visit if the server still knows them.

    `program` is the name of the playing program, if no person plays; `ask` asks a person for
    another name if their old one is no longer accepted.
    """
    # A person reads a line more easily than fifteen; programs may count on lists.
    wanted: tuple[str, ...] = (LEGENDS, UNCHANGED)
    if not program:
        wanted = (*wanted, "pick.way", SEEDED, APART, MISSED_CHAT, OUTAGES, PROMPTS)
    come_in = partial(connect, url, name=name, program=program, wanted=wanted, device="terminal")
    async with AsyncExitStack() as stack:
        try:
            client = await stack.enter_async_context(come_in(token=identity.token))
        except ProtocolError as error:
            if identity.token is None:
                raise
            if error.phrase is not None and error.phrase.code == "refused_name":
                # They have chosen another one since.
                client = await stack.enter_async_context(come_in(token=identity.token, name=None))
            elif error.code == "unauthorized":
                client = await stack.enter_async_context(come_in())
            else:
                raise
        if client.session.renamed and ask is not None:
            chosen = await ask(tell("told.renamed"))
            if chosen:
                await stack.aclose()
                token = client.session.token
                client = await stack.enter_async_context(come_in(token=token, name=chosen))
        if client.session.token is not None:
            identity.keep(client.session.token)
        try:
            yield client
        finally:
            if client.session.token is not None:
                # A new token, if the server has forgotten a guest in the meantime.
                identity.keep(client.session.token)


def output_for(arguments: argparse.Namespace) -> Output:
    """JSON lines, sentences or drawn lines on standard output, as the flags say."""
    if arguments.json:
        return JsonOutput(write)
    look = look_of_stdout(ascii_only=arguments.ascii)
    if not typed_by_hand(arguments):
        return SpeakOutput(look, write) if arguments.speak else LineOutput(look, write)
    explains = ExplainedGames(state_directory()).first
    if arguments.speak:
        return SpeakOutput(look, write, explains)
    return LineOutput(look, write, pager=Pager(), explains=explains)


def typed_by_hand(arguments: argparse.Namespace) -> bool:
    """Whether a person uses the program at a terminal."""
    if arguments.json or arguments.auto:
        return False
    # Sentences may go to a program that speaks them.
    return typed_at_terminal() if arguments.speak else interactive()


def line_asker(arguments: argparse.Namespace) -> Callable[[str], Awaitable[str | None]]:
    """How a person is asked for one line: at a prompt, or in a sentence."""
    return plain_line if arguments.speak else ask_line


async def run_table(
    client: Client,
    code: str,
    arguments: argparse.Namespace,
    output: Output,
    farewell: Farewell,
    *,
    auto_start: AutoStart = NO_AUTO_START,
    stay: bool = False,
    kept: bool = True,
) -> Exit:
    """Play or watch at a table until its end; `farewell` tells a person who closes the program.

    They are asked first if a match is not `kept` then.
    """
    by_hand = typed_by_hand(arguments)
    substitute = AutoPlayer(Random(), auto_start)
    bell = getattr(arguments, "bell", False)
    titled = by_hand and has_title() and not arguments.speak
    shell = Shell(
        client,
        output,
        substitute=substitute,
        stay=stay and by_hand,
        by_hand=by_hand,
        kept=kept,
        attention=Attention(signal_terminal, title=titled, bell=bell),
    )
    lines: AsyncIterator[TypedLine]
    if by_hand and arguments.speak:
        lines = plain_lines()
    elif by_hand:
        lines = terminal_lines(shell.prompt, shell.complete)
    elif arguments.json and not arguments.auto:
        lines = piped_lines()
    else:
        lines = no_lines()

    def say_farewell() -> None:
        if shell.table is not None and (told := farewell(shell.table)) is not None:
            output.remark(told)

    try:
        end = await shell.run(code, lines)
    except asyncio.CancelledError:
        # Ctrl-C; or the terminal is gone, and nobody can be told.
        with suppress(OSError):
            say_farewell()
        raise
    if end.why:
        output.remark(Remark(end.why, wrong=end.code is not Exit.DONE))
    if end.early:
        say_farewell()
    return end.code
