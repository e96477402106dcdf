"""The manifests for Kubernetes: what they name is there, and agrees with image and program."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy import cluster_secrets
from server.ops.settings import ROLES, Settings
from server.process_roles import bus_options
from tests.deploy.monitoring import Told
from tests.deploy.test_containers import meant
from tests.test_repository_deploy import DEPLOY, last, served

FOLDER = DEPLOY / "kubernetes"
BASE, SINGLE, CLUSTER = FOLDER / "base", FOLDER / "overlays/single", FOLDER / "overlays/cluster"
COMPONENT = "app.kubernetes.io/component"
overlays = pytest.mark.parametrize("overlay", [SINGLE, CLUSTER], ids=["single", "cluster"])


def kustomization(folder: Path) -> Told:
    """The file that brings the manifests of a folder together."""
    told: Told = yaml.safe_load((folder / "kustomization.yaml").read_text("utf-8"))
    return told


def manifests(folder: Path) -> Iterator[Told]:
    """Every manifest of an overlay, with those of its base."""
    for name in kustomization(folder)["resources"]:
        if (folder / name).is_dir():
            yield from manifests((folder / name).resolve())
        else:
            yield from yaml.safe_load_all((folder / name).read_text("utf-8"))


def of_kind(folder: Path, kind: str, name: str = "") -> Any:  # whatever a manifest has
    """What the one manifest of this kind, and of this name if there is one, asks for."""
    (found,) = [
        each
        for each in manifests(folder)
        if each["kind"] == kind and name in ("", each["metadata"]["name"])
    ]
    return found["spec"]


def workloads() -> Iterator[tuple[Path, str, Told]]:
    """Each set of processes: its overlay, its name, and what it asks for."""
    for folder in (SINGLE, CLUSTER):
        for each in manifests(folder):
            if each["kind"] == "StatefulSet":
                yield folder, each["metadata"]["name"], each["spec"]


processes = pytest.mark.parametrize(
    ("overlay", "name", "told"),
    list(workloads()),
    ids=lambda value: value if isinstance(value, str) else "",
)


def container(told: Told) -> Told:
    """The one container of a set of processes."""
    (found,) = told["template"]["spec"]["containers"]
    assert isinstance(found, dict)
    return found


def environment() -> dict[str, str]:
    """The settings that all processes have."""
    lines = (BASE / "blackqueen.env").read_text("utf-8").split()
    return dict(line.split("=") for line in lines)


def named(variables: dict[str, str]) -> dict[str, str]:
    """Settings by the names of their fields."""
    return {name.removeprefix("BLACKQUEEN_").lower(): value for name, value in variables.items()}


@pytest.mark.parametrize("folder", [BASE, SINGLE, CLUSTER], ids=lambda folder: folder.name)
def test_every_file_is_part_of_it(folder: Path) -> None:
    """None is left out."""
    listed = {name for name in kustomization(folder)["resources"] if name.endswith(".yaml")}
    assert {*listed, "kustomization.yaml"} == {path.name for path in folder.glob("*.yaml")}


def test_the_settings_are_the_servers() -> None:
    """Each line is one, with the host that the way in has."""
    read = named(environment())
    assert read.keys() <= Settings.model_fields.keys()
    public = Settings.model_validate(read).public
    ingress = of_kind(BASE, "Ingress")
    (rule,) = ingress["rules"]
    assert public is not None
    assert (public.host, public.scheme) == (rule["host"], "https")
    assert ingress["tls"][0]["hosts"] == [public.host]
    paths = {path["path"]: path["backend"]["service"] for path in rule["http"]["paths"]}
    assert paths[public.path]["name"] == "server"
    for overlay in (SINGLE, CLUSTER):
        assert paths[f"{public.path}/metrics"]["name"] not in [
            each["metadata"]["name"] for each in manifests(overlay)
        ]


@processes
def test_the_program_takes_what_a_pod_says(
    overlay: Path, name: str, told: Told, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Flags and variables of each process; in a cluster it is on the bus under its own name."""
    (generated,) = kustomization(BASE)["configMapGenerator"]
    assert container(told)["envFrom"] == [{"configMapRef": {"name": generated["name"]}}]
    own = f"{name}-0"
    for variable, value in environment().items():
        monkeypatch.setenv(variable, value)
    for each in container(told).get("env", ()):
        assert each["name"].removeprefix("BLACKQUEEN_").lower() in Settings.model_fields
        if each["name"].endswith("_FILE"):
            # What is mounted there: see the test of secrets.
            continue
        value = each.get("value", own if each["name"] == "BLACKQUEEN_NODE" else "sqlite:///x")
        monkeypatch.setenv(each["name"], value.replace("$(BLACKQUEEN_NODE)", own))
    command, *words = container(told)["args"]
    assert command == "serve"
    settings = served(words)
    assert (settings.host, settings.port) == ("0.0.0.0", int(last("EXPOSE")))
    assert str(settings.data) == last("VOLUME")
    if overlay is SINGLE:
        assert settings.is_whole
        return
    assert settings.roles == (name,)
    options = bus_options(settings)
    assert options is not None
    assert (options.name, options.broker.user) == (f"{name}.{own}",) * 2
    assert (options.prefix, str(options.broker)) == (cluster_secrets.PREFIX, "mqtts://broker:8883")
    assert (settings.database_url is not None) is (name == "tables") is settings.has_admin


