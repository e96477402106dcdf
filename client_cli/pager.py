"""Long texts in the person's pager, above the prompt; later output is written after it."""

import asyncio
import os
import shlex
import shutil
import signal
from asyncio.subprocess import PIPE
from collections.abc import Sequence
from contextlib import suppress

from client_cli.tell import tell

_USUAL = "less"
_LESS = "FRX"
"""For `less`: end at once if all fits, show colours, leave the text on the screen."""


class Pager:
    """Shows one text at a time, while a prompt waits for the person's next line."""

    def __init__(self) -> None:
        self._open = False
        self._process: asyncio.subprocess.Process | None = None

    def show(self, text: str) -> bool:
        """Begin to show `text`; False if it fits the screen, or nothing can show it now."""
        from prompt_toolkit.application import get_app_or_none

        words = shlex.split(os.environ.get("PAGER", _USUAL))
        app = get_app_or_none()
        fits = text.count("\n") < shutil.get_terminal_size().lines
        if fits or self._open or app is None or not app.is_running:
            return False
        if not words or shutil.which(words[0]) is None:
            return False
        self._open = True
        app.create_background_task(self._run(words, text))
        return True

    def close(self) -> None:
        """Close the pager, for which the prompt below waits."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.terminate()

    async def _run(self, words: Sequence[str], text: str) -> None:
        from prompt_toolkit.application import in_terminal

        # A person's own flags come last and decide.
        # What stands in the last line of `less`.
        prompt = f"-Ps{tell('pager.prompt')}$"
        less = {"LESS": f"{prompt}{os.environ.get('LESS', _LESS)}"}
        # It shows bytes where the locale is not installed, as after ssh from another country.
        environment = {"LESSCHARSET": "utf-8", **os.environ, **less}
        async with in_terminal():
            # Ctrl-C belongs to the pager as long as it is there.
            before = signal.signal(signal.SIGINT, signal.SIG_IGN)
            try:
                self._process = await asyncio.create_subprocess_exec(
                    *words, stdin=PIPE, env=environment
                )
                await self._process.communicate(text.encode())
            except OSError:
                # It cannot be started after all.
                return
            finally:
                signal.signal(signal.SIGINT, before)
                self._open, self._process = False, None
