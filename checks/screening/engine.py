"""Screens a subject against lists: which entries may be the subject, how certain that is,
and why.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from checks.screening import corroboration, own_letters, readable, tunables
from checks.screening.corroboration import Fact, Stand
from checks.screening.identifiers import normal_forms
from checks.screening.lists import Candidate, ListEntry, Lists, parsed
from checks.screening.matching import added_words, names, one_word, readings
from checks.screening.matching.alignment import align
from checks.screening.matching.names import Name
from checks.screening.matching.parts import frequent_names
from checks.screening.matching.scoring import Alignment, Pair
from checks.screening.matching.weights import SYLLABLES, full_words
from checks.screening.policy import ALERTING, DEFAULT, Band, Policy
from checks.screening.records import (
    Entity,
    ListedName,
    ListVersion,
    Payload,
    Subject,
)
from checks.screening.romanisation import coarse, phonetics, scripts
from checks.screening.romanisation.languages import Reading

# The rank of a company name with common words beside it, among the names of one entity.
WHOLE_NAME = DEFAULT.possible_company

_BANDS: tuple[Band, ...] = (
    "identifier_match",
    "strong",
    "possible",
    "discounted",
    "weak",
)


@dataclass(frozen=True, slots=True)
class Match:
    """An entry that may be the subject. The alignment and the facts are the reasons."""

    entry: ListEntry
    name: ListedName
    query: str
    score: float
    band: Band
    pairs: Sequence[Pair]
    facts: Sequence[Fact]
    # The attested name is in another script than the listed one.
    other_script: bool = False

    @property
    def is_alert(self) -> bool:
        return self.band in ALERTING

    @property
    def born_alike(self) -> bool:
        return "birth_date" in _fields(self.facts, "corroborates")

    def to_wire(self) -> Payload:
        entity = self.entry.entity
        version = self.entry.version
        return {
            "list": {
                "slug": version.slug,
                "title": version.title,
                "version": version.version,
                "published_at": version.published_at,
                "sha256": version.sha256,
            },
            "entry": entity.to_wire(),
            "content_hash": entity.content_hash,
            "name": {
                "query": self.query,
                "listed": self.name.text,
                "kind": self.name.kind,
            },
            "score": round(self.score, 3),
            "band": self.band,
            "alignment": [pair.to_wire() for pair in self.pairs],
            "facts": [fact.to_wire() for fact in self.facts],
        }


def _fields(facts: Sequence[Fact], stand: Stand) -> list[str]:
    """Return the fields of the facts with this stand."""
    return [fact.field for fact in facts if fact.stand == stand]


@dataclass(frozen=True, slots=True)
class Screening:
    """All matches, the most serious first, and the lists that were searched."""

    matches: Sequence[Match]
    lists: Sequence[ListVersion]
    policy: Policy
    # Reasons, in sentences, why names of the subject could not be compared.
    not_compared: Sequence[str] = ()
    # What was compared less surely, in sentences, where that is too little to change the answer.
    remarks: Sequence[str] = ()

    @property
    def alerts(self) -> list[Match]:
        return [match for match in self.matches if match.is_alert]

    @property
    def best_band(self) -> Band | None:
        if not self.matches:
            return None
        return self.matches[0].band


@dataclass(frozen=True, slots=True)
class _NameMatch:
    """The best name of an entity for the subject."""

    score: float
    query: str
    candidate: Candidate
    alignment: Alignment
    other_script: bool
    # How the query was read.
    reading: Reading = "usual"

    @property
    def rank(self) -> float:
        """The value by which the best name of an entity is chosen."""
        if self.candidate.name.script == coarse.SCRIPT:
            # It makes a doubt at most, and must not stand in the place of a hit.
            return min(self.score, DEFAULT.weak)
        if self.candidate.name.person:
            return self.score
        if added_words.are_common(self.alignment.pairs):
            return max(self.score, WHOLE_NAME)
        return self.score

    @property
    def names(self) -> tuple[Name, Name]:
        name = self.candidate.name
        query = names.parse(self.query, person=name.person, reading=self.reading)
        return query, name


def compare(query: str, entry: str, *, schema: str = "Person") -> float:
    """Return the similarity of two names, from 0 to 1, as the engine scores a listed name."""
    return explain(query, entry, schema=schema).score


def explain(query: str, entry: str, *, schema: str = "Person") -> Alignment:
    person = schema == "Person"
    alignments: list[Alignment] = []
    texts = names.alternatives(query, person=person)
    for query_text, reading in _readings(texts, person=person):
        query_name = names.parse(query_text, person=person, reading=reading)
        for entry_text in names.alternatives(entry, person=person):
            is_latin = scripts.is_latin(entry_text)
            ways = names.readings_of_listed(
                entry_text, person=person, has_latin_name=is_latin
            )
            for listed_as in ways:
                entry_name = names.parse(entry_text, person=person, reading=listed_as)
                alignments.append(align(query_name, entry_name))
    return max(alignments, key=_score)


def _score(alignment: Alignment) -> float:
    return alignment.score


def screen(
    subject: Subject,
    lists: Lists,
    *,
    topics: Collection[str] = (),
    policy: Policy = DEFAULT,
) -> Screening:
    """Match a subject against all entries of the topics (all entries if no topic is given).

    Candidates come from an index of names and from equal identifiers. Only these are compared in
    full.
    """
    # Step 1: find candidates by name and by identifier.
    name_matches = _by_name(subject, lists, topics, policy)
    numbers = set(name_matches)
    if subject.identifiers:
        for number, _ in lists.with_identifiers(subject.identifiers, topics=topics):
            numbers.add(number)
    # Step 2: compare each candidate with all its facts, and put it into a band.
    matches: list[Match] = []
    for number, entry in lists.entities(numbers).items():
        listed_for = entry.entity.topics
        # A list may have entries of several topics, and this check asks for only some of them.
        if topics and listed_for and set(topics).isdisjoint(listed_for):
            continue
        match = _match(subject, entry, name_matches.get(number), policy)
        if match is not None:
            matches.append(match)
    matches.sort(key=_order)
    versions = lists.versions(topics)
    remarks = readable.in_other_letters(subject, versions, is_material=False)
    not_compared = readable.not_compared(subject)
    not_compared += _faults(subject)
    if not any(match.is_alert for match in matches):
        # Doubts turn a pass into inconclusive. With a hit there is no pass anyway.
        not_compared += _doubts(subject, matches)
        not_compared += readable.in_other_letters(subject, versions, is_material=True)
        if not not_compared and readable.is_too_little(subject):
            not_compared.append("One word alone is too little to find a person by.")
    return Screening(matches, versions, policy, not_compared, remarks)


def _faults(subject: Subject) -> list[str]:
    """Return what is wrong with each number that cannot be right, once."""
    faults = [
        normal_forms.fault(identifier.kind, identifier.value)
        for identifier in subject.identifiers
    ]
    return list(dict.fromkeys(filter(None, faults)))


def _doubts(subject: Subject, matches: Sequence[Match]) -> list[str]:
    """Return sentences about names that are no hits, but may still be the subject's: one of each
    kind.
    """
    likely = [match for match in matches if _may_be_meant(match)]
    doubts = _like_in_other_letters(likely) or _like_in_another_romanisation(likely)
    if subject.is_person:
        doubts += _within_longer_name(likely) or _part_of_longer_name(likely)
    return doubts


def _like_in_other_letters(matches: Sequence[Match]) -> list[str]:
    """Report a listed name that is similar to one in another script, where comparison is less
    certain.
    """
    for match in matches:
        is_latin = scripts.is_latin(match.query)
        if match.other_script and not is_latin:
            is_doubted = True
        else:
            # Otherwise the name of the entry in Latin letters decides, if it has one.
            is_doubted = is_latin and not match.entry.entity.has_latin_name
        if is_doubted:
            return [
                f"{_entry_of(match)} is like “{match.query}”, "
                "as far as names in other letters can be compared."
            ]
    return []


def _like_in_another_romanisation(matches: Sequence[Match]) -> list[str]:
    """Report a listed name that equals the subject's name only in a less likely romanisation."""
    for match in matches:
        if any(pair.how in _ROMANISED for pair in match.pairs):
            return [
                f"{_entry_of(match)} may be “{match.query}” in another romanisation."
            ]
    return []


