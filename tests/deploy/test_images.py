"""The images that `deploy/` uses, and the tool that writes their digests."""

import re
import shutil
import stat
from pathlib import Path

import pytest

from deploy.pin_images import DEPLOY, images, main
from deploy.pin_images import DIGEST as DIGEST_OF_ALL
from tests.repository import ROOT

DIGEST = f"sha256:{'5e' * 32}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of `deploy/`."""
    return Path(shutil.copytree(DEPLOY, tmp_path / "deploy"))


def asking(folder: Path, lines: str) -> str:
    """A script in place of the program that asks a registry."""
    program = folder.parent / "ask"
    program.write_text(f"#!/bin/sh\n{lines}\n")
    program.chmod(stat.S_IRWXU)
    return str(program)


def test_every_image_is_known() -> None:
    """Every image has a tag and a digest, and none is `latest`."""
    found = list(images(DEPLOY))
    assert [image for image in found if not DIGEST_OF_ALL.fullmatch(image.digest)] == []
    assert all(":" in image.tag and not image.tag.endswith(":latest") for image in found)
    files = {image.file.relative_to(ROOT / "deploy").as_posix() for image in found}
    assert files == {"Dockerfile", "compose.yaml", "compose.cluster.yaml"}


def test_the_check_names_each_image_without_a_digest(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The check names each image without a digest by file and line, without a network."""
    assert main([str(folder), "--check"]) == 0
    for path in {image.file for image in images(folder)}:
        path.write_text(re.sub("@sha256:[0-9a-f]+", "", path.read_text()))
    without = list(images(folder))
    assert main([str(folder), "--check"]) == 1
    said = capsys.readouterr().err.splitlines()
    assert len(said) == len(without)
    for image, line in zip(without, said, strict=True):
        assert f"{image.file.name}:{image.line}: {image.tag} has no digest" in line


def test_digests_are_written_behind_the_tags(folder: Path) -> None:
    """Digests are written after the tags and nothing else changes; then the check passes."""
    before = {path: path.read_text() for path in folder.rglob("*") if path.suffix == ".yaml"}
    assert main([str(folder), "--update", "--ask", asking(folder, f"echo {DIGEST}")]) == 0
    assert {image.digest for image in images(folder)} == {DIGEST}
    assert main([str(folder), "--check"]) == 0
    for path, text in before.items():
        lines = path.read_text().replace(f"@{DIGEST}", "").splitlines()
        assert [line.partition("@sha256")[0] for line in text.splitlines()] == [
            line.partition("@sha256")[0] for line in lines
        ]
    dockerfile = (folder / "Dockerfile").read_text()
    assert re.search(rf"^FROM python:[\w.-]+@{DIGEST} AS build$", dockerfile, re.MULTILINE)


def test_what_is_pinned_stays_until_it_is_updated(folder: Path) -> None:
    assert main([str(folder), "--update", "--ask", asking(folder, f"echo {DIGEST}")]) == 0
    other = asking(folder, f"echo sha256:{'0' * 64}")
    assert main([str(folder), "--ask", other]) == 0
    assert {image.digest for image in images(folder)} == {DIGEST}
    assert main([str(folder), "--update", "--ask", other]) == 0
    assert {image.digest for image in images(folder)} == {f"sha256:{'0' * 64}"}


@pytest.mark.parametrize(
    "lines",
    ["echo sha256:5e", "echo 'no such host' >&2; exit 1", f"echo {DIGEST}; exit 1", "echo latest"],
)
def test_what_is_no_digest_is_not_written(
    folder: Path, lines: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """If one image has no digest, no file changes."""
    before = list(images(folder))
    some = f'case "$1" in caddy*) {lines};; *) echo {DIGEST};; esac'
    assert main([str(folder), "--update", "--ask", asking(folder, some)]) == 1
    assert re.search(r"caddy:[\d.]+: ", capsys.readouterr().err)
    assert list(images(folder)) == before
    assert main([str(folder), "--update", "--ask", "/no/such/program"]) == 1
