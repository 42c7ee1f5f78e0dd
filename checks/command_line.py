"""The document checks on the command line: what they say of a file, for a program or a person."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from checks import engine, registry

DEFAULT_CHECK = "kyb.incorporation_document_verification"
PASSED, FINDINGS, UNREADABLE = 0, 1, 2
EXIT_CODES = (
    "exit codes: 0 every tool passed on every file; 1 at least one tool did not pass, or could "
    "not tell; 2 wrong usage, or a file that cannot be opened from disk"
)


class InputError(Exception):
    """An argument names something that cannot be used."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        attested = _attested(options.attested)
        entries = [
            entry for path in options.files for entry in _examine(path, options.check, attested)
        ]
    except (InputError, registry.UnknownCheckError) as exc:
        sys.stderr.write(f"{exc}\n")
        return UNREADABLE
    if options.json:
        sys.stdout.write(json.dumps({"tools": entries}, indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write("\n".join(_report(entry) for entry in entries) + "\n")
    return PASSED if all(entry["results"]["passed"] for entry in entries) else FINDINGS


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m checks", description="Examine documents.", epilog=EXIT_CODES
    )
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="a PDF, JPEG, PNG or TIFF"
    )
    parser.add_argument(
        "--attested",
        type=Path,
        metavar="FILE.json",
        help="self-attested data to compare with, as a JSON object",
    )
    parser.add_argument("--check", default=DEFAULT_CHECK, help="id of the check (%(default)s)")
    parser.add_argument("--json", action="store_true", help="print the tool results as JSON")
    return parser


def _attested(path: Path | None) -> dict[str, Any]:
    """The data itself, or the whole schema that holds it."""
    if path is None:
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as exc:
        raise InputError(f"{path}: {type(exc).__name__}") from exc
    if not isinstance(data, dict):
        raise InputError(f"{path}: not a JSON object")
    inner = data.get("self_attested_data", data)
    if not isinstance(inner, dict):
        raise InputError(f"{path}: self_attested_data is not an object")
    return inner


def _examine(path: Path, check_id: str, attested: dict[str, Any]) -> list[dict[str, Any]]:
    try:
        file = path.read_bytes()
    except OSError as exc:
        raise InputError(f"{path}: {exc.strerror}") from exc
    document = {"type": "Document", "file_name": path.name}
    results = engine.examine(
        check_id, file=file, file_name=path.name, attested=attested, document=document
    )
    return [{"tool_id": tool_id, "results": result} for tool_id, result in results]


def _report(entry: dict[str, Any]) -> str:
    results = entry["results"]
    payload = results["payload"]
    inspection = payload.get("visual_inspection") or {}
    lines = [
        f"{payload['document']['file_name']}: {entry['tool_id']}: {results['verdict']}",
        f"    {results['explanation']}",
        *map(_comparison, (payload.get("extraction_data") or {}).get("comparisons", [])),
        *(_section(key, part) for key, part in inspection.get("visual_analysis", {}).items()),
        *map(
            _indicator, (payload.get("fraud_verification_data") or {}).get("verification_data", [])
        ),
    ]
    return "\n".join(lines)


def _comparison(comparison: dict[str, Any]) -> str:
    read = comparison["extracted"]
    shown = ", ".join(read) if isinstance(read, list) else read or "-"
    return f"    {comparison['label']}: {shown} ({comparison['how']})"


def _section(key: str, section: dict[str, Any]) -> str:
    state = "passed" if section["passed"] else "FAILED" if section["checked"] else "unchecked"
    return f"    {state}: {key.replace('_', ' ')}: {section['analysis']}"


def _indicator(indicator: dict[str, Any]) -> str:
    return f"    {indicator['type']} {indicator['indicator_id']}: {indicator['description']}"