_ROMANISED = frozenset([readings.HOW, readings.HOW_UNLIKELY])


def _within_longer_name(matches: Sequence[Match]) -> list[str]:
    """Report a listed person whose names are all among the subject's.

    Passports have more names than lists.
    """
    for match in matches:
        if _is_within(match.pairs):
            entry = _entry_of(match)
            return [
                f"“{match.query}” has all names of {entry}, or names like them, and more."
            ]
    return []


def _part_of_longer_name(matches: Sequence[Match]) -> list[str]:
    """Report a listed person with all names of the subject and more, if one of them is rare.

    Antonio Guterres is enough for people who have four names in their passport.
    """
    for match in matches:
        if _is_rare_part(match.pairs):
            entry = _entry_of(match)
            return [f"All names of “{match.query}” are among those of {entry}."]
    return []


def _is_rare_part(pairs: Sequence[Pair]) -> bool:
    """Whether the listed name has all names of the query, two at least, and not only frequent
    ones.
    """
    words: list[str] = []
    for pair in pairs:
        if not pair.query or pair.weight <= tunables.FULL_WORD:
            continue
        if not pair.entry or pair.score < tunables.SAME_WORD:
            return False
        words += pair.entry.split()
    if len(words) < tunables.NAMES_OF_PERSON:
        return False
    return not all(map(frequent_names.is_frequent, words))


