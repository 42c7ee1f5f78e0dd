"""Reads each document of a job once for all checks that examine it, within one time limit.

One run of a job reads one document and then releases the job. The next document is read when it is
the account's turn again. The results of each tool are written at once, so nothing is read twice.
The reason why a document was not read completely is stored with the job.

A document whose server is away is fetched again by compliance.work.rows.FETCH_SCHEDULE. Meanwhile
the other documents of the job are read, and its other checks are run.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import get_args

from django.conf import settings
from django.db import transaction

from agenthub.deliveries import sending
from agenthub.documents import fetching, fingerprints
from agenthub.jobs.progress import Progress
from agenthub.jobs.turns import Turns
from agenthub.models import AgentJob, CheckRun, ToolRun
from agenthub.wire import JsonObject, Wire
from checks.base import Check, Examined, Verdict
from checks.document_fraud_check.facts import SIGNATURE_ROOTS
from compliance.db import clock
from compliance.work import isolation, timing
from compliance.work.rows import next_fetch

# The clock is read by several processes: a claim may come a moment before its due time.
CLOCK_TOLERANCE = timedelta(seconds=1)
# Documents read at a time in this process. Reading needs the processor, so there are no more than
# processors. At least two, so that one slow document does not block all others. Jobs that wait for
# a download do not count.
READERS = max(2, os.cpu_count() or 1)
turns = Turns(READERS)

Results = Wire
VERDICTS = frozenset(get_args(Verdict))
# What reading a value of another shape raises.
UNSHAPED = (AttributeError, LookupError, TypeError, ValueError)


class TurnEndedError(Exception):
    """This run has read a document, or waited for one in vain, and the job has more documents."""


class AwayError(Exception):
    """A document is temporarily unavailable, and is fetched again at `due_at`."""

    def __init__(self, due_at: datetime) -> None:
        super().__init__()
        self.due_at = due_at


@dataclass
class _Part:
    """One document of one check. `number` is its index among the check's documents.

    `outcomes`: id of a tool → its results so far. `beside`: a second document to compare with.
    """

    check: Check
    run: CheckRun
    number: int
    wire: JsonObject
    outcomes: dict[str, Results]
    beside: bytes | None = None

    @property
    def name(self) -> str:
        return f"{self.check.id}:{self.number}"

    @property
    def document(self) -> Wire:
        """The Document of the interface without its content."""
        return {key: value for key, value in self.wire.items() if key != "b64_document"}

    @property
    def is_complete(self) -> bool:
        return all(tool.id in self.outcomes for tool in self.check.tools)


class Examination:
    """Examines the documents of one job for all its checks."""

    def __init__(
        self, job: AgentJob, checks: Sequence[Check], progress: Progress
    ) -> None:
        self._job = job
        self._checks = checks
        self._progress = progress
        self._attested: JsonObject = job.schema.get("self_attested_data") or {}
        self._has_read = False
        self._has_waited = False  # for a server that was away

    def of(self, check: Check) -> list[Examined]:
        """All documents of the check, examined.

        Raises AwayError if one is temporarily unavailable, and TurnEndedError if one must be read
        in another run of the job."""
        examinations = []
        away: list[datetime] = []
        for number, wire in enumerate(check.documents_of(self._attested)):
            part = self._part(check, number, wire)
            try:
                examinations.append(self._examine(part))
            except AwayError as exc:
                # The other documents do not wait for this one.
                away.append(exc.due_at)
        if away:
            raise AwayError(min(away))
        return examinations

    def _part(self, check: Check, number: int, wire: JsonObject) -> _Part:
        run = self._progress.run_of(check.id)
        rows = run.tool_runs.filter(document=number)
        outcomes = {row.tool_id: row.results for row in rows}
        return _Part(check, run, number, wire, outcomes)

    def _examine(self, part: _Part) -> Examined:
        if not part.is_complete and part.name not in self._job.unread_documents:
            self._read(part)
        error = self._job.unread_documents.get(part.name, "")
        return Examined(
            document=part.document,
            outcomes=part.outcomes,
            error=error,
        )

    def _read(self, part: _Part) -> None:
        """Read a document for this check, and for all other checks that examine it.

        Raises AwayError if it, or the one that the check compares with it, is to be fetched later.
        """
        parts = [part, *self._others(part)]
        # Fetch before waiting for a turn: a slow download must not occupy a reader.
        try:
            file = self._fetch(part.wire)
        except fetching.NotScannedError:
            raise
        except fetching.FetchError as exc:
            words = f"The document could not be examined: {exc}."
            self._record_errors({each.name: words for each in parts})
            return
        self._fetch_beside(part)
        parts = [part, *self._whole(parts[1:])]
        parts = [each for each in parts if each.name not in self._job.unread_documents]
        if not parts:
            return
        self._has_read = True
        for each in parts:
            each.run.begin(each.check.doing)
        with turns.turn(
            self._job.account_id,
            every=timing.TICK_SECONDS,
            tick=self._heartbeat,
            share=self._job.account.share,
            is_bulk=self._job.is_bulk,
        ):
            self._read_within_limit(file, parts)

    def _read_within_limit(self, file: bytes, parts: Sequence[_Part]) -> None:
        """Read the document in a child process until all parts are complete or the time is over.

        If a check crashes the child, only that check fails: the others continue in another process,
        in the remaining CPU time."""
        left = float(settings.DOCUMENT_SECONDS)
        while parts:
            try:
                self._stream(file, parts, seconds=left)
            except isolation.HangError as exc:
                self._break_off(parts, exc)
                return
            except isolation.TimeLimitError as exc:
                # An earlier child may have used up a part of the CPU time.
                seconds = max(exc.seconds, float(settings.DOCUMENT_SECONDS))
                self._break_off(parts, isolation.TimeLimitError(seconds))
                return
            except isolation.IsolationError as exc:
                left = max(0.0, left - exc.cpu_seconds)
                incomplete = [part for part in parts if not part.is_complete]
                # Parts are read in order, so the first incomplete part caused the crash.
                self._break_off(incomplete[:1], exc)
                parts = incomplete[1:]
            else:
                return

    def _stream(self, file: bytes, parts: Sequence[_Part], *, seconds: float) -> None:
        stream = isolation.stream(
            "checks.engine:examine_for_checks",
            self._input(file, parts),
            seconds=seconds,
            tick=self._heartbeat,
            readable=_readable(),
        )
        for answer in stream:
            number, tool_id, results = _checked_answer(answer, parts)
            self._record(parts[number], tool_id, self._with_reuse(tool_id, results))

    def _with_reuse(self, tool_id: str, results: Results) -> Results:
        try:
            return fingerprints.consult(self._job, tool_id, results)
        except UNSHAPED:
            # The payload of a child that was compromised. Its other tools still count.
            return results

    def _heartbeat(self) -> None:
        self._job.heartbeat(settings.LEASE)

    def _others(self, part: _Part) -> list[_Part]:
        """The incomplete parts of other open checks that examine the same document."""
        key = content_key(part.wire)
        parts = []
        for check in self._checks:
            if check is part.check or not check.documents:
                continue
            if not self._progress.is_open(check.id):
                continue
            for number, wire in enumerate(check.documents_of(self._attested)):
                if content_key(wire) == key:
                    parts.append(self._part(check, number, wire))
        unread = self._job.unread_documents
        others: list[_Part] = []
        for other in parts:
            if not other.is_complete and other.name not in unread:
                others.append(other)
        return others

    def _whole(self, parts: Sequence[_Part]) -> list[_Part]:
        """The parts without those whose second document is to be fetched later."""
        whole = []
        for part in parts:
            try:
                self._fetch_beside(part)
            except (AwayError, TurnEndedError):
                # Its own check fetches it later.
                continue
            whole.append(part)
        return whole

    def _fetch_beside(self, part: _Part) -> None:
        """Fetch the second document that the check compares with this one, if it needs one.

        Raises AwayError and TurnEndedError like _fetch(). Any other error is recorded.
        """
        document = part.check.beside(part.document, self._attested)
        if document is None:
            return
        try:
            part.beside = self._fetch(document)
        except fetching.NotScannedError:
            raise
        except fetching.FetchError as exc:
            words = f"The document could not be examined: the one beside it: {exc}."
            self._record_errors({part.name: words})

    def _fetch(self, wire: JsonObject) -> bytes:
        """The content of a document.

        Raises FetchError if it cannot be had, AwayError if it is to be fetched later, and
        TurnEndedError if this run has read another one, or has waited for one in vain. A run waits
        once, so that a job of many documents does not occupy a thread.
        """
        key = content_key(wire)
        entry = self._job.away_documents.get(key)
        if entry:
            next_at = datetime.fromisoformat(entry["next_at"])
            if next_at > clock.now() + CLOCK_TOLERANCE:
                raise AwayError(next_at)
        if self._has_read or self._has_waited:
            raise TurnEndedError
        self._job.heartbeat(settings.LEASE)  # one lease is long enough for a fetch
        try:
            file = fetching.fetch(wire, self._job)
        except fetching.NotScannedError:
            raise
        except fetching.FetchError as exc:
            self._plan_next_fetch(key, exc)
            raise
        if entry:
            self._write_away(key, None)
        return file

    def _plan_next_fetch(self, key: str, exc: fetching.FetchError) -> None:
        """Raises AwayError if the document is to be fetched again."""
        entry = self._job.away_documents.get(key) or {"tries": 0}
        tries = int(entry["tries"]) + 1
        next_at = None
        if not exc.permanent:
            self._has_waited = True
            next_at = next_fetch(tries, at_least=exc.wait)
        if next_at is None:
            # The checks go on without it.
            self._write_away(key, None)
            return
        self._write_away(key, {"tries": tries, "next_at": next_at.isoformat()})
        raise AwayError(next_at) from exc

    def _write_away(self, key: str, entry: JsonObject | None) -> None:
        """Store how often a document was fetched in vain; None: it is not fetched again."""
        away = dict(self._job.away_documents)
        away.pop(key, None)
        if entry is not None:
            away[key] = entry
        if away != self._job.away_documents:
            self._job.away_documents = away
            self._job.write({"away_documents": away})

    def _input(self, file: bytes, parts: Sequence[_Part]) -> Wire:
        return {
            "file": file,
            "attested": self._attested,
            "parts": [self._part_input(part) for part in parts],
        }

    def _part_input(self, part: _Part) -> Wire:
        return {
            "check_id": part.check.id,
            "file_name": str(part.wire.get("file_name") or ""),
            "document": part.document,
            "arguments": arguments_of(self._job, part.check),
            "skip": list(part.outcomes),
            "beside": part.beside,
        }

    def _break_off(self, parts: Sequence[_Part], exc: isolation.IsolationError) -> None:
        """Record that the reader crashed or was stopped. Each check says what was not examined."""
        errors: dict[str, str] = {}
        for part in parts:
            if part.is_complete:
                continue
            errors[part.name] = _words_of_break(part, exc)
            for tool_id, results in endings(
                part.check,
                part.document,
                str(exc),
            ).items():
                if tool_id not in part.outcomes:
                    self._record(part, tool_id, results)
        self._record_errors(errors)

    def _record_errors(self, errors: Mapping[str, str]) -> None:
        """Store why documents were not read completely. They are not read again."""
        unread = {**self._job.unread_documents, **errors}
        self._job.unread_documents = unread
        self._job.write({"unread_documents": unread})

    @transaction.atomic
    def _record(self, part: _Part, tool_id: str, results: Results) -> None:
        # First: a worker that has lost the job stores nothing.
        self._heartbeat()
        row, created = ToolRun.objects.get_or_create(
            check_run=part.run,
            document=part.number,
            tool_id=tool_id,
            defaults={"results": results},
        )
        # Another worker may have stored its result before: its webhook is queued already, so the check
        # concludes from that one, too.
        part.outcomes[tool_id] = row.results
        if created:
            part.run.add_message(f"Document {part.number + 1} examined by {tool_id}.")
            deliveries = sending.of_tool(self._job, part.run, tool_id, results)
            sending.queue(deliveries)


def _readable() -> list[str]:
    if settings.SIGNATURE_ROOTS:
        return [settings.SIGNATURE_ROOTS]
    return []


def _checked_answer(answer: object, parts: Sequence[_Part]) -> tuple[int, str, Results]:
    """The index of the part, the tool and its results. Raises IsolationError.

    A child that was compromised by a document may answer anything: accept only requested parts and
    tools.
    """
    match answer:
        case [int(number), str(tool_id), dict(results)] if 0 <= number < len(parts):
            tool_ids = {tool.id for tool in parts[number].check.tools}
            if tool_id in tool_ids and _are_results(results):
                return number, tool_id, results
    raise isolation.IsolationError(isolation.NOT_PLAIN)


def _are_results(results: Results) -> bool:
    """Whether these are the members of `Outcome.to_wire`, each of its type."""
    match results:
        case {
            "passed": None | bool(),
            "verdict": str(verdict),
            "answer": str(),
            "explanation": str(),
            "alerts": None | dict(),
            "payload": dict(),
            "evidence": list(),
            "versions": dict(),
        }:
            return verdict in VERDICTS
    return False


def _words_of_break(part: _Part, exc: isolation.IsolationError) -> str:
    if not isinstance(exc, isolation.TimeLimitError):
        return f"The document could not be examined: {exc}."
    tools = part.check.tools
    count = sum(tool.id in part.outcomes for tool in tools)
    return (
        f"Reading stopped after {exc.seconds:g} s: {count} of {len(tools)}"
        " examinations of the document were done."
    )


def arguments_of(job: AgentJob, check: Check) -> Wire:
    """The arguments of the check: those of the agent, overridden by those of the job."""
    values: Wire = {}
    for entry in job.agent.checks:
        if entry["check_id"] == check.id:
            values = entry.get("arguments") or {}
    values = {**values, **job.check_args.get(check.id, {})}
    arguments: Wire = {}
    # Only declared arguments: a caller must not choose which certificates are trusted.
    for name in check.taken():
        if values.get(name) is not None:
            arguments[name] = values[name]
    if settings.SIGNATURE_ROOTS:
        arguments[SIGNATURE_ROOTS] = settings.SIGNATURE_ROOTS
    return arguments


def endings(check: Check, document: JsonObject, ending: str) -> dict[str, Results]:
    """Results for a document that stopped its reader, of those tools of a check that report this.

    Tool id → results. `ending` says how the reader ended.
    """
    reference = fetching.reference(document)
    results: dict[str, Results] = {}
    for tool in check.tools:
        outcome = tool.broken_off(ending, reference)
        if outcome:
            results[tool.id] = outcome.to_wire()
    return results


def content_key(wire: JsonObject) -> str:
    """A hash that is the same for two Documents with the same content or URL."""
    url = wire.get("url") or ""
    encoded = wire.get("b64_document") or ""
    content = f"{url}\n{encoded}"
    # JSON may contain a lone surrogate, which cannot be encoded. It must not raise here.
    return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()
