"""The image and the compose files of `deploy/`, checked without a container engine.

Everything that they refer to exists; `test_schemas.py` checks them against the specification.
"""

import re

import pytest
import yaml

from deploy.cluster_secrets import USERS
from server.ops.settings import Settings
from tests.deploy.monitoring import Told
from tests.repository import ROOT
from tests.test_repository_deploy import DEPLOY, instructions, last

FILES = ("compose.yaml", "compose.cluster.yaml")
each_file = pytest.mark.parametrize("file", FILES)


def compose(file: str = "compose.yaml") -> Told:
    """A compose file, with what its services share filled in."""
    told: Told = yaml.safe_load((DEPLOY / file).read_text("utf-8"))
    return told


def source(named: str | Told) -> str:
    """The name of a secret or a config of the file in a service."""
    return named if isinstance(named, str) else str(named["source"])


@each_file
def test_what_a_service_names_is_there(file: str) -> None:
    """Everything that a service names exists: volumes, networks, files, services, image paths.

    Everything defined is used.
    """
    told = compose(file)
    used: dict[str, set[str]] = {"volumes": set(), "networks": set()}
    used |= {"configs": set(), "secrets": set()}
    images = [service.get("image") for service in told["services"].values() if "build" in service]
    for service in told["services"].values():
        used["volumes"] |= {each.partition(":")[0] for each in service.get("volumes", ())}
        used["networks"] |= set(service["networks"])
        for kind in ("configs", "secrets"):
            used[kind] |= {source(each) for each in service.get(kind, ())}
        assert service.get("depends_on", {}).keys() <= told["services"].keys()
        if "build" in service:
            context = (DEPLOY / service["build"]["context"]).resolve()
            assert context == ROOT
            assert (context / service["build"]["dockerfile"]).is_file()
        elif "/" not in service["image"] and ":" not in service["image"]:
            assert service["image"] in images
    for kind, names in used.items():
        assert names == told.get(kind, {}).keys(), kind
    for config in told["configs"].values():
        assert (DEPLOY / config["file"]).is_file()


@each_file
def test_what_a_read_only_container_is_given_is_a_file(file: str) -> None:
    """A read-only container gets only files, which Compose mounts, and no inline texts.

    https://github.com/docker/compose/issues/12031
    """
    told = compose(file)
    for service in told["services"].values():
        assert service["read_only"] is True
        for kind in ("configs", "secrets"):
            for each in service.get(kind, ()):
                assert told[kind][source(each)].keys() == {"file"}


@each_file
def test_every_documented_command_knows_the_host(file: str) -> None:
    """Every documented command has a value for the host, without which Compose refuses any.

    It reads `.env` beside the file, which belongs to one machine only.
    """
    text = (DEPLOY / file).read_text("utf-8")
    assert set(re.findall(r"\$\{(\w+)", text)) == {"HOST"}
    ignored = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    assert "/deploy/.env" in ignored
    for documented in (text, (DEPLOY / "README.md").read_text("utf-8")):
        written, _, commands = documented.partition("echo HOST=cards.example.org > deploy/.env\n")
        assert "docker compose -f" not in written
        assert f"docker compose -f deploy/{file} up" in commands
        assert not re.search(r"HOST=\S+ .*docker compose", documented)


@each_file
def test_no_service_can_do_more_than_it_needs(file: str) -> None:
    """No service has rights it does not need, or writes outside its volumes."""
    for service in compose(file)["services"].values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert set(service.get("cap_add", ())) <= {"NET_BIND_SERVICE"}
        assert service["security_opt"] == ["no-new-privileges:true"]
        # Only what is behind TLS is reached from outside.
        public = [port for port in service.get("ports", ()) if not port.startswith("127.0.0.1:")]
        assert set(public) <= {"80:80", "443:443", "443:443/udp"}


def test_the_server_knows_its_settings_and_its_proxy() -> None:
    """Each variable of the server is a setting, and its data, proxy and stop time are right."""
    server = compose()["services"]["server"]
    names = {name.removeprefix("BLACKQUEEN_").lower() for name in server["environment"]}
    assert names <= Settings.model_fields.keys()
    (subnet,) = compose()["networks"]["proxied"]["ipam"]["config"]
    assert server["environment"]["BLACKQUEEN_TRUSTED_PROXIES"] == subnet["subnet"]
    assert f":{last('VOLUME')}" in server["volumes"][0]
    assert int(server["stop_grace_period"].rstrip("s")) > Settings().drain_seconds


def meant(caddyfile: str) -> list[str]:
    """The lines of a Caddyfile without comments and blanks."""
    lines = (line.strip() for line in caddyfile.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def test_caddy_is_told_what_the_documented_file_tells_it() -> None:
    """The Caddyfile of the image equals the documented one, and gets the host's name."""
    told = compose()
    ours = (DEPLOY / told["configs"]["caddy"]["file"]).read_text("utf-8")
    assert told["services"]["caddy"]["environment"] == {"HOST": "${HOST}"}
    ours = ours.replace("{$HOST}", "cards.example.org").replace("server:8765", "127.0.0.1:8765")
    assert meant(ours) == meant((DEPLOY / "Caddyfile").read_text("utf-8"))


def test_the_image_is_built_as_one_should() -> None:
    """The image has stages from named versions, no package cache, no ADD and no shell form.

    What is copied from another stage has a name there, and nothing is done as root at the end.
    """
    told = instructions()
    stages = [rest.split() for name, rest in told if name == "FROM"]
    assert all(re.fullmatch(r"[a-z]+:\d[\w.-]*@sha256:[0-9a-f]{64}", words[0]) for words in stages)
    named = {words[2] for words in stages if len(words) == 3}
    assert len(stages) > 1
    for name, rest in told:
        assert name in {
            *("FROM", "ENV", "RUN", "WORKDIR", "COPY", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL"),
            *("HEALTHCHECK", "ENTRYPOINT", "CMD", "LABEL"),
        }
        if (source := re.match(r"--from=(\S+)", rest)) is not None:
            assert source[1] in named
        if name == "WORKDIR":
            assert rest.startswith("/")
        if name == "RUN":
            assert not re.search(r"\bsudo\b|\bapt(?:-get)? (?!.*rm -rf)|curl|wget|:latest", rest)
        if name in ("ENTRYPOINT", "CMD"):
            assert rest.startswith("[")
    assert any(name == "ENV" and "PIP_NO_CACHE_DIR=1" in rest for name, rest in told)
    ends = [name for name, _ in told]
    assert "RUN" not in ends[len(ends) - ends[::-1].index("USER") :]


def test_the_user_of_the_image_has_a_group_of_the_same_number() -> None:
    """The image's user has a group of its number, as `cluster_secrets.py` requires."""
    (made,) = [rest for name, rest in instructions() if name == "RUN" and "useradd" in rest]
    numbers = re.findall(r"--[ug]id (\d+)", made)
    assert numbers == [last("USER")] * 3
    assert last("USER") == str(USERS["node"])