def _entry_of(match: Match) -> str:
    return f"“{match.name.text}” on {match.entry.version.title}"


def _may_be_meant(match: Match) -> bool:
    """Whether the name is a weak match and no fact contradicts it."""
    return match.band == "weak" and not _speaks_against(match.facts)


def _is_within(pairs: Sequence[Pair]) -> bool:
    """Whether the query has every name of the listed person, and there are at least two."""
    return _names_within(pairs) > 1


def _names_within(pairs: Sequence[Pair]) -> int:
    """Return the number of names of the listed person if the query has all of them, else 0."""
    count = 0
    for pair in pairs:
        if not pair.entry or pair.weight <= tunables.FULL_WORD:
            continue
        if not pair.query or pair.score < tunables.SAME_WORD:
            return 0
        count += len(pair.entry.split())
    return count


def _tell_by_themselves(pairs: Sequence[Pair]) -> bool:
    """Whether the query has all names of the listed person, at least three different ones.

    It is not enough if all of them are very common names: Abdullahi Osman Mohamed.
    """
    if not _is_within(pairs):
        return False
    words: set[str] = set()
    for pair in pairs:
        if pair.entry and pair.weight > tunables.FULL_WORD:
            words.update(pair.entry.split())
    if len({phonetics.spelling(word) for word in words}) < tunables.NAMES_WITHIN:
        return False
    return not words <= frequent_names.common()


def _stand_together(query: Name, entry: Name) -> bool:
    """Whether the syllables of a listed given name stand together in the query, in their order.

    In Hangul and Han every syllable is a word, and a whole name has three: found one here and one
    there among the syllables of two given names, they are no name. The family name comes first in
    lists, and may stand anywhere in the query.
    """
    if query.script not in SYLLABLES:
        return True
    entry_rest = entry.tokens[1:]
    starts = range(len(query.tokens) - len(entry_rest) + 1)
    for at in starts:
        if query.tokens[at : at + len(entry_rest)] == entry_rest:
            return True
    return False


def _by_name(
    subject: Subject, lists: Lists, topics: Collection[str], policy: Policy
) -> dict[int, _NameMatch]:
    """Return the best name of each entity that a name of the subject leads to."""
    best: dict[int, _NameMatch] = {}
    for text, reading in _readings(_texts(subject), person=subject.is_person):
        query = names.parse(text, person=subject.is_person, reading=reading)
        if not query.tokens:
            continue
        limit = policy.candidates
        # Several lists have the same name of a person.
        alignments: dict[Name, Alignment] = {}
        for candidate in lists.candidates(query, topics=topics, limit=limit):
            name = candidate.name
            if name not in alignments:
                alignments[name] = _align(query, name, policy)
            match = _name_match(text, query, candidate, alignments[name], policy)
            if match is None:
                continue
            match = replace(match, reading=reading)
            earlier = best.get(candidate.entity)
            if earlier is None or match.rank > earlier.rank:
                best[candidate.entity] = match
    return best


def _readings(texts: Iterable[str], *, person: bool) -> Iterator[tuple[str, Reading]]:
    """Yield each text with each way to read it."""
    for text in texts:
        for reading in names.readings(text, person=person):
            yield text, reading


def _texts(subject: Subject) -> Iterator[str]:
    """Yield each name once, and the names between slashes."""
    texts: dict[str, None] = {}
    for name in subject.names:
        for text in names.alternatives(name, person=subject.is_person):
            is_vessel = subject.schema == "Vessel"
            forms = names.of_vessel(text) if is_vessel else [text]
            texts.update(dict.fromkeys(forms))
    yield from texts


def _align(query: Name, entry: Name, policy: Policy) -> Alignment:
    longer = tunables.LONGER_NAME if query.person else tunables.LONGER_COMPANY
    return align(query, entry, least=min(longer, policy.weak))


