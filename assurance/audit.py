"""Compares the packages of an installation with a database of known faults. `make audit` runs it.

    python -m assurance.audit [--required] [--osv-url URL]

There is no such database in a package, so pip-audit asks OSV over the network. If OSV cannot be
reached, the command says that nothing was audited; with `--required` this is an error.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from assurance.locks import FOLDER, ROOT
from assurance.sbom import MAY_BE_ADDED, RUNS

OSV_URL = "https://api.osv.dev/v1/query"
# How long one answer of the database may take, and the whole audit.
ANSWER_SECONDS = 10
ALL_SECONDS = 600
CLEAN, FAULTS, NOT_AUDITED = 0, 1, 2


def command(osv_url: str, report: Path) -> list[str]:
    words = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes"]
    for name in (RUNS, *sorted(MAY_BE_ADDED)):
        words += ["--requirement", str(ROOT / FOLDER / f"{name}.txt")]
    words += ["--vulnerability-service", "osv", "--osv-url", osv_url]
    words += ["--timeout", str(ANSWER_SECONDS), "--progress-spinner", "off"]
    return [*words, "--format", "json", "--output", str(report)]


def ask(osv_url: str) -> tuple[list[dict[str, Any]] | None, str]:
    """The packages with their known faults; or None, and the reason why there is no answer."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        try:
            done = subprocess.run(
                command(osv_url, report),
                capture_output=True,
                text=True,
                timeout=ALL_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None, f"no answer within {ALL_SECONDS} seconds"
        if not report.exists():
            last_lines = done.stderr.strip().splitlines()[-1:]
            return None, "".join(last_lines)
        return json.loads(report.read_text())["dependencies"], ""


def lines_of(packages: list[dict[str, Any]]) -> list[str]:
    lines: list[str] = []
    for package in packages:
        for fault in package.get("vulns", []):
            versions = ", ".join(fault["fix_versions"]) or "none"
            place = f"{package['name']} {package['version']}"
            lines.append(f"{place}: {fault['id']}; repaired in: {versions}")
    return lines


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m assurance.audit")
    parser.add_argument("--osv-url", default=OSV_URL)
    parser.add_argument("--required", action="store_true")
    arguments = parser.parse_args(words)
    packages, reason = ask(arguments.osv_url)
    if packages is None:
        print(f"NOT AUDITED: the database of known faults gave no answer. {reason}")
        return NOT_AUDITED if arguments.required else CLEAN
    lines = lines_of(packages)
    for line in lines:
        print(line)
    if lines:
        return FAULTS
    print(f"{len(packages)} packages, none with a known fault.")
    return CLEAN


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
