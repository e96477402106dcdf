"""The alerts of `deploy/`: each fires when it should, is quiet otherwise, and is explained."""

import json
import re
import subprocess
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pytest
import yaml

from server.ops.settings import Settings
from tests.deploy.monitoring import RULES, Told, alerts, panels
from tests.needs import needs
from tests.repository import ROOT, anchors, text


class Case(NamedTuple):
    """A server's series, one value a minute, with which an alert fires after `minutes`.

    With the `calm` ones it does not. `labels` are those of the alert besides the server's own.
    """

    fires: dict[str, str]
    calm: dict[str, str]
    minutes: int
    labels: Mapping[str, str] = MappingProxyType({})


def histogram(name: str, seconds: tuple[str, str], label: str = "") -> dict[str, str]:
    """Ten observations a minute: eight up to the first bound, two more up to the second."""
    few, many = seconds
    by = f"{label}," if label else ""
    return {
        f'{name}_bucket{{{by}le="{few}"}}': "0+8x60",
        f'{name}_bucket{{{by}le="{many}"}}': "0+10x60",
        f'{name}_bucket{{{by}le="+Inf"}}': "0+10x60",
    }


COMMITS, LAGS = "blackqueen_commit_seconds", "blackqueen_loop_lag_seconds"
MOVES, ACT = "blackqueen_command_seconds", 'type="act"'
LOG, SLOW = 'type="log"', ("0.5", "1.0")
COMMANDS = "blackqueen_commands_total"
MISTAKES = COMMANDS + '{type="act",result="internal"}'
NO_ROOM = COMMANDS + '{type="create_table",result="too_many_tables"}'