def _name_match(
    text: str, query: Name, candidate: Candidate, alignment: Alignment, policy: Policy
) -> _NameMatch | None:
    score = alignment.score
    if candidate.listed_name.kind == "weak":
        score *= policy.weak_alias
    # A name that holds the whole listed name is kept despite a low score: the words beside it lower
    # the score.
    if score < policy.weak and not _is_kept(alignment.pairs, person=query.person):
        return None
    # Also names in Cyrillic or Greek letters count as another script than a Latin listed name.
    other_script = query.script != candidate.name.script
    if not other_script and not scripts.is_latin(text):
        other_script = scripts.is_latin(candidate.listed_name.text)
    return _NameMatch(score, text, candidate, alignment, other_script)


def _is_kept(pairs: Sequence[Pair], *, person: bool) -> bool:
    if person:
        return _is_within(pairs)
    return added_words.holds_all(pairs) or added_words.are_of_trade(pairs)


def _match(
    subject: Subject, entry: ListEntry, name_match: _NameMatch | None, policy: Policy
) -> Match | None:
    # The order of these rules is deliberate: an equal identifier decides alone. Then the name and
    # the facts give a band, and only then special rules for longer names lower or raise it.
    facts = corroboration.facts(subject, entry.entity, policy)
    band: Band
    if "identifier" in _fields(facts, "corroborates"):
        name_match = name_match or _best_name(subject, entry.entity)
        band = "identifier_match"
    elif name_match is None:
        return None
    else:
        if one_word.is_all(*name_match.names):
            facts = one_word.with_country_against(facts, name_match.alignment.pairs)
        band = _band(name_match, facts, subject, policy)
        if band == "possible" and _has_fuller_name(name_match, facts, entry.entity):
            band = "weak"
        if band == "weak" and not subject.is_person:
            if _has_common_words_beside(name_match, entry.entity):
                band = "discounted" if _speaks_against(facts) else "possible"
            elif name_match.score < policy.weak:
                return None
    return Match(
        entry=entry,
        name=name_match.candidate.listed_name,
        query=name_match.query,
        score=name_match.score,
        band=band,
        pairs=name_match.alignment.pairs,
        facts=facts,
        other_script=name_match.other_script,
    )


def _best_name(subject: Subject, entity: Entity) -> _NameMatch:
    """Return the best name of an entry that was found by its identifier, whatever its score is."""
    best: _NameMatch | None = None
    for text in subject.names or ("",):
        query = names.parse(text, person=subject.is_person)
        for candidate in _candidates_of(entity):
            alignment = align(query, candidate.name)
            score = alignment.score
            if best is None or score > best.score:
                best = _NameMatch(score, text, candidate, alignment, other_script=False)
    if best is None:
        raise ValueError("a list entry without a name")
    return best


def _candidates_of(entity: Entity) -> Iterator[Candidate]:
    for listed_name in entity.names:
        readings_of_name = parsed(listed_name, entity)
        if not readings_of_name:
            readings_of_name = [names.parse(listed_name.text, person=False)]
        for name in readings_of_name:
            yield Candidate(0, listed_name, name)


def _band(
    match: _NameMatch, facts: Sequence[Fact], subject: Subject, policy: Policy
) -> Band:
    # A weak match is listed, but needs no review.
    if match.score < _least_score(match, facts, subject, policy):
        return "weak"
    if not _fields(facts, "corroborates") and not _is_enough(match):
        return "weak"
    # A contradicting fact discounts the match, except for one self-attested fact of a name that is
    # alike enough.
    against = _fields(facts, "contradicts")
    if not against:
        is_strong = match.score >= policy.strong
        if not _fields(facts, "corroborates") and _is_less_sure(match):
            is_strong = False
        return "strong" if is_strong else "possible"
    least = _SCORES_BESIDE.get(against[0])
    if len(against) == 1 and least is not None and match.score >= least:
        return "possible"
    return "discounted"


def _is_less_sure(match: _NameMatch) -> bool:
    """Whether the names may be those of two, however alike they sound."""
    if own_letters.are_others(match.query, match.candidate.listed_name.text):
        return True
    return _has_slip(match)


def _has_slip(match: _NameMatch) -> bool:
    """Whether a word differs in a way that is a typing error as often as another name."""
    has_slip = _is_slip if match.candidate.name.person else one_word.may_be_two
    for pair in match.alignment.pairs:
        is_telling = pair.weight > tunables.FULL_WORD
        if is_telling and pair.query and pair.entry and has_slip(pair):
            return True
    return False


