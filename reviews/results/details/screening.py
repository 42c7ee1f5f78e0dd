"""Reads the result of a screening for the page. Each hit is a finding that an analyst can
dismiss.
"""

from __future__ import annotations

import json

from reviews.results.details import same_entity
from reviews.results.kinds import Hit, HitDetails, Screening, SubjectScreening
from reviews.results.reading import (
    number,
    obj,
    objects,
    string,
    text,
    worst_first,
)
from reviews.wire import JsonObject

MAX_HITS = 100
MAX_PEOPLE = 100
# The bands from the worst on. If there are more hits than a page shows, it shows the worst ones.
BANDS = ("identifier_match", "strong", "possible")
# The bands that ask nobody.
QUIET_BANDS = ("discounted", "weak")
VERDICTS_AGAINST = ("fail", "review", "inconclusive")
ENTRY_MEMBERS = ("id", "programs", "positions", "listed_on", "reason")


def screening(data: JsonObject, _: JsonObject) -> Screening:
    kind_of_list = string(data.get("what"), 60)
    words = []
    for word in kind_of_list.casefold().split():
        letters = filter(str.isalnum, word)
        words.append("".join(letters))
    # A case has one part for each kind of list, so the ref names the kind.
    ref = "-".join(["h", *words])
    subject = _subject_screening(data, ref=ref)
    return Screening((subject,))


def people(data: JsonObject, _: JsonObject) -> Screening:
    everybody = data.get("people")
    if not isinstance(everybody, list):
        everybody = []
    people = worst_first(everybody, _gravity_of_person, MAX_PEOPLE)
    subjects = []
    for index, item in enumerate(people):
        person = obj(item)
        if not person:
            continue
        members = obj(person.get("screening"))
        ref = f"p{index}"
        subject = _subject_screening(members, ref=ref, person=person)
        subjects.append(subject)
    not_shown = len(everybody) - len(people)
    return Screening(tuple(subjects), not_shown=not_shown)


def _gravity_of_person(person: object) -> int:
    verdict = string(obj(person).get("verdict"), 40).casefold()
    if verdict in VERDICTS_AGAINST:
        return VERDICTS_AGAINST.index(verdict)
    return len(VERDICTS_AGAINST)


def _band(hit: JsonObject) -> str:
    """The band of a hit, in any spelling. One that the desk does not know is a possible match.

    A service has its own words, and a person must see what they may mean.
    """
    words = string(hit.get("band"), 40).strip()
    band = words.casefold().replace(" ", "_")
    if band in BANDS or band in QUIET_BANDS:
        return band
    return "possible"


def _gravity_of_hit(hit: object) -> int:
    band = _band(obj(hit))
    if band in BANDS:
        return BANDS.index(band)
    return len(BANDS)


def look_up(data: JsonObject) -> SubjectScreening:
    """Reads the answer to a manual look-up. Its hits have the same form as those of a screening."""
    matches = {**data, "matches": data.get("hits")}
    return _subject_screening(matches, ref="u")


def _subject_screening(
    data: JsonObject, *, ref: str, person: JsonObject | None = None
) -> SubjectScreening:
    matches = data.get("matches")
    if not isinstance(matches, list):
        matches = []
    subject = obj(data.get("subject"))
    worst_matches = worst_first(matches, _gravity_of_hit, MAX_HITS)
    read_matches = objects(worst_matches, MAX_HITS)
    hits = []
    for index, hit in enumerate(read_matches):
        row = _hit(f"{ref}-{index}", hit, subject)
        hits.append(row)
    # Hits that the service did not send, and hits beyond the limit of this page.
    left_out_by_service = number(data.get("not_shown")) or 0
    left_out_here = len(matches) - len(hits)
    not_shown = int(left_out_by_service) + left_out_here
    party = person or {}
    name = text(party.get("name"), 300)
    what = text(party.get("what") or data.get("what"), 100)
    words = [word for word in (name, what) if word]
    versions = obj(data.get("versions"))
    return SubjectScreening(
        title=": ".join(words),
        what=what,
        verdict=string(party.get("verdict"), 40),
        explanation=text(party.get("explanation")),
        lists=objects(data.get("lists"), MAX_HITS),
        policy=obj(versions.get("policy")),
        rows=tuple(same_entity.joined(hits, read_matches)),
        not_shown=not_shown,
    )


def _hit(ref: str, hit: JsonObject, subject: JsonObject) -> Hit:
    entry = obj(hit.get("entry"))
    name = obj(hit.get("name"))
    list_version = obj(hit.get("list"))
    # If the service sends no hash of the entry, the entry itself identifies the hit.
    content = string(hit.get("content_hash"), 128) or _canonical(entry)
    identity = (
        text(list_version.get("slug"), 200),
        text(entry.get("id"), 200),
        content,
        _canonical(subject),
    )
    members = {}
    for member in ENTRY_MEMBERS:
        members[member] = text(entry.get(member))
    # Kept as sent: the page shows these members below the heading.
    details = HitDetails(
        list=list_version,
        kind=string(name.get("kind"), 20),
        query=text(name.get("query"), 300),
        schema=string(entry.get("schema"), 40),
        entry=members,
        alignment=objects(hit.get("alignment"), MAX_HITS),
        facts=objects(hit.get("facts"), MAX_HITS),
    )
    return Hit(
        ref=ref,
        boxes=(),
        entry_name=text(name.get("listed"), 300) or "Unnamed entry",
        band=_band(hit),
        score=number(hit.get("score")),
        list_title=text(list_version.get("title"), 200) or "a list that was not named",
        identity=identity,
        has_more_than_name=_has_more_than_name(subject),
        details=details,
    )


def _has_more_than_name(subject: JsonObject) -> bool:
    """Whether facts besides the name were compared. If so, the hit does not rest on the name
    alone.
    """
    if subject.get("date_of_birth") or subject.get("identifiers"):
        return True
    if subject.get("schema") != "Organization":
        return False
    return bool(subject.get("countries"))


def _canonical(members: JsonObject) -> str:
    """A text that is equal for equal content. Never raises, whatever the payload holds."""
    try:
        return json.dumps(members, sort_keys=True, default=str)
    except (RecursionError, ValueError, TypeError):
        return "nested too deeply"