@processes
def test_the_pod_agrees_with_the_image(overlay: Path, name: str, told: Told) -> None:
    """User, port and volume are the image's; the rest of its file system is read only."""
    pod = told["template"]["spec"]
    (port,) = container(told)["ports"]
    assert pod["securityContext"]["runAsUser"] == int(last("USER"))
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert port["containerPort"] == int(last("EXPOSE"))
    (service,) = of_kind(overlay, "Service", "server")["ports"]
    assert service["targetPort"] == port["name"]
    mounts = {mount["name"]: mount["mountPath"] for mount in container(told)["volumeMounts"]}
    assert mounts["data"] == last("VOLUME")
    claims = {claim["metadata"]["name"] for claim in told.get("volumeClaimTemplates", ())}
    assert mounts.keys() == claims | {each["name"] for each in pod["volumes"]}
    rights = container(told)["securityContext"]
    assert rights["readOnlyRootFilesystem"] is True
    assert rights["allowPrivilegeEscalation"] is False
    assert rights["capabilities"] == {"drop": ["ALL"]}
    images = [image["name"] for image in kustomization(overlay)["images"]]
    image = container(told)["image"]
    assert image in images or ":" in image


@processes
def test_the_pod_is_asked_and_stopped_as_the_server_wants(
    overlay: Path, name: str, told: Told
) -> None:
    """Players are sent to a ready one, a dead one is restarted, and one that stops may drain.

    Emptying a machine does not wait for ever, and takes one process of a role at a time.
    """
    probes = {name: container(told)[f"{name}Probe"] for name in ("startup", "readiness")}
    probes["liveness"] = container(told)["livenessProbe"]
    asked = {name: probe["httpGet"]["path"] for name, probe in probes.items()}
    assert asked == {"startup": "/healthz", "readiness": "/readyz", "liveness": "/healthz"}
    pause = re.findall(r"sleep\((\d+)\)", str(container(told).get("lifecycle", "")))
    assert bool(pause) is (overlay is CLUSTER and name == "gateway")
    grace = told["template"]["spec"]["terminationGracePeriodSeconds"]
    set_here = {each["name"]: each.get("value") for each in container(told).get("env", ())}
    drain = float(set_here.get("BLACKQUEEN_DRAIN_SECONDS") or Settings().drain_seconds)
    assert grace > drain + sum(map(int, pause))
    assert told["replicas"] == (1 if overlay is SINGLE else 2)
    budget, (labels,) = (
        of_kind(overlay, "PodDisruptionBudget", name),
        kustomization(overlay)["labels"],
    )
    assert budget["maxUnavailable"] == 1
    chosen = budget["selector"]["matchLabels"]
    assert chosen == ({COMPONENT: name} if overlay is CLUSTER else labels["pairs"])
    assert labels["includeSelectors"] is True
    own = told["template"]["metadata"]["labels"]
    assert told["selector"]["matchLabels"] == own
    assert (own == of_kind(overlay, "Service", "server")["selector"]) is (
        name in ("server", "gateway")
    )


def test_each_process_sees_its_own_password_only(tmp_path: Path) -> None:
    """What the overlay lists is what the documented command makes, and the broker's file is one."""
    words = [word for role in ROLES for word in (f"--{role}", f"{role}-0,{role}-1")]
    assert cluster_secrets.main([str(tmp_path / "secrets"), *words]) == 0
    (tmp_path / "secrets/database.env").touch()
    generated = {each["name"]: each for each in kustomization(CLUSTER)["secretGenerator"]}
    for each in generated.values():
        for file in (*each.get("files", ()), *each.get("envs", ())):
            assert (tmp_path / file).is_file(), file
    for overlay, name, told in workloads():
        if overlay is SINGLE:
            continue
        assert container(told)["args"][-1] == name
        (volume,) = [each for each in told["template"]["spec"]["volumes"] if each["name"] == "bus"]
        assert volume["secret"]["secretName"] in generated
        mounts = [each for each in container(told)["volumeMounts"] if each["name"] == "bus"]
        paths = {each["mountPath"]: each.get("subPath") or each["subPathExpr"] for each in mounts}
        assert paths == {
            "/bus/ca.crt": "ca.crt",
            "/bus/password": f"{name}.$(BLACKQUEEN_NODE).password",
        }
        files = {
            each["name"]: each["value"]
            for each in container(told)["env"]
            if each["name"].endswith("_FILE")
        }
        assert set(files.values()) == paths.keys()
    for there, here in (("cluster/mosquitto.conf", CLUSTER / "mosquitto.conf"),):
        assert meant((DEPLOY / there).read_text("utf-8")) == meant(here.read_text("utf-8"))


def test_nobody_reaches_what_they_need_not() -> None:
    """Everything is refused first; only tables reach a database, and only processes the broker."""
    policies = {
        each["metadata"]["name"]: each["spec"]
        for each in manifests(CLUSTER)
        if each["kind"] == "NetworkPolicy"
    }
    assert policies["refused-otherwise"]["podSelector"] == {}
    assert policies["refused-otherwise"]["policyTypes"] == ["Ingress", "Egress"]
    assert "ingress" not in policies["refused-otherwise"]
    assert policies["to-the-database"]["podSelector"] == {"matchLabels": {COMPONENT: "tables"}}
    (allowed,) = policies["broker"]["ingress"]
    (peers,) = allowed["from"]
    (chosen,) = peers["podSelector"]["matchExpressions"]
    assert (chosen["key"], set(chosen["values"])) == (COMPONENT, set(ROLES))
    ports = [port["port"] for port in of_kind(CLUSTER, "Service", "broker")["ports"]]
    assert [port["port"] for port in allowed["ports"]] == ports
