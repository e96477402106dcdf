"""The wheel of this repository, built, and installed into an environment of its own."""

import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


def build_wheel(folder: Path) -> Path:
    """The wheel of the present files, as `pip wheel` makes it."""
    _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    (wheel,) = folder.glob("*.whl")
    return wheel


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment with the wheel in it, and nothing of this repository."""

    folder: Path

    @property
    def python(self) -> Path:
        """The environment's interpreter."""
        return self.folder / "bin" / "python"

    @property
    def command(self) -> Path:
        """The environment's command `blackqueen`."""
        return self.folder / "bin" / "blackqueen"


def install(wheel: Path, folder: Path) -> Environment:
    """An environment in `folder` with the wheel, using the packages that are installed here."""
    environment = Environment(folder)
    _run(sys.executable, "-m", "venv", "--without-pip", folder)
    pip = (
        sys.executable,
        "-m",
        "pip",
        "--python",
        environment.python,
        "--disable-pip-version-check",
    )
    _run(*pip, "install", "-qq", "--no-index", "--no-deps", wheel)
    # The path alone: what makes this repository importable here is a `.pth` file, and those of a
    # folder that is added like this are not read.
    (site_packages,) = folder.glob("lib/python*/site-packages")
    (site_packages / "needed.pth").write_text(sysconfig.get_path("purelib"))
    return environment


def _run(*words: object) -> None:
    subprocess.run(list(map(str, words)), cwd=ROOT, check=True, capture_output=True)
