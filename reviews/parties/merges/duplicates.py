"""Other parties that may be the same: with an equal name or number, or with a similar name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.db.models import Q
from django.utils.translation import gettext as _

from compliance.pages.phrases import in_sentence
from reviews.models import CaseParty, Party, PartyStatement
from reviews.parties import labels, profile, visibility
from reviews.parties.merges import similar_names
from reviews.parties.profile import Profile
from reviews.parties.visibility import Person

MOST_DUPLICATES = 20
# Parties whose days are compared. The best of them are shown.
MOST_READ = 60
# Statements among which duplicates are looked for.
MOST_COMPARED = 400
# Facts by which two parties of one name are told apart.
SIMILAR = "similar name"
NAMES = frozenset({"name", *labels.NAMES.values()})
DAYS = ("date_of_birth", "incorporation_date")


@dataclass
class Duplicate:
    """A party that may be the same, with the reasons."""

    party: Party
    name: str
    reasons: list[str] = field(default_factory=list)
    has_other_day: bool = False


def duplicates(user: Person, read: Profile) -> list[Duplicate]:
    """Other parties with an equal name or number or a similar name, those with the most in common first.

    Those born or founded on another day come last.
    """
    common = _with_equal(user, read)
    for key in similar_names.parties(user, read):
        in_common = common.setdefault(key, {})
        # An equal name is similar, too.
        if NAMES.isdisjoint(in_common):
            in_common[SIMILAR] = None
    # Parties, names and words are read for the best results only.
    best = sorted(common, key=lambda key: (-len(common[key]), key))[:MOST_READ]
    parties = Party.objects.in_bulk(best)
    links = visibility.newest_links(user, best)
    names = profile.names_in(links)
    days = _days_of(links)
    own_days = _own_days(read)
    lines = []
    for key in best:
        name = names.get(key, _("Party %(number)d") % {"number": key})
        # Several labels may have the same words.
        all_reasons = [_reason(label) for label in common[key]]
        reasons = list(dict.fromkeys(all_reasons))
        line = Duplicate(parties[key], name, reasons)
        _compare_days(line, own_days, days.get(key, {}))
        lines.append(line)
    # Of many namesakes those that were born on the same day come first.
    lines.sort(key=lambda line: (line.has_other_day, -len(line.reasons)))
    return lines[:MOST_DUPLICATES]


def _with_equal(user: Person, read: Profile) -> dict[int, dict[str, None]]:
    """The labels of names and numbers that other parties have in common with this one."""
    digests = _digests(read)
    if not digests:
        return {}
    head = read.head
    # The party itself and those merged with it are no duplicates.
    is_own = Q(case_party__party=head.pk) | Q(case_party__party__head=head.pk)
    rows = visibility.statements(user).filter(pk__in=_newest_stating(digests))
    rows = rows.exclude(is_own).order_by("-id")
    party = "case_party__party"
    pairs = rows.values_list(
        "label", party, f"{party}__kind", f"{party}__head", f"{party}__head__kind"
    )
    # More rows than results: several statements may belong to one party.
    common: dict[int, dict[str, None]] = {}
    for label, own, kind, joined, joined_kind in pairs[: MOST_DUPLICATES * 10]:
        if labels.may_be_same(head.kind, joined_kind or kind):
            common.setdefault(joined or own, {})[label] = None
    return common


def _days_of(links: Iterable[CaseParty]) -> dict[int, dict[str, set[str]]]:
    """The days that these links state, by the number of the head and by label."""
    by_link = {link.pk: link for link in links}
    rows = PartyStatement.objects.filter(
        case_party__in=by_link, label__in=DAYS, replaced_at=None
    )
    days: dict[int, dict[str, set[str]]] = {}
    for row in rows:
        head = by_link[row.case_party_id].party.head_id_or_own
        of_head = days.setdefault(head, {})
        of_head.setdefault(row.label, set()).add(row.value)
    return days


def _own_days(read: Profile) -> dict[str, set[str]]:
    days: dict[str, set[str]] = {}
    for line in read.facts:
        label = line.statements[0].label
        if label in DAYS and not line.is_replaced:
            days.setdefault(label, set()).add(line.value)
    return days


def _compare_days(
    line: Duplicate, own: Mapping[str, set[str]], theirs: Mapping[str, set[str]]
) -> None:
    """Add whether they were born or founded on the same day, where both sides state one."""
    for label in DAYS:
        if not own.get(label) or not theirs.get(label):
            continue
        if own[label] & theirs[label]:
            line.reasons.append(_reason(label))
        else:
            words = in_sentence(labels.LABELS[label])
            line.reasons.append(_("another %(label)s") % {"label": words})
            line.has_other_day = True


def _reason(label: str) -> str:
    if label == SIMILAR:
        return _("similar name")
    words = in_sentence(labels.LABELS.get(label, label))
    return _("same %(label)s") % {"label": words}


def _newest_stating(digests: set[str]) -> list[int]:
    """The newest statements of these names and numbers: thousands may have one name, and of all of them
    the cases and parties would be read."""
    # The index holds no empty ones. Of more than a hundred values PostgreSQL does not see that none is.
    rows = PartyStatement.objects.filter(digest__in=digests).exclude(digest="")
    keys = rows.order_by().values_list("pk", flat=True)
    return sorted(keys, reverse=True)[:MOST_COMPARED]


def _digests(read: Profile) -> set[str]:
    digests = set()
    for line in (*read.names, *read.identifiers):
        digests |= {statement.digest for statement in line.statements}
    return digests - {""}
