"""Compose files and manifests are what their schemas allow, down to the last field."""

import json
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest
import yaml

from deploy import cluster_secrets
from tests.counts import count
from tests.deploy.monitoring import Told
from tests.deploy.schemas import compose_faults, manifest_fault, misspelt
from tests.deploy.test_containers import FILES, compose
from tests.deploy.test_kubernetes import CLUSTER, FOLDER, SINGLE, manifests, overlays
from tests.test_repository_deploy import DEPLOY

BY_NAME = frozenset(
    {
        *("services", "networks", "volumes", "configs", "secrets"),
        *("depends_on", "environment", "options"),
    }
)
"""Where a compose file has names of its own for keys."""
LABELS = frozenset({"annotations", "data", "labels", "limits", "matchLabels", "requests"})
"""Where a manifest has keys of its own."""
SECRETS = {
    role: tuple(f"{role}-{number}" for number in range(2)) for role in cluster_secrets.MEMBERS
}
"""The processes of the cluster, whose secrets the documented command makes."""


def known_manifests() -> dict[str, Told]:
    """Every manifest of both overlays as it is written, by kind and name."""
    found = (each for overlay in (SINGLE, CLUSTER) for each in manifests(overlay))
    return {f"{each['kind']} {each['metadata']['name']}": each for each in found}


written = pytest.mark.parametrize("told", known_manifests().values(), ids=list(known_manifests()))


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The manifests with secrets, where they may be changed."""
    folder = tmp_path_factory.mktemp("kustomize") / FOLDER.name
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("secrets"))
    secrets = folder / CLUSTER.relative_to(FOLDER) / "secrets"
    cluster_secrets.Secrets(secrets).make(SECRETS)
    (secrets / "database.env").write_text("BLACKQUEEN_DATABASE_URL=postgresql://h/d\n", "utf-8")
    return folder


def kustomize(folder: Path) -> subprocess.CompletedProcess[str]:
    """What `kubectl` makes of an overlay; the test is skipped without it.

    No test may fail for want of it, in CI neither: Debian's is too old for these files.
    """
    if shutil.which("kubectl") is None:
        pytest.skip("NOT RUN: kubectl is not installed")
    return subprocess.run(["kubectl", "kustomize", folder], capture_output=True, text=True)


def test_compose_files_are_what_the_specification_allows() -> None:
    """By the schema of the specification itself."""
    assert compose_faults([DEPLOY / file for file in FILES]) == {}


def test_a_misspelt_field_of_a_compose_file_is_found(tmp_path: Path) -> None:
    """Whichever it is, at the top, in a service or below."""
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


@written
def test_manifests_are_what_kubernetes_allows(told: Told) -> None:
    """Each kind is one that clusters have, in this version, and each field is one of it."""
    assert manifest_fault(told) == ""


@written
def test_a_misspelt_field_of_a_manifest_is_found(told: Told, rng: Random) -> None:
    """Some of them by day, more by night."""
    # A Service chooses by labels without another word.
    wrong = misspelt(told, LABELS | ({"selector"} if told["kind"] == "Service" else set()))
    for place in rng.sample(list(wrong), min(len(wrong), count(3))):
        assert manifest_fault(wrong[place]), place


@overlays
def test_kustomize_makes_manifests_that_kubernetes_allows(overlay: Path, copied: Path) -> None:
    """What `kubectl apply -k` sends: each manifest of the overlay, and what is generated."""
    run = kustomize(copied / overlay.relative_to(FOLDER))
    assert run.returncode == 0, run.stderr
    made = list(yaml.safe_load_all(run.stdout))
    names = {(each["kind"], each["metadata"]["name"]) for each in made}
    assert {(each["kind"], each["metadata"]["name"]) for each in manifests(overlay)} <= names
    for each in made:
        assert manifest_fault(each) == "", each["metadata"]["name"]
        if each["kind"] == "StatefulSet":
            (container,) = each["spec"]["template"]["spec"]["containers"]
            (settings,) = container["envFrom"]
            assert ("ConfigMap", settings["configMapRef"]["name"]) in names


@pytest.mark.parametrize("field", ["namespace", "resources", "labels", "images"])
def test_a_misspelt_field_of_a_kustomization_is_found(field: str, copied: Path) -> None:
    """`kubectl` refuses it."""
    folder = copied / SINGLE.relative_to(FOLDER)
    path = folder / "kustomization.yaml"
    text = path.read_text("utf-8")
    assert f"\n{field}:" in text
    path.write_text(text.replace(f"\n{field}:", f"\n{field}x:"), "utf-8")
    try:
        run = kustomize(folder)
        assert run.returncode != 0
        assert "unknown field" in run.stderr
        assert f"{field}x" in run.stderr
    finally:
        path.write_text(text, "utf-8")
