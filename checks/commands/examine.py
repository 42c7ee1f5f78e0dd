"""The document checks on the command line, for a program or a person."""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import resource
import signal
import sys
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from checks import engine, registry
from checks.document_check import DocumentCheck
from checks.document_safety.check import DocumentSafety
from checks.evidence import Evidence
from checks.fields.general import type_of
from checks.wire import Wire

DEFAULT_CHECK = "kyb.incorporation_document_verification"
SECONDS, MEMORY_BYTES, SECOND_ENGINE_BYTES = 120, 1536 << 20, 512 << 20
LAST_SECONDS = 5  # time to end after the CPU limit was reached
PASSED, FINDINGS, UNREADABLE = 0, 1, 2
EXIT_CODES = (
    "exit codes: 0 every tool that applies passed on every file; 1 at least one did not, or could "
    "not tell, or none applies; 2 wrong usage, or a file that cannot be opened from disk"
)


class InputError(Exception):
    """An argument names something that cannot be used."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        if options.check:
            registry.get(options.check)
        attested = _attested(options.attested)
        arguments_ = _object(options.arguments)
        entries = []
        for path in options.files:
            entries.extend(examine_file(path, options.check, attested, arguments_))
    except (InputError, registry.UnknownCheckError) as exc:
        sys.stderr.write(f"{exc}\n")
        return UNREADABLE
    if options.json:
        sys.stdout.write(
            json.dumps({"tools": entries}, indent=2, ensure_ascii=False) + "\n"
        )
    else:
        sys.stdout.write("\n".join(_report(entry) for entry in entries) + "\n")
    flags = [entry["results"]["passed"] for entry in entries]
    # A tool that does not apply has null. At least one tool must have passed.
    if True in flags and False not in flags:
        return PASSED
    return FINDINGS


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m checks", description="Examine documents.", epilog=EXIT_CODES
    )
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="a PDF, JPEG, PNG, TIFF or HEIC",
    )
    parser.add_argument(
        "--attested",
        type=Path,
        metavar="FILE.json",
        help="self-attested data to compare with, as a JSON object",
    )
    parser.add_argument(
        "--check",
        help="id of the check; without it, the one that the kind of document belongs to, and "
        f"{DEFAULT_CHECK} for a kind that belongs to none",
    )
    parser.add_argument(
        "--arguments",
        type=Path,
        metavar="FILE.json",
        help="arguments of the check, as a JSON object",
    )
    parser.add_argument(
        "--json", action="store_true", help="print the tool results as JSON"
    )
    return parser


def _attested(path: Path | None) -> dict[str, object]:
    """Return the attested data, from a file with the data itself or with the whole schema."""
    data = _object(path)
    inner = data.get("self_attested_data", data)
    if not isinstance(inner, dict):
        raise InputError(f"{path}: self_attested_data is not an object")
    return inner


def _object(path: Path | None) -> dict[str, object]:
    if path is None:
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as exc:
        raise InputError(f"{path}: {type(exc).__name__}") from exc
    if not isinstance(data, dict):
        raise InputError(f"{path}: not a JSON object")
    return data


def examine_file(
    path: Path,
    check_id: str | None,
    attested: dict[str, object],
    arguments: dict[str, object],
    *,
    first_tool_only: bool = False,
) -> list[Wire]:
    """Return the results of each tool, as `{"tool_id": …, "results": …}`.

    A file may be made to crash or stall its reader, so each file is read in a separate process with
    limits. Without `check_id` the kind of document decides which check reads it. Raises InputError
    if the file cannot be read.
    """
    try:
        file = path.read_bytes()
    except OSError as exc:
        raise InputError(f"{path}: {exc.strerror}") from exc
    evidence = Evidence(file, path.name, attested, {"file_name": path.name}, arguments)
    # A forked child shares the evidence, which need not be sent to it.
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(
        target=_read,
        args=(theirs, evidence, check_id),
        kwargs={"first_tool_only": first_tool_only},
        daemon=True,
    )
    child.start()
    theirs.close()
    entries: list[dict[str, object]] = []
    last = time.monotonic() + SECONDS
    end = ""
    while not end:
        try:
            # The CPU limit does not end a child process that waits, so the elapsed time is limited,
            # too.
            if not ours.poll(max(last - time.monotonic(), 0)):
                end = "it took too long"
                break
            entry = ours.recv()
        except EOFError:
            child.join(LAST_SECONDS)
            slow = child.exitcode == -signal.SIGXCPU
            end = "it took too long" if slow else "it crashed or ran out of memory"
            break
        if entry is None:
            break
        entries.append(entry)
    child.kill()
    child.join()
    if end:
        return [*entries, _broken(evidence, end)]
    return entries


def _read(
    theirs: Connection,
    evidence: Evidence,
    check_id: str | None,
    *,
    first_tool_only: bool,
) -> None:
    from checks.readers.extras import has_second_engine

    # The soft limit sends SIGXCPU, from which the parent knows why the process ended. The hard
    # limit sends SIGKILL.
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + LAST_SECONDS))
    with contextlib.suppress(ValueError, OSError):  # not every system knows this limit
        memory = MEMORY_BYTES + (SECOND_ENGINE_BYTES if has_second_engine() else 0)
        # The limit includes the memory that was inherited from the parent, so that is added.
        memory += _address_space()
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    for tool_id, results in engine.examine_evidence(
        check_id or _suited(evidence), evidence
    ):
        theirs.send({"tool_id": tool_id, "results": results})
        if first_tool_only:
            break
    theirs.send(None)


def _address_space() -> int:
    """Return the size of the address space of this process in bytes; 0 if the system does not
    report it.
    """
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
    except OSError:
        return 0
    return int(pages) * resource.getpagesize()


def _suited(evidence: Evidence) -> str:
    """Return the check for the kind of the document."""
    kind = evidence.once(type_of)
    checks = (
        check
        for check in registry.all_checks().values()
        if isinstance(check, DocumentCheck)
    )
    of_kind = (check.id for check in checks if kind and kind.value.code in check.kinds)
    return next(of_kind, DEFAULT_CHECK)


def _broken(evidence: Evidence, end: str) -> dict[str, object]:
    tool = DocumentSafety()
    outcome = tool.broken_off(end, evidence.document_reference)
    return {"tool_id": tool.id, "results": outcome.to_wire()}


def _report(entry: Wire) -> str:
    results = entry["results"]
    payload = results["payload"]
    inspection = payload.get("visual_inspection") or {}
    lines = [
        f"{payload['document']['file_name']}: {entry['tool_id']}: {results['verdict']}",
        f"    {results['explanation']}",
        *_facts(payload.get("extraction_data") or {}),
        *(
            _comparison(comparison)
            for comparison in (payload.get("extraction_data") or {}).get(
                "comparisons", []
            )
            if comparison["state"] != "not_attested"
        ),
        *(
            _section(key, part)
            for key, part in inspection.get("visual_analysis", {}).items()
        ),
        *map(
            _indicator,
            (payload.get("fraud_verification_data") or {}).get("verification_data", []),
        ),
    ]
    return "\n".join(lines)


def _facts(data: Wire) -> list[str]:
    """Return each field with its page, its rule and its confidence."""
    lines: list[str] = []
    for name, fact in data.get("evidence", {}).items():
        if fact["value"] is not None:
            words = name.replace("_", " ")
            page = fact["boxes"][0]["page"] if fact["boxes"] else "-"
            confidence = f"{fact['confidence']:.0%}"
            origin = f"page {page}, {fact['source']}, {fact['how']}, {confidence}"
            lines.append(f"    {words}: {fact['value']} ({origin})")
    return lines


def _comparison(comparison: Wire) -> str:
    read = comparison["extracted"]
    if isinstance(read, list):
        values = ", ".join(read)
    else:
        values = read or "-"
    state = comparison["state"].replace("_", " ")
    attested = comparison["attested"] or "-"
    return f"    {state}: {comparison['label']}: attested {attested}, read {values} ({comparison['how']})"


def _section(key: str, section: dict[str, object]) -> str:
    if section["passed"]:
        state = "passed"
    else:
        state = "FAILED" if section["checked"] else "unchecked"
    return f"    {state}: {key.replace('_', ' ')}: {section['analysis']}"


def _indicator(indicator: dict[str, object]) -> str:
    return f"    {indicator['type']} {indicator['indicator_id']}: {indicator['description']}"
