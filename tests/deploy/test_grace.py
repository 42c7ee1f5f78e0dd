"""Each way to run the workers gives them the time that their tasks need to end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from compliance.http import outbox
from compliance.work import timing

ROOT = Path(__file__).resolve().parent.parent.parent
# The last row of a task begins before its time is over. An attempt of a webhook may take this long.
NEEDED = timing.DRAIN_SECONDS + outbox.TIMEOUT


@pytest.mark.parametrize("name", ["worker", "documents"])
def test_a_unit_of_systemd(name):
    unit = (ROOT / f"deploy/systemd/compliance-{name}.service").read_text()
    [seconds] = re.findall(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)
    assert int(seconds) >= NEEDED


@pytest.mark.parametrize("name", ["worker", "documents"])
def test_a_service_of_compose(name):
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
    # Compose would kill it after ten seconds.
    grace = services[name].get("stop_grace_period", "10s")
    assert int(grace.removesuffix("s")) >= NEEDED


def test_the_pods_of_the_chart():
    path = ROOT / "deploy/helm/compliance-desk/templates/workers.yaml"
    [seconds] = re.findall(r"terminationGracePeriodSeconds: (\d+)", path.read_text())
    assert int(seconds) >= NEEDED
