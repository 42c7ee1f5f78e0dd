"""Measures which indicators suspect genuine documents, on a folder of files that nobody edited.

`python -m bench.documents innocence --genuine FOLDER --minutes 0`. Whoever measures collects the
folder: manuals and papers from Debian's documentation packages, documents from the tests of PDF
libraries, certificates of the corpus. None of them are in this repository. Equal files count once.

Excluded by rule: files whose path says that they were made for a fault, an edit, a lock or as a
sample (`MADE_FOR_TESTS`). Files that do not open as a document are counted separately.

Half of the documents, chosen by digest, are kept for validation: `--details` does not name them. So
rules can be developed with the other half and validated with this one.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from bench.document_rows.corpus import Corpus
from bench.report import Report
from checks.document_fraud_check.tool import DocumentFraud
from checks.evaluation.report import wilson
from checks.evidence import Evidence

SUFFIXES = frozenset({".pdf", ".jpg", ".jpeg", ".png", ".tif", ".tiff"})
MADE_FOR_TESTS = re.compile(
    r"broken|corrupt|damage|invalid|malformed|fuzz|error|fail|bomb|trunc|missing|circular|recurs|loop"
    r"|bad|wrong|fault|without|conflict|anomal|sneaky|tamper|attack|evil|crash|issue|regress|bug"
    r"|pyhanko|endesive|edit|modif|redact|annot|comment|overlay|stamp|watermark|merged|scribble|encrypt|password|crypt"
    r"|sample|specimen|example|template|demo|placeholder|dummy|lorem|hello",
    re.IGNORECASE,
)
# A genuine document with many pages takes seconds. One that takes longer is reported separately.
SECONDS = 60
# How much longer a file may take on a busy machine before its process counts as crashed.
PATIENCE = 10
# built: for developing rules; kept: for validation.
PARTS = ("built", "kept")


@dataclass
class Judged:
    """The result of the fraud check for one file. `problem` says why it could not be examined,
    or is "".
    """

    name: str
    part: str
    result: str = ""
    risks: Sequence[str] = ()
    reasons: Sequence[str] = ()
    problem: str = ""


@dataclass
class Tally:
    tried: int = 0
    failed: int = 0
    suspected: int = 0
    risks: Counter[str] = field(default_factory=Counter)
    of_failed: Counter[str] = field(default_factory=Counter)

    def add(self, judged: Judged) -> None:
        self.tried += 1
        self.suspected += bool(judged.risks)
        self.risks.update(judged.risks)
        if judged.result == "HIGH_RISK":
            self.failed += 1
            self.of_failed.update(judged.risks)


def measure(report: Report, corpus: Corpus) -> None:
    if corpus.genuine is None:
        report.not_run(
            "F7", "genuine files of another gathering", "--genuine FOLDER is not given"
        )
        return
    tallies = {part: Tally() for part in PARTS}
    unopened: Counter[str] = Counter()
    paths, excluded = chosen(corpus.genuine)
    for judged in _judge_all(paths, corpus):
        if judged.problem:
            unopened[judged.problem] += 1
        else:
            tallies[judged.part].add(judged)
        _note(corpus, judged)
    report.row("left out by the name of the file", str(excluded))
    for problem, count in unopened.most_common():
        report.row(f"not examined: {problem}", str(count))
    for part, tally in tallies.items():
        _rows(report, part, tally)
    _goals(report, list(tallies.values()))


def chosen(folder: Path) -> tuple[list[Path], int]:
    """The genuine files of a folder in the order of their digests, and how many were excluded."""
    by_digest: dict[str, Path] = {}
    excluded = 0
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.suffix.lower() not in SUFFIXES:
            continue
        if MADE_FOR_TESTS.search(str(path.relative_to(folder))):
            excluded += 1
            continue
        # The first path of equal files counts.
        by_digest.setdefault(hashlib.sha256(path.read_bytes()).hexdigest(), path)
    return [by_digest[digest] for digest in sorted(by_digest)], excluded


def part_of(content: bytes) -> str:
    return PARTS[hashlib.sha256(content).digest()[0] % 2]


def _judge_all(paths: Sequence[Path], corpus: Corpus) -> Iterator[Judged]:
    """Examine each file in its own process, so that a crash of a PDF library affects only that
    file.
    """
    context = multiprocessing.get_context("fork")
    with context.Pool(corpus.processes, maxtasksperchild=1) as pool:
        waiting = [(path, pool.apply_async(_judge, (path,))) for path in paths]
        for path, answer in waiting:
            if corpus.is_over():
                corpus.left += 1
                continue
            try:
                yield answer.get(SECONDS * PATIENCE)
            except multiprocessing.TimeoutError:
                yield Judged(path.name, PARTS[0], problem="crashed")
        pool.terminate()


def _judge(path: Path) -> Judged:
    content = path.read_bytes()
    judged = Judged(path.name, part_of(content))
    # The limit is one of computing time, so that a busy machine does not change the result. The
    # alarm ends one indicator, or the reading before them; the time is then over for all.
    signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    began = time.process_time()
    try:
        payload = _payload(Evidence(content, path.name))
    except TimeoutError:
        judged.problem = f"longer than {SECONDS} s"
        return judged
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    if time.process_time() - began >= SECONDS:
        judged.problem = f"longer than {SECONDS} s"
        return judged
    if payload["unopened"]:
        judged.problem = "does not open"
    judged.result = str(payload["verification_result"])
    risks = []
    reasons = []
    for item in payload["verification_data"]:
        if item["type"] != "RISK":
            continue
        # Strong indicators are marked.
        mark = "!" if item["strong"] else ""
        risks.append(f"{item['indicator_id']}{mark}")
        reasons.append(f"{item['indicator_id']}{mark}: {item['description']}")
    judged.risks = risks
    judged.reasons = reasons
    return judged


def _payload(evidence: Evidence) -> dict[str, Any]:
    payload: dict[str, Any] = (
        DocumentFraud().run(evidence).payload["fraud_verification_data"]
    )
    return payload


def _too_long(number: int, frame: FrameType | None) -> None:
    raise TimeoutError


def _note(corpus: Corpus, judged: Judged) -> None:
    if judged.part == "kept":
        return
    if judged.problem:
        corpus.note(f"{judged.name}: {judged.problem}")
    for reason in judged.reasons:
        corpus.note(f"{judged.name}: {judged.result}: {reason}")


def _rows(report: Report, part: str, tally: Tally) -> None:
    report.row(f"{part}: documents", str(tally.tried))
    report.row(f"{part}: failed", _share(tally.failed, tally.tried))
    report.row(f"{part}: with any RISK", _share(tally.suspected, tally.tried))
    for name, count in tally.risks.most_common():
        failed = tally.of_failed[name]
        report.row(f"  {name}", str(count), f"failed {failed}")


def _share(hits: int, count: int) -> str:
    low, high = wilson(hits, count)
    return f"{hits} of {count}: {100 * low:.1f} to {100 * high:.1f} %"


def _goals(report: Report, tallies: Sequence[Tally]) -> None:
    tried = sum(tally.tried for tally in tallies)
    failed = sum(tally.failed for tally in tallies)
    suspected = sum(tally.suspected for tally in tallies)
    report.least("F7", "genuine files of another gathering", tried, 300)
    report.most("F8", "of these failed", 100 * failed / max(tried, 1), 1, " %")
    report.most(
        "F9", "of these with any RISK", 100 * suspected / max(tried, 1), 8, " %"
    )
    sys.stdout.flush()