CASES = {
    "BlackqueenDown": Case({"up": "1 0x5"}, {"up": "1 0 1x5"}, 4),
    "BlackqueenNotReady": Case({"blackqueen_ready": "0x5"}, {"blackqueen_ready": "1x5"}, 3),
    "BlackqueenRestarting": Case(
        {"process_start_time_seconds": "10 20 30 40x10"},
        {"process_start_time_seconds": "10 20x12"},
        6,
    ),
    "BlackqueenCommitsFailing": Case(
        {"blackqueen_failed_writes_total": "0x5 1x5"}, {"blackqueen_failed_writes_total": "7x10"}, 7
    ),
    "BlackqueenCommitsSlow": Case(
        histogram(COMMITS, ("0.128", "0.512")), histogram(COMMITS, ("0.008", "0.064")), 20
    ),
    "BlackqueenDiskNearlyFull": Case(
        {"blackqueen_disk_bytes": "1000x60", "blackqueen_disk_free_bytes": "99x60"},
        {"blackqueen_disk_bytes": "1000x60", "blackqueen_disk_free_bytes": "500x60"},
        20,
    ),
    "BlackqueenLoopLate": Case(
        histogram(LAGS, ("0.05", "0.1")), histogram(LAGS, ("0.001", "0.005")), 20
    ),
    "BlackqueenMovesSlow": Case(
        histogram(MOVES, ("0.5", "1.0"), ACT), histogram(MOVES, ("0.005", "0.1"), ACT), 20
    ),
    "BlackqueenClientsWait": Case(
        histogram(MOVES, ("0.5", "1.0"), 'type="hello"'),
        {**histogram(MOVES, ("0.005", "0.1"), 'type="hello"'), **histogram(MOVES, SLOW, LOG)},
        20,
    ),
    "BlackqueenServerMistakes": Case({MISTAKES: "_x20 1x10"}, {MISTAKES: "3x40"}, 22),
    "BlackqueenBotsFallBack": Case(
        {
            "blackqueen_late_bots_total": "0+3x60",
            'blackqueen_bot_choices_total{game="hearts"}': "0+50x60",
            'blackqueen_bot_choices_total{game="whist"}': "0+50x60",
        },
        {
            "blackqueen_late_bots_total": "0+1x60",
            'blackqueen_bot_choices_total{game="hearts"}': "0+100x60",
        },
        30,
    ),
    "BlackqueenBotsNotReady": Case(
        {"blackqueen_bots_ready": "4x10 2x40"}, {"blackqueen_bots_ready": "0x3 2 4x50"}, 30
    ),
    "BlackqueenFull": Case(
        {
            "blackqueen_connections": "20x20",
            "blackqueen_connections_limit": "100x20",
            'blackqueen_tables{phase="lobby"}': "60x20",
            'blackqueen_tables{phase="playing"}': "39x20",
            "blackqueen_tables_limit": "100x20",
        },
        {
            "blackqueen_connections": "97x20",
            "blackqueen_connections_limit": "100x20",
            'blackqueen_tables{phase="lobby"}': "60x20",
            'blackqueen_tables{phase="playing"}': "30x20",
            "blackqueen_tables_limit": "100x20",
        },
        10,
    ),
    "BlackqueenConnectionsNearlyFull": Case(
        {"blackqueen_connections": "95x20", "blackqueen_connections_limit": "100x20"},
        {"blackqueen_connections": "80x20", "blackqueen_connections_limit": "100x20"},
        10,
    ),
    "BlackqueenConnectionsRefused": Case(
        {"blackqueen_connections_refused_total": "0+4x20"},
        {"blackqueen_connections_refused_total": "0x10 5x10"},
        15,
    ),
    "BlackqueenTablesRefused": Case({NO_ROOM: "0+4x20"}, {NO_ROOM: "0x10 5x10"}, 15),
    "BlackqueenClientsCut": Case(
        {'blackqueen_connections_cut_total{reason="bytes"}': "0+40x20"},
        {
            'blackqueen_connections_cut_total{reason="bytes"}': "0+8x20",
            'blackqueen_connections_cut_total{reason="pages"}': "0+8x20",
        },
        15,
        {"reason": "bytes"},
    ),
    "BlackqueenSlowReaders": Case(
        {
            'blackqueen_slow_clients_total{outcome="snapshot"}': "0+1x40",
            'blackqueen_slow_clients_total{outcome="dropped"}': "0+1x40",
            "blackqueen_connections": "100x40",
        },
        {
            'blackqueen_slow_clients_total{outcome="snapshot"}': "0+1x40",
            "blackqueen_connections": "200x40",
        },
        30,
    ),
    "BlackqueenFilesNearlyUsedUp": Case(
        {"process_open_fds": "900x20", "process_max_fds": "1024x20"},
        {"process_open_fds": "90x20", "process_max_fds": "1024x20"},
        10,
    ),
    "BlackqueenEventsBrokerLost": Case(
        {"blackqueen_public_events_connected": "1 0x20"},
        {"blackqueen_public_events_connected": "1x5 0 0 1x20"},
        10,
    ),
    "BlackqueenEventsDropped": Case(
        {"blackqueen_public_events_dropped_total": "0x5 3x5"},
        {"blackqueen_public_events_dropped_total": "3x10"},
        7,
    ),
    "BlackqueenLeaseLost": Case(
        {"blackqueen_node_lease_sure": "1 0x5"}, {"blackqueen_node_lease_sure": "1 0 1x5"}, 4
    ),
    "BlackqueenLeaseLate": Case(
        {"blackqueen_node_lease_seconds": "2 1.2x20"},
        {"blackqueen_node_lease_seconds": "2 1.8 2.2x20"},
        15,
    ),
    "BlackqueenNodeDrained": Case(
        {"blackqueen_node_drained": "0 1x70"}, {"blackqueen_node_drained": "0 1x50 0x20"}, 65
    ),
}
OWN = 'instance="cards:8765",job="blackqueen"'


def series(values: dict[str, str]) -> list[Told]:
    """The series of a server, in the form for promtool."""
    named = ((name.partition("{"), told) for name, told in values.items())
    return [
        {"series": f"{name}{{{OWN}{',' if rest else ''}{rest or '}'}", "values": told}
        for (name, _, rest), told in named
    ]


def keeps_job(alert: Told) -> bool:
    """Whether the alert keeps the label `job` of its figures: sums and quantiles drop it."""
    return "by (" not in alert["expr"]


