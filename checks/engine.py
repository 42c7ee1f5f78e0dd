"""Runs the tools of a check on one document, and combines their outcomes.

All inputs and outputs are plain data, so that a caller can run the examination of a document in a
separate process.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Sequence

from checks import registry
from checks.base import Examined, Outcome, Tool
from checks.evidence import Evidence
from checks.lookups import Lookups
from checks.wire import JsonObject, Wire

logger = logging.getLogger(__name__)


def examine(
    check_id: str,
    *,
    file: bytes,
    file_name: str,
    attested: JsonObject,
    document: JsonObject,
    arguments: JsonObject | None = None,
    skip: Collection[str] = (),
    lookups: Lookups | None = None,
    beside: bytes | None = None,
) -> Iterator[tuple[str, Wire]]:
    """Yield the id and the `results` object of each tool as it finishes.

    `skip` names tools, by id or alias, whose outcome the caller already has. `lookups` is data of
    the installation for data checks; it cannot be passed to another process. `beside` is the
    content of the document that `Check.beside` names.
    """
    other = registry.get(check_id).beside(document, attested)
    evidence = Evidence(
        file=file,
        file_name=file_name,
        attested=attested,
        document={
            key: value for key, value in document.items() if key != "b64_document"
        },
        arguments=arguments or {},
        lookups=lookups,
        beside=None
        if other is None or beside is None
        else Evidence(beside, document=other),
    )
    yield from examine_evidence(check_id, evidence, skip=skip)


def examine_for_checks(
    *, file: bytes, attested: JsonObject, parts: Sequence[JsonObject]
) -> Iterator[tuple[int, str, Wire]]:
    """As `examine`, for several checks of one document, which is read only once.

    Each of `parts` has the input of one check: `check_id`, `file_name`, `document`, `arguments`,
    `skip` and `beside`, as for `examine`. Yields the index of the part, and the id and the
    `results` object of each tool as it finishes.
    """
    evidence = Evidence(file, attested=attested)
    for number, part in enumerate(parts):
        other = registry.get(part["check_id"]).beside(part["document"], attested)
        has_beside = other is not None and part["beside"] is not None
        # The evidence keeps facts of the file, so that the document is read only once for all
        # checks.
        evidence = evidence.for_another_check(
            file_name=part["file_name"],
            document=part["document"],
            arguments=part["arguments"],
            beside=Evidence(part["beside"], document=other or {})
            if has_beside
            else None,
        )
        for tool_id, results in examine_evidence(
            part["check_id"], evidence, skip=part["skip"]
        ):
            yield number, tool_id, results


def examine_evidence(
    check_id: str, evidence: Evidence, *, skip: Collection[str] = ()
) -> Iterator[tuple[str, Wire]]:
    """As `examine`, for a caller that already has the evidence."""
    for tool in registry.get(check_id).tools:
        if not {tool.id, *tool.aliases} & set(skip):
            yield tool.id, _run(tool, evidence).to_wire()


def conclude(check_id: str, examined: Sequence[Examined], attested: JsonObject) -> Wire:
    """Return the verdict of a check over all its documents, as a `results` object.

    The results of a document may have any content, if it took over its reader. Then this check is
    inconclusive, and the others go on.
    """
    try:
        return registry.get(check_id).conclude(examined, attested).to_wire()
    except Exception as exc:  # noqa: BLE001 - a payload may have any shape
        logger.error("check %s failed with %s", check_id, type(exc).__name__)  # noqa: TRY400
        return Outcome(
            passed=None,
            verdict="inconclusive",
            explanation=f"The examination stopped ({type(exc).__name__}).",
            alerts=[f"{check_id} could not finish ({type(exc).__name__})"],
        ).to_wire()


def _run(tool: Tool, evidence: Evidence) -> Outcome:
    """Run a tool. If it fails on a document, the other tools still run."""
    try:
        return tool.run(evidence)
    except Exception as exc:  # noqa: BLE001 - documents are hostile, and tools may be plug-ins
        # The message may quote the document; the class and the place do not.
        logger.error("tool %s failed with %s", tool.id, type(exc).__name__)  # noqa: TRY400
        return Outcome(
            passed=None,
            verdict="inconclusive",
            explanation=f"The examination stopped ({type(exc).__name__}).",
            payload={"document": evidence.document_reference},
            alerts=[f"{tool.id} could not finish ({type(exc).__name__})"],
        )
