"""The files of `deploy/` for a cluster: they are accepted, and work with real programs."""

import asyncio
import subprocess
from collections.abc import Iterator
from pathlib import Path
from ssl import create_default_context

import pytest
import yaml
from aiomqtt import Client
from sqlalchemy import text as text_of
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError

from deploy import cluster_secrets
from server.ops.settings import Settings
from server.store.database import open_engine
from tests.deploy.monitoring import DASHBOARD, RULES, Told
from tests.deploy.test_containers import compose, meant, source
from tests.mosquitto import Mosquitto
from tests.needs import needs
from tests.postgres import running_cluster
from tests.repository import text
from tests.test_repository_deploy import DEPLOY, last, served

SECONDS = 60.0
FILE = "compose.cluster.yaml"
MOUNTED = "/run/secrets/"
CADDYFILE = DEPLOY / "cluster/Caddyfile"
NAMES = ["node-a", "node-b", "node-c"]


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of secrets, as the documented command makes it."""
    needs("openssl")
    folder = tmp_path_factory.mktemp("cluster") / "secrets"
    assert cluster_secrets.main([str(folder)]) == 0
    return folder


def mounted(service: Told) -> Iterator[tuple[str, str]]:
    """The path of each of a service's secrets, and its file in the folder of secrets."""
    files = compose(FILE)["secrets"]
    for each in service["secrets"]:
        target = each if isinstance(each, str) else each["target"]
        yield MOUNTED + target, files[source(each)]["file"].removeprefix("secrets/")


