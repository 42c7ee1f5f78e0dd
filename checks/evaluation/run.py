"""Reads labelled documents with the tools that a job uses, in a pool of processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

from checks.commands.examine import InputError, examine_file
from checks.evaluation.judging import Judgement, judge
from checks.evaluation.labels import LabelError, Labelled
from checks.wire import JsonObject


def evaluate(
    documents: Sequence[Labelled], *, processes: int = 1
) -> Iterator[list[Judgement]]:
    """Yield the judgements of each document, in the order of the documents.

    Each file is read in a separate process with limits, as on the command line, `processes` of them
    at a time. A file that cannot be read has every field missing.
    """
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        yield from pool.map(_judged, documents)


def _judged(document: Labelled) -> list[Judgement]:
    return judge(document, _extraction(document))


def _extraction(document: Labelled) -> JsonObject:
    try:
        entries = examine_file(
            document.path, document.check_id or None, {}, {}, first_tool_only=True
        )
    except InputError as exc:
        raise LabelError(str(exc)) from exc
    for entry in entries:
        data = entry["results"]["payload"].get("extraction_data")
        if data:
            return dict(data)
    return {}
