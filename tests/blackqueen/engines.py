"""Engines that do what they should, and some that do not: each a little program in a file."""

import sys
from pathlib import Path
from shlex import quote

ANSWER = """
def answer(turn):
    choices = turn["choices"]
    if choices["actions"]:
        return {"action": choices["actions"][0], "turn": turn["turn"]}
    pick = choices["picks"][0]
    return {"action": " ".join([pick["verb"], *pick["cards"][: pick["least"]]])}
"""

GOOD = "for line in sys.stdin: print(json.dumps(answer(json.loads(line))))"

BAD = {
    "dies": "sys.stdin.readline(); sys.exit('out of ideas')",
    "dies later": "print(json.dumps(answer(json.loads(input())))); input(); 1 / 0",
    "is killed": "input(); os.kill(os.getpid(), 9)",
    "hangs": "input(); time.sleep(60)",
    "does not read": "time.sleep(60)",
    "closes its output": "input(); os.close(1); time.sleep(60)",
    "says hello": "print('Engine 3.1 ready', flush=True); " + "time.sleep(60)",
    "writes a number": "input(); print(7); time.sleep(60)",
    "writes another object": 'input(); print(\'{"move": "play 2C"}\'); time.sleep(60)',
    "breaks the rules": 'input(); print(\'{"action": "play ZZ"}\'); time.sleep(60)',
    "answers another turn": 'input(); print(\'{"action": "", "turn": 99999}\'); time.sleep(60)',
    "writes too much": "input(); print('x' * 70_000); time.sleep(60)",
    "nests too deep": "input(); print('[' * 60_000); time.sleep(60)",
    "writes bytes": "input(); os.write(1, bytes([0xff, 0x1b, 0x5d, 0x0a])); time.sleep(60)",
    "writes twice": f"{GOOD[:-1]}, json.dumps({{}}), sep='\\n')",
}
"""Programs that fail as players, by what they do."""


def engine(folder: Path, program: str) -> str:
    """The command that runs `program`, which may use a few modules and `answer(turn)`."""
    file = folder / "my engine.py"
    file.write_text(f"import json, os, signal, sys, time\n{ANSWER}\n{program}\n")
    return f"{quote(sys.executable)} -u {quote(str(file))}"
