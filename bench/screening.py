"""The goals of screening beside today's figures: `python -m bench.screening --corpus FOLDER`.

The corpus is not part of the project: lists in their published formats under `lists/`, labelled
pairs and clean customers under `dev/` (docs/screening.md tells their shapes). All labelled pairs are
asked, and those of `bench/screening_unseen.csv`, which were written before the code was read. Customers
are drawn, and names made, by the seed: `--seed` gives others. Lists go into a database of their own;
times are of the processor, since the machine may be busy. Even so they double on a busy machine: to
compare two engines there, compare how many functions they call.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.report import Report
from checks.screening import engine
from checks.screening.lists import Lists, MemoryLists
from checks.screening.records import Subject

LISTS = (
    ("ofac_sdn", "ofac_sdn_20240507.xml.gz"),
    ("ofac_consolidated", "ofac_consolidated_nonsdn_20240506.xml.gz"),
    ("un", "un_consolidated_20240515.xml.gz"),
    ("eu_fsf", "eu_fsf_full_20240513.xml.gz"),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--sample", type=int, default=400, help="rows of each set")
    parser.add_argument("--seed", type=int, default=20261121, help="of what is drawn")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["VAR"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "compliance.settings"
        os.environ["LOG_LEVEL"] = "WARNING"
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        return _run(options.corpus, options.sample, options.seed)


def _run(corpus: Path, sample: int, seed: int) -> int:
    from agenthub.screening import catalogue, loading
    from agenthub.screening.index import DatabaseLists
    from bench import screening_names as made
    from bench import screening_sets as sets
    from bench import screening_spellings as spellings

    report = Report(
        f"Screening: {sample} rows of each set, seed {seed}, SQLite, one process"
    )
    _judge_pairs(report, "labelled", sets.pairs(corpus / "dev" / "name_pairs.csv"))
    _judge_pairs(report, "unseen", sets.unseen())
    for slug, name in LISTS:
        source = catalogue.source(slug, max_age_days=36500)
        spent = _spent(lambda s=source, n=name: loading.load(s, corpus / "lists" / n))  # type: ignore[misc]
        if slug == "ofac_sdn":
            report.most(
                "S9", "loading SDN.XML, seconds of processor time", spent, 15, " s"
            )
    lists = DatabaseLists()
    gc.collect()
    # Objects of the benchmark are excluded from garbage collection during the measurement.
    gc.freeze()
    report.row("entries and names", *(f"{n:,}" for n in sets.size()))
    rng = random.Random(seed)  # noqa: S311
    times: list[float] = []
    ask = _asker(lists, times)
    _judge_recalls(report, sets.recalls(corpus, rng, sample), ask)
    for goal, what, bound, subjects in sets.alarms(corpus, rng, sample):
        rows = list(subjects)
        alarms = sum(bool(ask(subject)) for subject in rows)
        report.most(
            goal, f"{what} (n={len(rows)})", 1000 * alarms / max(1, len(rows)), bound
        )
    entities = sets.listed()
    people = [one for one in entities if one.is_person]
    near = list(made.near_misses(people, rng, sample))
    fired = sum(bool(ask(subject)) for subject in near)
    report.most("S4", f"near-misses that fire (n={len(near)})", fired / len(near), 0.03)
    longer = list(made.extra_names(people, sets.given_names(corpus), rng, sample))
    _judge_recalls(report, [("S4", "one name more, born then", 0.95, longer)], ask)
    _judge_recalls(
        report,
        spellings.recalls(entities, random.Random(seed + 2), sample),  # noqa: S311
        _asker(lists, [], with_unsure=True),
    )
    latin = MemoryLists.of(sets.in_latin_letters(), lists.versions()[0])
    _judge_recalls(report, sets.scripts(rng, sample), _asker(latin, []))
    times.sort()
    report.most("S8", "p50 of a screening", times[len(times) // 2] * 1000, 4, " ms")
    report.most(
        "S8", "p99 of a screening", times[int(len(times) * 0.99)] * 1000, 15, " ms"
    )
    report.least("S8", "names a second", 1 / statistics.mean(times), 250)
    report.row("function calls for a near-miss", f"{_calls(near, lists):,.0f}")
    return report.close()


def _judge_recalls(report: Report, result: Any, ask: Callable[[Any], set[str]]) -> None:
    for goal, what, bound, queries in result:
        rows = list(queries)
        hits = sum(bool(ask(subject) & wanted) for subject, wanted in rows)
        report.least(goal, f"{what} (n={len(rows)})", hits / max(1, len(rows)), bound)


def _judge_pairs(
    report: Report, which: str, pairs: Sequence[tuple[float, bool, bool]]
) -> None:
    """Report F1 at the best threshold, the area under the curve, and errors in pairs labelled as
    strong.
    """
    same = [score for score, match, _ in pairs if match]
    other = [score for score, match, _ in pairs if not match]
    best, at = max((_f1(pairs, score), score) for score, _, _ in pairs)
    # The area equals the share of (match, other) pairs in which the match scores higher.
    wins = sum((a > b) + 0.5 * (a == b) for a in same for b in other)
    wrong = sum((score >= at) != match for score, match, strong in pairs if strong)
    report.least("S1", f"{which} pairs, F1 at {at:.2f} (n={len(pairs)})", best, 0.88)
    report.least(
        "S1",
        f"{which} pairs, area under the curve",
        wins / len(same) / len(other),
        0.92,
    )
    strong = sum(is_strong for _, _, is_strong in pairs)
    if strong:
        report.most("S1", f"strong pairs wrong of {strong}", wrong, 0)


def _f1(pairs: Sequence[tuple[float, bool, bool]], least: float) -> float:
    count = sum(score >= least for score, _, _ in pairs)
    right = sum(match and score >= least for score, match, _ in pairs)
    return 2 * right / (count + sum(match for _, match, _ in pairs))


def _asker(
    lists: Any, times: list[float], *, with_unsure: bool = False
) -> Callable[[Any], set[str]]:
    """A function that returns the ids of entries that are hits.

    With `with_unsure`, it includes entries that the reasons for an uncertain answer name.
    """

    def ask(subject: Any) -> set[str]:
        began = time.process_time()
        result = engine.screen(subject, lists)
        times.append(time.process_time() - began)
        hits = {match.entry.entity.id for match in result.alerts}
        if with_unsure:
            reasons = " ".join(result.not_compared)
            hits |= {
                one.entry.entity.id
                for one in result.matches
                if one.name.text in reasons
            }
        return hits

    return ask


def _calls(subjects: Sequence[Subject], lists: Lists) -> float:
    """Return how many functions the screening of a subject calls, whatever the machine's load."""
    profile = cProfile.Profile()
    profile.enable()
    for subject in subjects:
        engine.screen(subject, lists)
    profile.disable()
    return sum(entry.callcount for entry in profile.getstats()) / len(subjects)


def _spent(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


if __name__ == "__main__":
    sys.exit(main())
