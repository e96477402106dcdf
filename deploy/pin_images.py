#!/usr/bin/env python3
"""The digests of the images that `deploy/` starts from: `.venv/bin/python deploy/pin_images.py`.

A tag is what its owner lets it be today; a digest is the same bytes for ever. This asks the
registry for the digest of each image that has none, and writes it behind its tag, as in
``caddy:2@sha256:…``. With `--update` it asks for those that have one, too: do so for their security
fixes. With `--check` it asks nobody, names the images without a digest, and ends with 1 if there
are any.

It asks by `docker buildx imagetools`, or by another program that prints a digest:

    deploy/pin_images.py --ask "crane digest"
"""

import argparse
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from protocol.safe_text import complain, say

DEPLOY = Path(__file__).parent
ASK = "docker buildx imagetools inspect --format {{.Manifest.Digest}}"
OWN = "blackqueen"
"""The image that is built here, and named by whoever has built it."""
SECONDS = 60.0
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
NAMED = re.compile(
    r"^(?P<before>FROM +|[ -]*image: *)(?P<tag>[\w./:-]+?)(?:@(?P<digest>sha256:\w+))?(?=\s|$)",
    re.MULTILINE,
)


class Image(NamedTuple):
    """An image that a line of a file names; `digest` is "" if it has none."""

    file: Path
    line: int
    tag: str
    digest: str


class NoDigest(Exception):
    """The registry's answer has no digest in it; the words say for which image."""


def images(folder: Path) -> Iterator[Image]:
    """Every image that a file of the folder starts from, less those that are built by itself."""
    for file in _files(folder):
        text = file.read_text("utf-8")
        stages = set(re.findall(r"^FROM .* AS (\S+)", text, re.MULTILINE))
        for found in NAMED.finditer(text):
            if found["tag"] not in {OWN, *stages}:
                line = text.count("\n", 0, found.start()) + 1
                yield Image(file, line, found["tag"], found["digest"] or "")


def pin(folder: Path, ask: Sequence[str], *, update: bool = False) -> dict[str, str]:
    """Write the digests of images into the files of the folder; returns those that were asked for.

    `NoDigest`, and no file is changed, if one of them cannot be had.
    """
    wanted = {image.tag for image in images(folder) if update or not image.digest}
    digests = {tag: _asked(ask, tag) for tag in sorted(wanted)}

    def pinned(found: re.Match[str]) -> str:
        tag = found["tag"]
        return f"{found['before']}{tag}@{digests[tag]}" if tag in digests else found[0]

    for file in {image.file for image in images(folder)}:
        text = file.read_text("utf-8")
        file.write_text(NAMED.sub(pinned, text), "utf-8")
    return digests


def _files(folder: Path) -> list[Path]:
    return sorted([*folder.rglob("Dockerfile*"), *folder.rglob("*.yaml")])


def _asked(ask: Sequence[str], tag: str) -> str:
    try:
        run = subprocess.run([*ask, tag], capture_output=True, text=True, timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoDigest(f"{tag}: {error}") from None
    said = run.stdout.strip().strip("'\"")
    if run.returncode or not DIGEST.fullmatch(said):
        raise NoDigest(f"{tag}: {' '.join(ask)} printed no digest: {run.stderr or run.stdout}")
    return said


def main(words: Sequence[str] | None = None) -> int:
    """Pin the images; the arguments are those of the command line."""
    parser = argparse.ArgumentParser(prog="pin_images", description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=DEPLOY)
    parser.add_argument("--check", action="store_true", help="name images without a digest")
    parser.add_argument("--update", action="store_true", help="ask for digests that are there, too")
    parser.add_argument("--ask", default=ASK, help="prints the digest of the image behind it")
    chosen = parser.parse_args(words)
    if chosen.check:
        without = [image for image in images(chosen.folder) if not image.digest]
        for image in without:
            complain("pin_images", f"{image.file}:{image.line}: {image.tag} has no digest")
        return 1 if without else 0
    try:
        digests = pin(chosen.folder, shlex.split(chosen.ask), update=chosen.update)
    except NoDigest as error:
        complain("pin_images", str(error))
        return 1
    say(*(f"{tag}@{digest}" for tag, digest in digests.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
