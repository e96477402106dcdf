"""The alerts and the dashboard of `deploy/`: their queries of Prometheus."""

import json
import re
from collections.abc import Iterator
from typing import Any, TypeAlias

import yaml

from tests.repository import ROOT

RULES = ROOT / "deploy/prometheus/alerts.yaml"
CONFIG = ROOT / "deploy/prometheus/prometheus.yaml"
DASHBOARD = ROOT / "deploy/grafana/blackqueen.json"

Told: TypeAlias = dict[str, Any]  # whatever the files hold

FIGURE = re.compile(r"\b((?:blackqueen|process)_\w+|up\b)(?:\{([^}]*)\})?")


def alerts() -> list[Told]:
    """The alerts in the order of the file."""
    rules = yaml.safe_load(RULES.read_text("utf-8"))
    return [rule for group in rules["groups"] for rule in group["rules"]]


def panels() -> list[Told]:
    """The panels of the dashboard, rows among them."""
    found: list[Told] = json.loads(DASHBOARD.read_text("utf-8"))["panels"]
    return found


def queries() -> Iterator[str]:
    """Every query of both, with Grafana's variables as it would fill them in."""
    yield from (alert["expr"] for alert in alerts())
    for panel in panels():
        for target in panel.get("targets", ()):
            yield target["expr"].replace("$__rate_interval", "1m").replace("$instance", ".*")


def figures_of(query: str) -> Iterator[tuple[str, set[str]]]:
    """Each figure in a query, with the labels that select its series."""
    for name, chosen in FIGURE.findall(query):
        yield name, set(re.findall(r"(\w+)\s*(?:=|!=|=~|!~)\s*\"", chosen))


def grouped_by(query: str) -> set[str]:
    """The labels by which a query groups."""
    listed = re.findall(r"\bby \(([^)]*)\)", query)
    return {label.strip() for labels in listed for label in labels.split(",")}
