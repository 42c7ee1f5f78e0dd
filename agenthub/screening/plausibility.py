"""Why a version of a list is held for a person: it reads well, and is not what a list becomes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import timedelta

from django.utils.timezone import now

from agenthub.models.lists import ListEntity, ListName, ListVersion
from checks.screening.matching import names

MOST_NAMES_LOST = 0.05
# Of the entries, so many are taken off a list at a time. A file that was cut off lost more.
MOST_LOST, FEWEST_LOST = 0.02, 5
# Of what is new in a version, so much may be as an earlier version had it.
MOST_BACK, FEWEST_BACK = 0.5, 3
MOST_CHANGED, FEWEST_CHANGED = 0.2, 3
# Lists grow by a few in a hundred at a time, in the worst weeks of 2022 by a third.
MOST_GROWN, FEWEST_GROWN = 0.5, 20
# Names of the active version that the new one must still have, few of which may be missing.
CANARIES, MOST_MISSING, FEWEST_MISSING = 50, 0.1, 2
# Of the names, so many may be one and the same; hold no word; show a wrong encoding.
MOST_ALIKE, FEWEST_ALIKE = 0.3, 5
MOST_WORDLESS, FEWEST_WORDLESS = 0.05, 3
MOST_DAMAGED, FEWEST_DAMAGED = 0.01, 3
# Of the entries, so many may stand in a file twice.
MOST_REPEATED, FEWEST_REPEATED = 0.05, 3
# UTF-8 that was read as Latin, letters that were lost, question marks in their place, and letters
# that are written in the way of HTML, of a program or of an address.
_DAMAGED = re.compile(
    "\ufffd|[ÃÂ][\u0080-\u00bf\u20ac\u2018-\u201e\u2020-\u2030]|â€|[ÐÑ][\u0080-\u00bf\u2018-\u201e]"
    r"|[^\W\d_]\?[^\W\d_]|\?{2,}"
    r"|&(?:#\d{2,5}|[A-Za-z](?:acute|grave|circ|uml|tilde|cedil|caron|ring|slash)|amp|quot|apos|[lg]t)\b"
    r"|\\[ux][0-9A-Fa-f]{2}|%[0-9A-F]{2}(?=\w|%)"
)


@dataclass(frozen=True, slots=True)
class Staged:
    """What was read. `before` and `removed` count entries of the active version, `repeated` those
    that stand in the file a second time."""

    version: ListVersion
    published_at: str
    kept: Collection[int]
    before: int
    added: int
    changed: int
    removed: int
    count: int = 0
    repeated: int = 0


@dataclass(slots=True)
class _Names:
    """What the names of the version come to."""

    count: int = 0
    damaged: int = 0
    wordless: int = 0
    by_words: Counter[str] = field(default_factory=Counter)  # of the primary names
    canaries: set[int] = field(default_factory=set)  # entries of the sample that were found
    wanted: set[str] = field(default_factory=set)  # configured names that were found


def reasons(staged: Staged) -> list[str]:
    """Those that the version gives itself; and where a version is active, those of the change."""
    active = staged.version.source.versions.filter(status=ListVersion.Status.ACTIVE).first()
    sample = _sample(staged, active) if active else {}
    found = _read(staged, sample)
    told = [*_dates(staged.published_at, active.published_at if active else "")]
    told += [*_of_itself(staged, found), *_wanted(staged, found)]
    if active:
        told += [*_changes(staged), *_lost(staged), *_back(staged, active)]
        told += [*_names(active, found, sample)]
    return told


def _dates(new: str, active: str) -> Iterator[str]:
    if new and new < active:
        yield f"It is of {new}, older than the active version of {active}."
    elif new != active and new > (now() + timedelta(days=1)).date().isoformat():
        yield f"It is dated in the future: {new}."


def _of_itself(staged: Staged, found: _Names) -> Iterator[str]:
    words, alike = (found.by_words.most_common(1) or [("", 0)])[0]
    primary = found.by_words.total()
    if alike >= FEWEST_ALIKE and alike > primary * MOST_ALIKE:
        yield f"{alike:,} of {primary:,} entries have one name: {words[:60]}."
    if _is_much(found.wordless, found.count, MOST_WORDLESS, FEWEST_WORDLESS):
        yield f"{found.wordless:,} of {found.count:,} names hold no word: columns were shifted?"
    if _is_much(found.damaged, found.count, MOST_DAMAGED, FEWEST_DAMAGED):
        yield f"{found.damaged:,} of {found.count:,} names show a wrong encoding."
    if _is_much(staged.repeated, staged.count, MOST_REPEATED, FEWEST_REPEATED):
        yield f"{staged.repeated:,} entries stand in it twice."


def _is_much(count: int, of: int, share: float, fewest: int) -> bool:
    return count >= fewest and count > of * share


def _changes(staged: Staged) -> Iterator[str]:
    """An entry that went while another came may be the same under another id."""
    renamed = min(staged.added, staged.removed)
    count = staged.changed + renamed
    if _is_much(count, staged.before, MOST_CHANGED, FEWEST_CHANGED):
        yield (
            f"{count:,} of {staged.before:,} entries are not what they were: {staged.changed:,} "
            f"changed, {renamed:,} have another id or were exchanged."
        )
    if _is_much(staged.added - renamed, staged.before, MOST_GROWN, FEWEST_GROWN):
        yield f"It grew from {staged.before:,} entries by {staged.added - renamed:,}."


def _lost(staged: Staged) -> Iterator[str]:
    if _is_much(staged.removed, staged.before, MOST_LOST, FEWEST_LOST):
        yield f"It lost {staged.removed:,} of {staged.before:,} entries."


def _back(staged: Staged, active: ListVersion) -> Iterator[str]:
    """An older state under a newer date, or without one, brings back what had been replaced."""
    version = staged.version
    same = version.source.versions.filter(
        status=ListVersion.Status.RETIRED, sha256=version.sha256
    ).exclude(sha256=active.sha256)
    if earlier := same.first():
        yield f"It is the very file that was loaded on {earlier.loaded_at.date()}, and replaced since."
        return
    gone = ListEntity.objects.filter(source=version.source_id, last_version__isnull=False)
    fresh = ListEntity.objects.filter(first_version=version)
    back = fresh.filter(content_hash__in=gone.values("content_hash")).count()
    if _is_much(back, staged.added + staged.changed, MOST_BACK, FEWEST_BACK):
        new = staged.added + staged.changed
        yield f"{back:,} of {new:,} entries that are new in it are as an earlier version had them."


def _names(active: ListVersion, found: _Names, sample: dict[str, set[int]]) -> Iterator[str]:
    if found.count < active.name_count * (1 - MOST_NAMES_LOST):
        yield f"It holds {found.count:,} names, the active version {active.name_count:,}."
    wanted = {one for entities in sample.values() for one in entities}
    missing = len(wanted - found.canaries)
    if _is_much(missing, len(wanted), MOST_MISSING, FEWEST_MISSING):
        yield f"{missing} of {len(wanted)} names of the active version are not found in it."


def _wanted(staged: Staged, found: _Names) -> Iterator[str]:
    """Of the names that were configured for the list, each one."""
    missing = [
        name for name in staged.version.source.canaries if not {*written_ways(name)} & found.wanted
    ]
    if missing:
        told = ", ".join(f"“{name}”" for name in missing[:5])
        more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        yield f"Names that must be found are not found in it: {told}{more}."


def _read(staged: Staged, sample: dict[str, set[int]]) -> _Names:
    """The names of the version, once."""
    source = staged.version.source
    wanted = {way for name in source.canaries for way in written_ways(name)}
    found = _Names()
    rows = ListName.objects.filter(entity__source=source, entity__last_version=None)
    fields = ("entity_id", "entity__first_version_id", "kind", "text", "tokens")
    for entity, first, kind, text, tokens in rows.values_list(*fields).iterator(chunk_size=5000):
        if first != staged.version.pk and entity not in staged.kept:
            continue
        found.count += 1
        found.damaged += bool(_DAMAGED.search(text))
        found.wordless += sum(map(str.isalpha, text)) < 2
        if kind == "primary":
            found.by_words[tokens] += 1
        found.canaries |= sample.get(tokens, set())
        if wanted and (way := _in_order(tokens)) in wanted:
            found.wanted.add(way)
    return found


def written_ways(name: str) -> Iterator[str]:
    """How a configured name may stand in the index: as that of a person, and of anything else."""
    for person in (True, False):
        yield _in_order(names.parse(name, person=person).text)


def _in_order(tokens: str) -> str:
    return " ".join(sorted(word for word in tokens.split() if word[0] != "~"))


def _sample(staged: Staged, active: ListVersion) -> dict[str, set[int]]:
    """The entries of a sample, by each of their names. The same sample of the same version."""
    standing = ListEntity.objects.filter(source=active.source_id, last_version=None)
    sample = standing.exclude(first_version=staged.version).order_by("content_hash", "pk")
    rows = ListName.objects.filter(entity__in=list(sample.values_list("pk", flat=True)[:CANARIES]))
    found: dict[str, set[int]] = {}
    for entity, tokens in rows.filter(kind="primary").values_list("entity_id", "tokens"):
        found.setdefault(tokens, set()).add(entity)
    return found
