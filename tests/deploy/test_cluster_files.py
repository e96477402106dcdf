"""The files of `deploy/` for a cluster: what they start is accepted, and works at real programs."""

import asyncio
import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import yaml

from deploy import cluster_secrets
from server.bus.mqtt import MqttCourier
from server.bus.mqtt_connection import TOPIC_BYTES, Limits
from server.bus.over_courier import presence
from server.ops.settings import Settings
from server.process_roles import BusOptions, bus_options
from tests.deploy.monitoring import DASHBOARD, RULES, Told
from tests.deploy.test_containers import compose, meant, source
from tests.mosquitto import Mosquitto
from tests.needs import needs
from tests.repository import ROOT, text
from tests.test_repository_deploy import DEPLOY, last, served

SECONDS = 60.0
FILE = "compose.cluster.yaml"
MOUNTED = "/run/secrets/"
NAMES = [name for names in cluster_secrets.MEMBERS.values() for name in names]


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of secrets, as the documented command makes it."""
    needs("openssl")
    folder = tmp_path_factory.mktemp("cluster") / "secrets"
    assert cluster_secrets.main([str(folder)]) == 0
    return folder


def mounted(service: Told) -> Iterator[tuple[str, str]]:
    """Where a service finds each of its secrets, and the file of it in the folder of secrets."""
    files = compose(FILE)["secrets"]
    for each in service["secrets"]:
        target = each if isinstance(each, str) else each["target"]
        yield MOUNTED + target, files[source(each)]["file"].removeprefix("secrets/")


def started(name: str, secrets: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The settings with which a process of the file runs, its secrets in this folder."""
    service = compose(FILE)["services"][name]
    command, *words = service["command"]
    assert command == "serve"
    for variable, value in service["environment"].items():
        assert variable.removeprefix("BLACKQUEEN_").lower() in Settings.model_fields
        for path, file in mounted(service):
            value = value.replace(path, str(secrets / file))
        value = value.replace("${HOST:?the name of this machine, such as cards.example.org}", "h.x")
        monkeypatch.setenv(variable, value)
    return served(words)


def reaches(name: str, secrets: Path, monkeypatch: pytest.MonkeyPatch) -> BusOptions:
    """How a process of the file reaches the broker."""
    with monkeypatch.context() as patch:
        options = bus_options(started(name, secrets, patch))
    assert options is not None
    return options


@pytest.mark.parametrize("name", NAMES)
def test_the_program_takes_what_the_file_says(
    name: str, secrets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Flags, variables and secrets of each process; it is called what the file calls it."""
    settings = started(name, secrets, monkeypatch)
    (role,) = settings.roles
    assert settings.node == name
    assert name.startswith(role)
    assert (settings.host, settings.port) == ("0.0.0.0", int(last("EXPOSE")))
    assert str(settings.data) == last("VOLUME")
    options = bus_options(settings)
    assert options is not None
    assert (options.name, options.broker.user) == (f"{role}.{name}",) * 2
    assert (options.prefix, options.broker.host) == (cluster_secrets.PREFIX, "broker")
    assert options.broker.tls
    service = compose(FILE)["services"][name]
    assert ("storage" in service["networks"]) is (role == "tables")
    assert (settings.database_url is not None) is (role == "tables")
    assert int(service["stop_grace_period"].rstrip("s")) > settings.drain_seconds
    if role == "tables":
        assert settings.has_admin
        assert settings.database_url is not None
        assert "sslmode=verify-full" in settings.database_url
        files = [word.partition("=")[2] for word in settings.database_url.split("&")[1:]]
        assert all(Path(file).is_file() for file in files)
    if role == "gateway":
        (subnet,) = compose(FILE)["networks"]["proxied"]["ipam"]["config"]
        assert [str(each) for each in settings.trusted_proxies] == [subnet["subnet"]]


def test_administrators_reach_each_process_with_tables() -> None:
    """On this machine alone, at a port that is documented; a closed network would publish none."""
    told = compose(FILE)
    readme, guide = text(DEPLOY / "README.md"), text(ROOT / "docs/hosting.md")
    for name in cluster_secrets.MEMBERS["tables"]:
        service, own = told["services"][name], 8780 + int(name.removeprefix("tables-"))
        assert service["ports"] == [f"127.0.0.1:{own}:{last('EXPOSE')}"]
        networks = [told["networks"][network] or {} for network in service["networks"]]
        assert not all(network.get("internal") for network in networks)
        assert str(own) in readme
    assert "exec tables-1 blackqueen admin link --data /data" in readme
    assert f"ssh -L {last('EXPOSE')}:127.0.0.1:8781 HOST" in guide


def test_cards_pass_where_nothing_leads_out() -> None:
    """The networks of broker and database are for those that need them, and closed."""
    told = compose(FILE)
    for network, others in (("bus", {"broker", *NAMES}), ("storage", {"database"})):
        assert told["networks"][network]["internal"] is True
        inside = {name for name, each in told["services"].items() if network in each["networks"]}
        if network == "storage":
            inside -= {"tables-1", "tables-2"}
        assert inside == others


def test_a_database_that_is_being_made_is_not_healthy() -> None:
    """Tables wait for the server that they reach by the network.

    The image fills an empty volume with a server that listens at its socket only.
    """
    health = compose(FILE)["services"]["database"]["healthcheck"]["test"]
    assert health[:4] == ["CMD", "pg_isready", "--host", "localhost"]


async def test_every_process_comes_in_at_the_documented_broker(
    secrets: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over TLS, with its own password; Mosquitto takes each line of the file."""
    text = (DEPLOY / "cluster/mosquitto.conf").read_text("utf-8")
    lines = [line for line in meant(text) if not line.startswith(("listener", "log_", "persist"))]
    assert f"max_packet_size {Limits().payload + TOPIC_BYTES}" in lines
    broker = Mosquitto(
        tmp_path, *(line.replace(MOUNTED, f"{secrets}/") for line in lines), scheme="mqtts"
    )
    broker.start()
    try:
        async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as tasks:
            runs = []
            for name in NAMES:
                told = reaches(name, secrets, monkeypatch)
                address = replace(told.broker, host="localhost", port=broker.port)
                here = presence(told.prefix, told.name, 1)
                courier = MqttCourier(address, f"blackqueen-{told.name}", Random(name), here)
                runs.append((courier, tasks.create_task(courier.run())))
            while not all(courier.connected for courier, _ in runs):  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.01)
            for _, run in runs:
                run.cancel()
    finally:
        broker.end()


