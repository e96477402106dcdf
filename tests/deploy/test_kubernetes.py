"""The manifests for Kubernetes: what they name is there, and agrees with image and program."""

from collections.abc import Iterator
from typing import Any

import yaml

from server.ops.settings import Settings
from tests.deploy.monitoring import Told
from tests.test_repository_deploy import DEPLOY, last

FOLDER = DEPLOY / "kubernetes"
KINDS = {
    "Namespace": "v1",
    "Service": "v1",
    "StatefulSet": "apps/v1",
    "PodDisruptionBudget": "policy/v1",
    "Ingress": "networking.k8s.io/v1",
}


def kustomization() -> Told:
    """The file that brings the manifests together."""
    told: Told = yaml.safe_load((FOLDER / "kustomization.yaml").read_text("utf-8"))
    return told


def manifests() -> Iterator[Told]:
    """Every manifest of the folder."""
    for name in kustomization()["resources"]:
        yield from yaml.safe_load_all((FOLDER / name).read_text("utf-8"))


def of_kind(kind: str) -> Any:  # whatever a manifest has
    """What the one manifest of this kind asks for."""
    (found,) = [each for each in manifests() if each["kind"] == kind]
    return found["spec"]


def container() -> Told:
    """The one container of the server."""
    (found,) = of_kind("StatefulSet")["template"]["spec"]["containers"]
    assert isinstance(found, dict)
    return found


def test_every_file_is_part_of_it() -> None:
    """None is left out, each is of a kind and version that clusters have, and has a name."""
    listed = {*kustomization()["resources"], "kustomization.yaml"}
    assert listed == {path.name for path in FOLDER.glob("*.yaml")}
    for each in manifests():
        assert each["apiVersion"] == KINDS[each["kind"]]
        assert each["metadata"]["name"]


def test_the_settings_are_the_servers() -> None:
    """Each line is one, with the host that the way in has."""
    (generated,) = kustomization()["configMapGenerator"]
    assert container()["envFrom"] == [{"configMapRef": {"name": generated["name"]}}]
    lines = (FOLDER / generated["envs"][0]).read_text("utf-8").split()
    values = dict(line.split("=") for line in lines)
    read = {name.removeprefix("BLACKQUEEN_").lower(): value for name, value in values.items()}
    assert read.keys() <= Settings.model_fields.keys()
    public = Settings.model_validate(read).public
    ingress = of_kind("Ingress")
    (rule,) = ingress["rules"]
    assert public is not None
    assert (public.host, public.scheme) == (rule["host"], "https")
    assert ingress["tls"][0]["hosts"] == [public.host]
    paths = {path["path"]: path["backend"]["service"] for path in rule["http"]["paths"]}
    assert paths[public.path]["name"] == "server"
    assert paths[f"{public.path}/metrics"]["name"] not in [
        each["metadata"]["name"] for each in manifests()
    ]


def test_the_pod_agrees_with_the_image() -> None:
    """User, port and volume are the image's; the rest of its file system is read only."""
    pod = of_kind("StatefulSet")["template"]["spec"]
    (port,) = container()["ports"]
    assert pod["securityContext"]["runAsUser"] == int(last("USER"))
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert port["containerPort"] == int(last("EXPOSE"))
    (service,) = of_kind("Service")["ports"]
    assert service["targetPort"] == port["name"]
    mounts = {mount["name"]: mount["mountPath"] for mount in container()["volumeMounts"]}
    (claim,) = of_kind("StatefulSet")["volumeClaimTemplates"]
    assert mounts[claim["metadata"]["name"]] == last("VOLUME")
    assert mounts.keys() == {claim["metadata"]["name"], *(each["name"] for each in pod["volumes"])}
    rights = container()["securityContext"]
    assert rights["readOnlyRootFilesystem"] is True
    assert rights["allowPrivilegeEscalation"] is False
    assert rights["capabilities"] == {"drop": ["ALL"]}
    assert [image["name"] for image in kustomization()["images"]] == [container()["image"]]


def test_the_pod_is_asked_and_stopped_as_the_server_wants() -> None:
    """Players are sent to a ready one, a dead one is restarted, and one that stops may drain.

    There is one at most, and emptying a node does not wait for ever.
    """
    told = of_kind("StatefulSet")
    probes = {name: container()[f"{name}Probe"] for name in ("startup", "readiness", "liveness")}
    asked = {name: probe["httpGet"]["path"] for name, probe in probes.items()}
    assert asked == {"startup": "/healthz", "readiness": "/readyz", "liveness": "/healthz"}
    assert told["template"]["spec"]["terminationGracePeriodSeconds"] > Settings().drain_seconds
    assert told["replicas"] == 1
    budget, (labels,) = of_kind("PodDisruptionBudget"), kustomization()["labels"]
    assert budget["maxUnavailable"] == 1
    assert budget["selector"]["matchLabels"] == labels["pairs"]
    assert labels["includeSelectors"] is True