def _is_slip(pair: Pair) -> bool:
    """Whether a short word is spelt otherwise (Kosin and Kostin), or a longer one in more than a letter
    (Wisniewski and Wisniewicz) or with another vowel (Bergmann and Burgmann).
    """
    if pair.how in _LESS_SURE:
        return True
    if pair.how == "spelling variant":
        return frequent_names.are_other_names(pair.query, pair.entry)
    if pair.how != "spelling":
        return False
    letters = max(len(pair.query), len(pair.entry))
    is_far = pair.score < tunables.SURE_WITH_SLIP
    if is_far or letters <= tunables.SHORT_WITH_SLIP:
        return True
    return one_word.has_other_vowel(pair.query, pair.entry)


# Of these words letters are lacking, or long vowels are others.
_LESS_SURE = frozenset(
    {"same consonants", "cut short", "transliteration, other vowels"}
)


# One wrong value of a form must not clear a person: from these scores on, one fact that only the
# subject attests discounts nothing. Two people of one name may differ in their birth dates. But
# their gender shows in their names already, so that this fact hardly tells two people apart.
_SCORES_BESIDE: Mapping[str, float] = {
    "birth_date": tunables.BESIDE_OTHER_BIRTH_DATE,
    "gender": tunables.BESIDE_OTHER_GENDER,
}


def _has_fuller_name(match: _NameMatch, facts: Sequence[Fact], entity: Entity) -> bool:
    """Whether the query has a different extra word than a fuller name of the same entry.

    “Shadi Nain Saab Ali” has all words of the alias “Shadi Nain Saab”, but the listed person is
    “Shadi Nain Saab Certain”.
    """
    pairs = match.alignment.pairs
    if not entity.is_person or _fields(facts, "corroborates"):
        return False
    query, entry = match.names
    added = _added_names(pairs)
    if not added or query.script or not _is_within(pairs):
        return False
    entry_spellings = set(map(phonetics.spelling, entry.tokens))
    for listed_name in entity.names:
        if not scripts.is_latin(listed_name.text):
            continue
        full_name = names.parse(listed_name.text, person=True)
        if not entry_spellings <= set(map(phonetics.spelling, full_name.tokens)):
            continue
        more = set(map(phonetics.spelling, full_words(full_name))) - entry_spellings
        if more and added.isdisjoint(more):
            return True
    return False


def _added_names(pairs: Sequence[Pair]) -> set[str]:
    """Return the names of the query that the listed name does not have."""
    added = set()
    for pair in pairs:
        if not pair.entry and pair.weight > tunables.FULL_WORD:
            added.add(phonetics.spelling(pair.query))
    return added


def _least_score(
    match: _NameMatch, facts: Sequence[Fact], subject: Subject, policy: Policy
) -> float:
    """Return the score that a name needs for a hit, depending on the other facts."""
    is_same_day = any(fact.how == corroboration.SAME_DAY for fact in facts)
    weak = policy.weak
    if is_same_day and subject.is_person and _is_within(match.alignment.pairs):
        weak = min(weak, match.score)
    backing = _fields(facts, "corroborates")
    if is_same_day or ("birth_date" in backing and len(backing) > 1):
        # With the same day of birth, or the same year and another fact, the name may differ more.
        return weak
    are_alike = subject.is_person and not match.other_script
    are_alike = are_alike and _stand_together(*match.names)
    if are_alike and _tell_by_themselves(match.alignment.pairs):
        return weak
    least = policy.possible_person if subject.is_person else policy.possible_company
    if match.other_script and not backing:
        least = max(least, policy.possible_other_script)
    return max(least, weak)


def _has_common_words_beside(match: _NameMatch, entity: Entity) -> bool:
    """Whether the query is the whole listed company name with words that many companies add: Mahan
    Air Iran.
    """
    return _is_enough(match) and added_words.are_common(match.alignment.pairs, entity)


def _speaks_against(facts: Sequence[Fact]) -> bool:
    return bool(_fields(facts, "contradicts"))


def _is_enough(match: _NameMatch) -> bool:
    """Whether the name alone can be a hit. A single word of a company is not always enough."""
    if not one_word.is_all(*match.names):
        return True
    is_weak = match.candidate.listed_name.kind == "weak"
    return not is_weak and one_word.carries(*match.names, match.alignment.pairs)


# The rank of a stand when matches are sorted, the best first.
_RANKS: Mapping[Stand, int] = {
    "corroborates": 0,
    "close": 1,
    "unknown": 2,
    "contradicts": 3,
}


def _order(match: Match) -> tuple[int, int, int, float, str, str]:
    stands = {fact.field: fact.stand for fact in match.facts}
    birth_date = stands.get("birth_date", "unknown")
    nationality = stands.get("nationality", "unknown")
    return (
        _BANDS.index(match.band),
        _RANKS[birth_date],
        _RANKS[nationality],
        -match.score,
        match.entry.version.slug,
        match.entry.entity.id,
    )
