"""Plausibility checks: why a readable version of a list is held for a person's decision.

Each limit is a share (MOST_…) that applies from a minimum count on (FEWEST_…), so that small lists
are not held for a few entries.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import timedelta

from django.utils.timezone import now

from agenthub.models.lists import ListEntity, ListName, ListVersion
from checks.screening.matching import names
from checks.screening.tunables import LONGEST_COMPARED

# The share of names by which a version may be smaller than the active one.
MOST_NAMES_LOST = 0.05
# Removed entries. Publishers remove few at a time; a truncated file lost more.
MOST_LOST, FEWEST_LOST = 0.02, 5
# New entries whose content an earlier version already had.
MOST_BACK, FEWEST_BACK = 0.5, 3
# Changed entries.
MOST_CHANGED, FEWEST_CHANGED = 0.2, 3
# Growth. Lists usually grow by a few percent at a time; in the worst weeks of 2022 by a third.
MOST_GROWN, FEWEST_GROWN = 0.5, 20
# The number of names of the active version that are looked for in the new one, and how many may be
# missing.
CANARIES, MOST_MISSING, FEWEST_MISSING = 50, 0.1, 2
# Names that are identical, that contain no word, or that show a wrong encoding.
MOST_ALIKE, FEWEST_ALIKE = 0.3, 5
MOST_WORDLESS, FEWEST_WORDLESS = 0.05, 3
MOST_DAMAGED, FEWEST_DAMAGED = 0.01, 3
# Entries that the file repeats.
MOST_REPEATED, FEWEST_REPEATED = 0.05, 3
# Entries with the id of another entry, as where another column was taken for the id.
MOST_SAME_IDS, FEWEST_SAME_IDS = 0.05, 3
# Signs of a wrong encoding: UTF-8 read as Latin-1, replacement characters, question marks inside of
# words, and escapes of HTML, of programs or of URLs.
_DAMAGED = re.compile(
    "\ufffd|[ÃÂ][\u0080-\u00bf\u20ac\u2018-\u201e\u2020-\u2030]|â€|[ÐÑ][\u0080-\u00bf\u2018-\u201e]"
    r"|[^\W\d_]\?[^\W\d_]|\?{2,}"
    r"|&(?:#\d{2,5}|[A-Za-z](?:acute|grave|circ|uml|tilde|cedil|caron|ring|slash)|amp|quot|apos|[lg]t)\b"
    r"|\\[ux][0-9A-Fa-f]{2}|%[0-9A-F]{2}(?=\w|%)"
)


@dataclass(frozen=True, slots=True)
class Staged:
    """A version that was read. `before` and `removed` count entries of the active version,
    `repeated` those that the file contains twice, `same_ids` those whose id another entry has.
    `unchanged` holds the ids of rows."""

    version: ListVersion
    published_at: str
    unchanged: Collection[int]
    before: int
    added: int
    changed: int
    removed: int
    count: int = 0
    repeated: int = 0
    same_ids: int = 0


@dataclass(slots=True)
class _Names:
    """Counts over the names of a version."""

    count: int = 0
    damaged: int = 0
    wordless: int = 0
    # Longer than the part of a name that is compared.
    too_long: int = 0
    by_words: Counter[str] = field(default_factory=Counter)  # of the primary names
    # Ids of entries of the sample that the version contains.
    sample: set[int] = field(default_factory=set)
    # Configured names that the version contains.
    canaries: set[str] = field(default_factory=set)

    def count_faults(self, text: str) -> None:
        self.damaged += bool(_DAMAGED.search(text))
        self.too_long += len(text) > LONGEST_COMPARED
        self.wordless += sum(map(str.isalpha, text)) < 2


def reasons(staged: Staged) -> list[str]:
    """The reasons to hold the version: those of the version itself, and those of its changes."""
    active = staged.version.source.versions.filter(
        status=ListVersion.Status.ACTIVE
    ).first()
    sample = _sample(staged, active) if active else {}
    counts = _count_names(staged, sample)
    sentences = [
        *_dates(staged.published_at, active.published_at if active else ""),
        *_names_and_repeats(staged, counts),
        *_missing_canaries(staged, counts),
    ]
    if active:
        sentences += [
            *_changes(staged),
            *_losses(staged),
            *_old_entries(staged, active),
            *_missing_names(active, counts, sample),
        ]
    return sentences


def _dates(new: str, active: str) -> Iterator[str]:
    if new and new < active:
        yield f"It is of {new}, older than the active version of {active}."
    elif new != active and new > (now() + timedelta(days=1)).date().isoformat():
        yield f"It is dated in the future: {new}."


def _names_and_repeats(staged: Staged, counts: _Names) -> Iterator[str]:
    entries = counts.by_words.total()
    for words, alike in counts.by_words.most_common(1):
        if alike >= FEWEST_ALIKE and alike > entries * MOST_ALIKE:
            yield f"{alike:,} of {entries:,} entries have one name: {words[:60]}."
    total = counts.count
    wordless = counts.wordless
    if _is_much(wordless, total, MOST_WORDLESS, FEWEST_WORDLESS):
        yield f"{wordless:,} of {total:,} names hold no word: columns were shifted?"
    damaged = counts.damaged
    if _is_much(damaged, total, MOST_DAMAGED, FEWEST_DAMAGED):
        yield f"{damaged:,} of {total:,} names show a wrong encoding."
    repeated = staged.repeated
    if _is_much(repeated, staged.count, MOST_REPEATED, FEWEST_REPEATED):
        yield f"{repeated:,} entries stand in it twice."
    same_ids = staged.same_ids
    if _is_much(same_ids, staged.count, MOST_SAME_IDS, FEWEST_SAME_IDS):
        yield f"{same_ids:,} of {staged.count:,} entries have the id of another entry."
    if counts.too_long:
        # No name of the lists of OFAC, EU, UN and UK has more than 245 characters.
        yield (
            f"{counts.too_long:,} of {total:,} names are longer than {LONGEST_COMPARED} characters,"
            " and cannot be compared whole."
        )


def _is_much(count: int, of: int, share: float, fewest: int) -> bool:
    return count >= fewest and count > of * share


def _changes(staged: Staged) -> Iterator[str]:
    """An entry that disappeared while another appeared may be the same entry with another id."""
    before = staged.before
    renamed = min(staged.added, staged.removed)
    count = staged.changed + renamed
    if _is_much(count, before, MOST_CHANGED, FEWEST_CHANGED):
        yield (
            f"{count:,} of {before:,} entries are not what they were: {staged.changed:,} "
            f"changed, {renamed:,} have another id or were exchanged."
        )
    growth = staged.added - renamed
    if _is_much(growth, before, MOST_GROWN, FEWEST_GROWN):
        yield f"It grew from {before:,} entries by {growth:,}."


def _losses(staged: Staged) -> Iterator[str]:
    if _is_much(staged.removed, staged.before, MOST_LOST, FEWEST_LOST):
        yield f"It lost {staged.removed:,} of {staged.before:,} entries."


def _old_entries(staged: Staged, active: ListVersion) -> Iterator[str]:
    """An outdated file with a newer date, or without a date, brings back replaced content."""
    version = staged.version
    earlier_versions = version.source.versions.filter(status=ListVersion.Status.RETIRED)
    same_file = (
        earlier_versions.filter(sha256=version.sha256)
        .exclude(sha256=active.sha256)
        .first()
    )
    if same_file:
        day = same_file.loaded_at.date()
        yield f"It is the very file that was loaded on {day}, and replaced since."
        return
    entities = ListEntity.objects.filter(
        source=version.source_id, last_version__isnull=False
    )
    old_hashes = entities.values("content_hash")
    new_entities = ListEntity.objects.filter(first_version=version)
    count = new_entities.filter(content_hash__in=old_hashes).count()
    total = staged.added + staged.changed
    if _is_much(count, total, MOST_BACK, FEWEST_BACK):
        yield f"{count:,} of {total:,} entries that are new in it are as an earlier version had them."


def _missing_names(
    active: ListVersion, counts: _Names, sample: dict[str, set[int]]
) -> Iterator[str]:
    if counts.count < active.name_count * (1 - MOST_NAMES_LOST):
        yield f"It holds {counts.count:,} names, the active version {active.name_count:,}."
    entities: set[int] = set()
    for entities_of_name in sample.values():
        entities |= entities_of_name
    missing = len(entities - counts.sample)
    if _is_much(missing, len(entities), MOST_MISSING, FEWEST_MISSING):
        yield f"{missing} of {len(entities)} names of the active version are not found in it."


def _missing_canaries(staged: Staged, counts: _Names) -> Iterator[str]:
    """The names configured for this list that the version does not contain."""
    missing = []
    for name in staged.version.source.canaries:
        if counts.canaries.isdisjoint(written_ways(name)):
            missing.append(f"“{name}”")
    if missing:
        words = ", ".join(missing[:5])
        if len(missing) > 5:
            words = f"{words} and {len(missing) - 5} more"
        yield f"Names that must be found are not found in it: {words}."


def _count_names(staged: Staged, sample: dict[str, set[int]]) -> _Names:
    """Count the names of the version in one pass over its rows."""
    source = staged.version.source
    canaries: set[str] = set()
    for name in source.canaries:
        canaries.update(written_ways(name))
    counts = _Names()
    rows = ListName.objects.filter(entity__source=source, entity__last_version=None)
    columns = rows.values_list(
        "entity_id", "entity__first_version_id", "kind", "text", "tokens"
    )
    for entity, first, kind, text, tokens in columns.iterator(chunk_size=5000):
        if first != staged.version.pk and entity not in staged.unchanged:
            continue
        counts.count += 1
        counts.count_faults(text)
        if kind == "primary":
            counts.by_words[tokens] += 1
        counts.sample |= sample.get(tokens, set())
        if canaries:
            counts.canaries |= canaries & {_in_order(tokens)}
    return counts


def written_ways(name: str) -> Iterator[str]:
    """How the index may store a configured name: parsed as a person's, and as any other."""
    for person in (True, False):
        parsed = names.parse(name, person=person)
        yield _in_order(parsed.text)


def _in_order(tokens: str) -> str:
    # Leave out titles, which the index marks with "~".
    return " ".join(sorted(word for word in tokens.split() if word[0] != "~"))


def _sample(staged: Staged, active: ListVersion) -> dict[str, set[int]]:
    """A sample of entries: primary name → ids. The order by hash makes it repeatable."""
    entities = ListEntity.objects.filter(source=active.source_id, last_version=None)
    entities = entities.exclude(first_version=staged.version).order_by(
        "content_hash", "pk"
    )
    pks = list(entities.values_list("pk", flat=True)[:CANARIES])
    rows = ListName.objects.filter(entity__in=pks, kind="primary")
    sample: dict[str, set[int]] = {}
    for entity, tokens in rows.values_list("entity_id", "tokens"):
        sample.setdefault(tokens, set()).add(entity)
    return sample
