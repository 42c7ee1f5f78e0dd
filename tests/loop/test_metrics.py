"""Every figure and label that the board and the alert rules ask for is served by an installation that runs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import requests
import yaml
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from tests.loop.installations import ROOT, Installation, free_port, until

pytestmark = pytest.mark.processes
TOKEN = "a token of tests"
FOLDER = ROOT / "deploy" / "monitoring"
# Prometheus' own.
FOREIGN = {"up"}
NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
MATCHER = re.compile(rf'({NAME})\s*(=~|!~|!=|=)\s*"([^"]*)"')
GROUPING = re.compile(r"\b(?:by|without)\s*\(([^)]*)\)")
SELECTOR = re.compile(rf"({NAME})\s*(\{{[^}}]*\}})?")
# What a name before a bracket is in these queries, where it is no figure.
FUNCTIONS = {"histogram_quantile", "increase", "max", "rate", "sum", "by"}
# Labels whose values are fixed, and are there before there is work.
FIXED = {"cost_class", "kind", "process", "route", "job"}


def queries() -> list[tuple[str, str]]:
    """Each query of the board and of the rules, with the words beside it."""
    board = json.loads((FOLDER / "board.json").read_text())
    rows = []
    for panel in board["panels"]:
        for target in panel["targets"]:
            rows.append((target["expr"], target["legendFormat"]))
    rules = yaml.safe_load((FOLDER / "alerts.yml").read_text())
    for group in rules["groups"]:
        for rule in group["rules"]:
            assert set(rule) <= {"alert", "expr", "for", "labels", "annotations"}
            rows.append((rule["expr"], rule["annotations"]["summary"]))
    return rows


def selectors(query: str) -> Iterator[tuple[str, str]]:
    """Each figure of a query with its matchers."""
    without_groups = GROUPING.sub(" ", query)
    texts = re.sub(r'"[^"]*"', '""', without_groups)
    names = {name for name, _ in SELECTOR.findall(texts)}
    for name, matchers in SELECTOR.findall(without_groups):
        if name in names - FUNCTIONS and (
            name in FOREIGN or name.startswith("compliance_")
        ):
            yield name, matchers


def test_the_queries_are_read_whole():
    """A figure that the reader of queries overlooked would not be looked for."""
    for query, _ in queries():
        bare = re.sub(r'"[^"]*"|\[[^\]]*\]', " ", GROUPING.sub(" ", query))
        words = set(re.findall(NAME, bare))
        labels = {name for name, _, _ in MATCHER.findall(query)}
        figures = {name for name, _ in selectors(query)}
        assert figures, query
        assert words <= figures | labels | FUNCTIONS, query


@pytest.fixture(scope="module")
def running(prepared, tmp_path_factory) -> Iterator[Installation]:
    folder = tmp_path_factory.mktemp("metrics") / "var"
    result = Installation.copy_of(prepared, folder, METRICS_TOKEN=TOKEN)
    result.run_few_checks()
    try:
        result.start()
        until(result.all_cases_end, seconds=120)
        yield result
    finally:
        result.stop()


def families(url: str) -> dict[str, Metric]:
    answer = requests.get(
        f"{url}/metrics", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=10
    )
    answer.raise_for_status()
    return {
        family.name: family for family in text_string_to_metric_families(answer.text)
    }


def values(url: str) -> dict[str, dict[str, set[str]]]:
    """Of each sample by its name, the values of each label."""
    data: dict[str, dict[str, set[str]]] = {}
    for family in families(url).values():
        for sample in family.samples:
            labels = data.setdefault(sample.name, {})
            for label, value in sample.labels.items():
                labels.setdefault(label, set()).add(value)
    return data


def use(installation: Installation) -> None:
    """Sign in and look at a case."""
    people = json.loads((installation.folder / "demo.json").read_text())["users"]
    person = people[0]
    browser = requests.Session()
    page = browser.get(f"{installation.url}/login/", timeout=10).text
    token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[0]
    form = {
        "login": person["username"],
        "password": person["password"],
        "csrfmiddlewaretoken": token,
    }
    answer = browser.post(f"{installation.url}/login/", form, timeout=10)
    assert answer.ok
    [(case,)] = installation.rows("SELECT MAX(id) FROM reviews_case")
    assert browser.get(f"{installation.url}/cases/{case}/", timeout=10).ok


def test_each_query_asks_for_what_is_served(running):
    use(running)

    def is_counted() -> dict[str, Any] | None:
        served = values(running.url)
        names = {"compliance_check_seconds_sum", "compliance_webhooks_total"}
        return served if names <= served.keys() else None

    served = until(is_counted)
    names = families(running.url).keys()
    for query, words in queries():
        labels = labels_of(query, words)
        for name, matchers in selectors(query):
            # Only with a broker.
            if name == "compliance_sweep_age_seconds":
                assert name in names
            elif name not in FOREIGN:
                assert labels <= served[name].keys(), query
                assert_known(matchers, served[name], query)


def labels_of(query: str, words: str) -> set[str]:
    """Those that the result has, and that the words beside the query show."""
    labels = set(re.findall(r"\{\{(?:\s*\$labels\.)?(\w+)\s*\}\}", words))
    for group in GROUPING.findall(query):
        labels |= set(filter(None, group.replace(" ", "").split(",")))
    return labels


def assert_known(matchers: str, served: dict[str, set[str]], query: str) -> None:
    for label, operator, text in MATCHER.findall(matchers):
        assert label in served, query
        if label in FIXED and "." not in text and operator != "!~":
            assert set(text.split("|")) <= served[label], query


def test_no_label_names_a_person_or_a_case(running):
    people = json.loads((running.folder / "demo.json").read_text())["users"]
    names = {person["username"] for person in people}
    references = {row for (row,) in running.rows("SELECT reference FROM reviews_case")}
    for name, labels in values(running.url).items():
        for result in labels.values():
            assert not result & (names | references), name
            assert not [text for text in result if text.isdigit() and len(text) > 3]


def test_each_process_serves_the_figures_of_all(running):
    """Two web processes beside the first, as a distributed installation has them."""
    port = free_port()
    running.run(
        *("-m", "granian", "--interface", "wsgi", "--no-ws", "--port", str(port)),
        *("--workers", "2", "compliance.wsgi:application"),
    )
    other = f"http://127.0.0.1:{port}"
    until(lambda: requests.get(f"{other}/setup/", timeout=5).status_code)
    for _ in range(40):
        requests.get(f"{other}/csp-reports/", timeout=5)

    def count(url: str) -> float:
        total = 0.0
        for sample in families(url)["compliance_http_requests"].samples:
            if sample.labels.get("route") == "csp-reports":
                total += sample.value
        return total

    until(lambda: count(running.url) == 40 == count(other))