def fired(alert: Told, case: Case) -> Told:
    """The alert as it fires."""
    own = {"instance": "cards:8765", **({"job": "blackqueen"} if keeps_job(alert) else {})}
    labels = {**own, **case.labels}

    def filled(words: str) -> str:
        return re.sub(r"\{\{ \$labels\.(\w+) \}\}", lambda found: labels[found[1]], words)

    annotations = {name: filled(words) for name, words in alert["annotations"].items()}
    return {"exp_labels": {**alert["labels"], **labels}, "exp_annotations": annotations}


def test_each_alert_fires_when_it_should(tmp_path: Path) -> None:
    """`promtool test rules` passes: each alert fires for its series, and not for calm ones."""
    needs("promtool")
    by_name = {alert["alert"]: alert for alert in alerts()}
    assert by_name.keys() == CASES.keys()
    tests = [
        {
            "name": f"{name}, {'firing' if expected else 'calm'}",
            "interval": "1m",
            "input_series": series(values),
            "alert_rule_test": [
                {"eval_time": f"{case.minutes}m", "alertname": name, "exp_alerts": expected}
            ],
        }
        for name, case in CASES.items()
        for values, expected in ((case.fires, [fired(by_name[name], case)]), (case.calm, []))
    ]
    written = tmp_path / "tests.yaml"
    # JSON is YAML.
    written.write_text(json.dumps({"rule_files": [str(RULES)], "tests": tests}), "utf-8")
    run = subprocess.run(["promtool", "test", "rules", written], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_each_alert_has_a_section_that_says_what_to_do() -> None:
    """Each alert's `runbook` leads to a section of its own."""
    books = [alert["annotations"]["runbook"] for alert in alerts()]
    assert len(set(books)) == len(books)
    for book in books:
        page, _, anchor = book.partition("#")
        assert anchors(ROOT / page)[anchor] == 1, book


@pytest.mark.parametrize("alert", alerts(), ids=lambda alert: str(alert["alert"]))
def test_an_alert_says_how_bad_it_is(alert: Told) -> None:
    """Each alert has a severity, and only critical ones wake somebody up."""
    assert alert["labels"]["severity"] in ("critical", "warning")
    section = alert["annotations"]["runbook"].partition("#")[2]
    page = text(ROOT / "docs/troubleshooting.md")
    named = [part for part in page.split("\n## ")[1:] if f"`{alert['alert']}`" in part]
    headings = [re.sub(r"[^\w\- ]", "", part.split("\n")[0].lower()) for part in named]
    assert section in [heading.replace(" ", "-") for heading in headings]


def test_the_page_names_what_exists() -> None:
    """Each log event, figure and flag of the page exists in the server."""
    page = text(ROOT / "docs/troubleshooting.md")
    sources = "".join(map(text, (ROOT / "server").rglob("*.py")))
    for name in re.findall(r"`([a-z]+(?:_[a-z]+)+)`", page):
        assert f'"{name.removeprefix("blackqueen_").removesuffix("_total")}"' in sources, name
    flags = {f"--{name.replace('_', '-')}" for name in Settings.model_fields}
    ours = set(re.findall(r"`(--[a-z-]+)", page))
    assert ours <= flags


def test_the_panels_lie_side_by_side() -> None:
    """The panels of the dashboard do not overlap, fit the page, and have unique numbers."""
    places = [(panel["id"], panel["gridPos"]) for panel in panels()]
    assert len({number for number, _ in places}) == len(places)
    for _, at in places:
        assert at["x"] + at["w"] <= 24
    for (_, one), (_, other) in combinations(places, 2):
        beside = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
        apart = one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]
        assert beside or apart


def test_prometheus_takes_the_rules() -> None:
    """The rules are the file that Prometheus's configuration names, and are valid."""
    config = yaml.safe_load((RULES.parent / "prometheus.yaml").read_text("utf-8"))
    assert config["rule_files"] == [RULES.name]
    assert [job["job_name"] for job in config["scrape_configs"]] == ["blackqueen"]