def test_secrets_that_are_there_stay(secrets: Path) -> None:
    """Who runs the command again with one more process changes no password of the others."""
    before = {path.name: path.read_bytes() for path in secrets.iterdir()}
    assert cluster_secrets.main([str(secrets), "--gateway", "gateway-1,gateway-2,gateway-3"]) == 0
    after = {path.name: path.read_bytes() for path in secrets.iterdir()}
    assert after.keys() - before.keys() == {"gateway.gateway-3.password"}
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"acl", "passwords"}
    assert b"user gateway.gateway-3\n" in after["acl"]
    assert all(path.stat().st_mode & 0o077 in (0, 0o044) for path in secrets.iterdir())
    assert secrets.stat().st_mode & 0o077 == 0


def test_two_machines_get_the_secrets_of_their_processes_alone(tmp_path: Path) -> None:
    """The documented command makes what the documented processes need, and nothing for others."""
    needs("openssl")
    section = (
        text(ROOT / "docs/hosting.md").partition("### Two machines\n")[2].partition("\n## ")[0]
    )
    ((made,), (started,)) = (
        re.findall(rf"^.*{program} (.*)$", section, re.MULTILINE)
        for program in ("cluster_secrets.py", "blackqueen serve")
    )
    folder, *words = shlex.split(made)
    assert cluster_secrets.main([str(tmp_path / folder), *words]) == 0
    options = bus_options(served(shlex.split(started.replace(" F ", f" {DEPLOY / 'README.md'} "))))
    assert options is not None
    found = {path.name for path in (tmp_path / folder).glob("*.password")}
    assert found == {
        *("database.password", "grafana.password"),
        *(f"{options.name.replace('n1', node)}.password" for node in ("n1", "n2")),
    }
    assert (tmp_path / folder / "acl").read_text("utf-8").count("user ") == 2
    show = ["openssl", "x509", "-in", str(tmp_path / folder / "broker.crt"), "-noout"]
    for host in (options.broker.host, "broker", "localhost"):
        run = subprocess.run([*show, "-checkhost", host], capture_output=True, text=True)
        assert "does match" in run.stdout


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (
            ("gateway=g1", "--tables", "t1"),
            "all processes by their roles, or some of them by flags",
        ),
        (("other", "gateway=g1"), "second folder"),
    ],
)
def test_what_cannot_be_meant_makes_no_secrets(
    words: tuple[str, ...], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names by roles and by flags, or two folders."""
    with pytest.raises(SystemExit):
        cluster_secrets.main([str(tmp_path / "secrets"), *words])
    assert why in capsys.readouterr().err
    assert not (tmp_path / "secrets").exists()


def test_processes_named_twice_by_the_same_roles_are_all_there(tmp_path: Path) -> None:
    """`gateway=g1 gateway=g2` is `gateway=g1,g2`."""
    needs("openssl")
    assert cluster_secrets.main(["tables=t1", "gateway=g1", str(tmp_path), "gateway=g2"]) == 0
    assert all((tmp_path / f"gateway.{name}.password").is_file() for name in ("g1", "g2"))


def test_prometheus_asks_every_process() -> None:
    """By the names that the compose file has; `promtool` takes the configuration."""
    needs("promtool")
    path = DEPLOY / "cluster/prometheus.yaml"
    (job,) = yaml.safe_load(path.read_text("utf-8"))["scrape_configs"]
    assert job["job_name"] == "blackqueen"
    (static,) = job["static_configs"]
    assert static["targets"] == [f"{name}:{last('EXPOSE')}" for name in NAMES]
    services = compose(FILE)["services"]
    assert all("watched" in services[each]["networks"] for each in (*NAMES, "prometheus"))
    words = ["promtool", "check", "config", "--syntax-only"]
    run = subprocess.run([*words, path], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_grafana_finds_prometheus_and_the_dashboard() -> None:
    """Its data source is the service, its dashboard and the alerts those of a single server."""
    told = compose(FILE)
    folder = DEPLOY / "cluster/grafana"
    (datasource,) = yaml.safe_load((folder / "datasource.yaml").read_text("utf-8"))["datasources"]
    assert datasource["url"] == "http://prometheus:9090"
    assert datasource["type"] == "prometheus"
    (provider,) = yaml.safe_load((folder / "dashboards.yaml").read_text("utf-8"))["providers"]
    configs = told["services"]["grafana"]["configs"]
    targets = {config["source"]: config["target"] for config in configs}
    assert Path(targets["dashboard"]).parent == Path(provider["options"]["path"])
    assert (DEPLOY / told["configs"]["dashboard"]["file"]).samefile(DASHBOARD)
    assert (DEPLOY / told["configs"]["alerts"]["file"]).samefile(RULES)