def started(name: str, secrets: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The settings of a process of the file, with its secrets in this folder."""
    service = compose(FILE)["services"][name]
    command, *words = service["command"]
    assert command == "serve"
    for variable, value in service["environment"].items():
        assert variable.removeprefix("BLACKQUEEN_").lower() in Settings.model_fields
        for path, file in mounted(service):
            value = value.replace(path, str(secrets / file))
        value = value.replace("${HOST:?the name of this machine, such as cards.example.org}", "h.x")
        monkeypatch.setenv(variable, value)
    return served([word.replace("${HOST}", "h.x") for word in words])


@pytest.mark.parametrize("name", NAMES)
def test_the_program_takes_what_the_file_says(
    name: str, secrets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program accepts flags, variables and secrets of each node, with Caddy's address."""
    settings = started(name, secrets, monkeypatch)
    own = name.removeprefix("node-")
    assert settings.node_url == f"wss://h.x/play/n/{own}/"
    assert f"@{own} path /play/n/{own} /play/n/{own}/*" in CADDYFILE.read_text("utf-8")
    assert (settings.host, settings.port) == ("0.0.0.0", int(last("EXPOSE")))
    assert str(settings.data) == last("VOLUME")
    service = compose(FILE)["services"][name]
    assert int(service["stop_grace_period"].rstrip("s")) > settings.drain_seconds
    assert settings.has_admin
    assert settings.database_url is not None
    assert "sslmode=verify-full" in settings.database_url
    files = [word.partition("=")[2] for word in settings.database_url.split("&")[1:]]
    assert all(Path(file).is_file() for file in files)
    (subnet,) = compose(FILE)["networks"]["proxied"]["ipam"]["config"]
    assert [str(each) for each in settings.trusted_proxies] == [subnet["subnet"]]


def test_administrators_reach_each_node() -> None:
    """The administrators' port of each node is published on this machine alone."""
    told = compose(FILE)
    readme = text(DEPLOY / "README.md")
    for own, name in enumerate(NAMES, start=8781):
        service = told["services"][name]
        assert service["ports"] == [f"127.0.0.1:{own}:{last('EXPOSE')}"]
        networks = [told["networks"][network] or {} for network in service["networks"]]
        assert not all(network.get("internal") for network in networks)
        assert str(own) in readme
    assert "exec node-a blackqueen admin link --data /data" in readme
    assert f"ssh -L {last('EXPOSE')}:127.0.0.1:8781 HOST" in readme


def test_cards_pass_where_nothing_leads_out() -> None:
    """The networks of broker and database are closed, and joined by the services that need them."""
    told = compose(FILE)
    for network, other in (("events", "broker"), ("storage", "database")):
        assert told["networks"][network]["internal"] is True
        inside = {name for name, each in told["services"].items() if network in each["networks"]}
        assert inside == {other, *NAMES}


def test_a_database_that_is_being_made_is_not_healthy() -> None:
    """A database that is being created is not healthy.

    The image fills an empty volume with a server that listens at its socket only.
    """
    health = compose(FILE)["services"]["database"]["healthcheck"]["test"]
    assert health[:4] == ["CMD", "pg_isready", "--host", "localhost"]


def test_nodes_come_to_the_documented_database(secrets: Path, tmp_path: Path) -> None:
    """Nodes connect to PostgreSQL with the file's options, certificate and password."""
    services = compose(FILE)["services"]
    name, *words = services["database"]["command"]
    assert name == "postgres"
    assert words[::2] == ["-c"] * (len(words) // 2)
    settings = dict(word.split("=", 1) for word in words[1::2])
    settings = {key: each.replace(MOUNTED, f"{secrets}/") for key, each in settings.items()}
    # It belongs to the user of the image, where this is root.
    own = tmp_path / "database.key"
    own.touch(0o600)
    own.write_bytes(Path(settings["ssl_key_file"]).read_bytes())
    settings["ssl_key_file"] = str(own)
    password = (secrets / "database.password").read_text("utf-8").strip()
    url = make_url(services["node-a"]["environment"]["BLACKQUEEN_DATABASE_URL"])
    words_of_url = {
        key: str(each).replace(MOUNTED, f"{secrets}/") for key, each in url.query.items()
    }
    with running_cluster(tmp_path / "cluster", **settings) as cluster:
        cluster.execute(f"CREATE DATABASE {url.database} TEMPLATE template0")
        cluster.execute(f"ALTER ROLE {url.username} PASSWORD '{password}'")
        (cluster.folder / "pg_hba.conf").write_text("hostssl all all 127.0.0.1/32 scram-sha-256\n")
        cluster.execute("SELECT pg_reload_conf()")
        health = services["database"]["healthcheck"]["test"][1:]
        asked = subprocess.run([*health, "--port", str(cluster.port)], capture_output=True)
        assert asked.returncode == 0, asked.stdout + asked.stderr
        here = url.set(host="localhost", port=cluster.port, query=words_of_url)
        # By the name that other containers have for it, at this machine.
        where = here.update_query_dict({"host": str(url.host), "hostaddr": "127.0.0.1"})
        with open_engine(where, writes=True).connect() as connection:
            asking = text_of("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
            found = connection.execute(asking)
            assert found.scalar_one() is True
        with pytest.raises(OperationalError, match="does not match host name"):
            open_engine(where.update_query_dict({"host": "elsewhere"}), writes=True).connect()


async def test_nodes_write_at_the_documented_broker_and_readers_read(
    secrets: Path, tmp_path: Path
) -> None:
    """Nodes write and readers read at Mosquitto with the file's settings, TLS and passwords."""
    conf = (DEPLOY / "cluster/mosquitto.conf").read_text("utf-8")
    lines = [line for line in meant(conf) if not line.startswith(("listener", "log_", "persist"))]
    broker = Mosquitto(
        tmp_path, *(line.replace(MOUNTED, f"{secrets}/") for line in lines), scheme="mqtts"
    )

    def client(user: str) -> Client:
        password = (secrets / f"{user}.password").read_text("utf-8").strip()
        trusted = create_default_context(cafile=str(secrets / "ca.crt"))
        return Client(
            "localhost", broker.port, username=user, password=password, tls_context=trusted
        )

    broker.start()
    try:
        async with asyncio.timeout(SECONDS), client("reader") as reader, client("nodes") as nodes:
            topic = f"{cluster_secrets.PREFIX}/server"
            await reader.subscribe("#")
            await reader.publish(topic, "by a reader", qos=1)
            await nodes.publish(topic, "by a node", qos=1)
            assert (await anext(aiter(reader.messages))).payload == b"by a node"
    finally:
        broker.end()


def test_secrets_that_are_there_stay(secrets: Path) -> None:
    """Running the command for secrets again changes none of them."""
    before = {path.name: path.read_bytes() for path in secrets.iterdir()}
    assert cluster_secrets.main([str(secrets)]) == 0
    after = {path.name: path.read_bytes() for path in secrets.iterdir()}
    assert after.keys() == before.keys()
    # The same passwords, with other salt.
    assert {name for name in before if before[name] != after[name]} == {"passwords"}
    assert all(path.stat().st_mode & 0o077 in (0, 0o044) for path in secrets.iterdir())
    assert secrets.stat().st_mode & 0o077 == 0


def test_broker_and_database_are_also_called_as_other_machines_call_them(tmp_path: Path) -> None:
    """The certificates of broker and database also have the names used by other machines."""
    needs("openssl")
    folder = tmp_path / "secrets"
    assert cluster_secrets.main([str(folder), "--database-host", "db.example"]) == 0
    show = ["openssl", "x509", "-in", str(folder / "database.crt"), "-noout"]
    for host in ("db.example", "database", "localhost"):
        run = subprocess.run([*show, "-checkhost", host], capture_output=True, text=True)
        assert "does match" in run.stdout


def test_prometheus_asks_every_node() -> None:
    """Prometheus scrapes every node by its name in the compose file."""
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
    """Grafana's data source is the service, and its dashboard and alerts those of one server."""
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
