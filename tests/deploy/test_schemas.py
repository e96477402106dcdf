"""Compose files are what their schema allows, down to the last field."""

import json
from pathlib import Path

from tests.deploy.monitoring import Told
from tests.deploy.schemas import compose_faults, misspelt
from tests.deploy.test_containers import FILES, compose
from tests.test_repository_deploy import DEPLOY

BY_NAME = frozenset(
    {
        *("services", "networks", "volumes", "configs", "secrets"),
        *("depends_on", "environment", "options"),
    }
)
"""Where a compose file has names of its own for keys."""


def test_compose_files_are_what_the_specification_allows() -> None:
    """The compose files are valid by the specification's schema."""
    assert compose_faults([DEPLOY / file for file in FILES]) == {}


def test_a_misspelt_field_of_a_compose_file_is_found(tmp_path: Path) -> None:
    """Every misspelt field of a compose file is found, at any depth."""
    wrong: dict[str, Told] = {}
    for file in FILES:
        told = {key: each for key, each in compose(file).items() if not key.startswith("x-")}
        wrong |= misspelt(told, BY_NAME)
    files = {place: tmp_path / f"{number}.json" for number, place in enumerate(wrong)}
    for place, path in files.items():
        path.write_text(json.dumps(wrong[place]), "utf-8")
    found = compose_faults(files.values())
    assert len(files) > 40
    assert [place for place, path in files.items() if path not in found] == []
