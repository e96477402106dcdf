"""Which descriptions of a folder can be read and played, and what stops the others.

.venv/bin/python -m tools.survey FOLDER [--games 100] [--choices 500]

Each file that can be read is played at random this many times. A game is *stopped* if it asks for
something impossible or exceeds the limits; the first reason is shown, with its place in the file.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from engine import Setup, Shuffler, seed_from_int
from engine.recycle import BadDescription, Description, load
from engine.recycle.checking import check
from engine.recycle.reading.parser import parse

ENDINGS = (".rcy", ".gdl")


@dataclass(frozen=True, slots=True)
class Finding:
    """The result for a file: `played` of the games came to their end."""

    path: Path
    played: int
    reason: str = ""

    @property
    def accepted(self) -> bool:
        """Whether the game could be read and played."""
        return self.played > 0 or self.reason.startswith("stopped")


def survey(paths: Iterable[Path], games: int, choices: int) -> Iterator[Finding]:
    """Read and play each file."""
    for path in paths:
        text = path.read_text(encoding="utf-8", errors="replace")
        problems = [problem for problem in check(parse(text)) if not problem.warning]
        if problems:
            yield Finding(path, 0, f"not read: {problems[0]}")
            continue
        try:
            game = load(text, path.stem)
        except BadDescription as error:
            yield Finding(path, 0, f"not read: {error}")
            continue
        yield _play(path, game, games, choices)


def _play(path: Path, game: Description, games: int, choices: int) -> Finding:
    reasons = [reason for seed in range(games) if (reason := _stopped(game, seed, choices))]
    if not reasons:
        return Finding(path, games)
    return Finding(path, games - len(reasons), f"stopped {len(reasons)} times: {reasons[0]}")


def _stopped(game: Description, seed: int, choices: int) -> str:
    """Why a random game did not end; nothing if it ended."""
    setup = Setup(game.info.usual_seats, {"choices": choices}, Shuffler(seed_from_int(seed)))
    world, rng = game.world(game.start(setup).state), Random(seed)
    while world.count:
        world.play(rng.randrange(world.count))
    return str(world.stop or "")


def main(words: list[str]) -> int:
    """Play each file that the command line names and print what came of it."""
    parser = argparse.ArgumentParser(prog="survey", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=100, help="random games of each (100)")
    parser.add_argument("--choices", type=int, default=500, help="choices of a game at most (500)")
    arguments = parser.parse_args(words)
    paths = sorted(path for path in arguments.folder.rglob("*") if path.suffix in ENDINGS)
    findings = []
    for finding in survey(paths, arguments.games, arguments.choices):
        findings.append(finding)
        said = finding.reason or "plays"
        print(f"{finding.path.relative_to(arguments.folder)}: {said}", flush=True)
    accepted = sum(finding.accepted for finding in findings)
    whole = sum(not finding.reason for finding in findings)
    print(f"{accepted} of {len(findings)} accepted, {whole} play {arguments.games} random games")
    return 0 if whole == len(findings) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
