"""Reader of OFAC's advanced XML (SDN_ADVANCED.XML, CONS_ADVANCED.XML).

Names with their scripts, numbers, places and programmes are parts that refer to each other by
id."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from agenthub.screening.formats.base import (
    Header,
    ListError,
    Options,
    codes,
    date,
    dates,
    gender,
    identifier,
    listed_names,
    present,
    unique,
)
from agenthub.screening.formats.files import Files, single
from agenthub.screening.formats.publishers.xml_parts import at_depth
from checks.screening.records import BirthDate, Entity, Identifier, NameKind, Schema
from papers import countries

ROOT = "Sanctions"
_INDIVIDUAL, _ENTITY, _VESSEL, _AIRCRAFT = "Individual", "Entity", "Vessel", "Aircraft"
_SCHEMAS: dict[str, Schema] = {
    _INDIVIDUAL: "Person", _ENTITY: "Organization", _VESSEL: "Vessel", _AIRCRAFT: "Aircraft",
}  # fmt: skip
_LATIN = "Latin"
# Types of the features of a party, in the wording of the file.
_BIRTH_DATE, _BIRTH_PLACE, _GENDER = "Birthdate", "Place of Birth", "Gender"
_TITLE, _LOCATION = "Title", "Location"
_NATIONALITIES = ("Nationality Country", "Citizenship Country")
_FLAGS = ("Nationality of Registration", "Vessel Flag")
# Words in the type of a feature that is a number: a wallet address, a SWIFT code, an IMO number.
_NUMBERS = ("digital currency", "swift", "imo", "vessel registration", "legal entity")
_FORMER = "F.K.A."
# The order of the parts of a person's name: all other parts are between first and last.
_FIRST, _LAST = ("First Name",), ("Last Name", "Maiden Name")


@dataclass
class _Shared:
    """The parts that parties refer to, by their ids."""

    # Set of reference values (Country, Script, FeatureType …) → id → its text.
    values: dict[str, dict[str, str]] = field(default_factory=dict)
    # Id of a party subtype → id of its party type.
    types: dict[str, str] = field(default_factory=dict)
    # (address in one line, country)
    locations: dict[str, tuple[str, str]] = field(default_factory=dict)
    # The rest is by the id of an identity (documents) or of a profile.
    documents: dict[str, list[Identifier]] = field(default_factory=dict)
    programs: dict[str, list[str]] = field(default_factory=dict)
    listed_on: dict[str, str] = field(default_factory=dict)

    def word(self, kind: str, key: str | None) -> str:
        return self.values.get(kind, {}).get(key or "", "")


def read(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    shared = _read_shared(files, header)
    with single(files)() as file:
        for entry in at_depth(file, 2, root=ROOT):
            if entry.tag == "DistinctParty":
                yield _entity(entry, shared, options)


def _read_shared(files: Files, header: Header) -> _Shared:
    """Read everything but the parties: the file has documents and programmes after them.

    So the file is read twice. Raises ListError.
    """
    shared = _Shared()
    moment: dict[str, str] = {}
    for entry in _all_but_parties(files):
        if entry.tag in {"Year", "Month", "Day"}:
            moment[entry.tag] = (entry.text or "").strip()
        else:
            _read_part(entry, shared)
    header.published_at = _joined_date(moment)
    if not header.published_at:
        raise ListError("The list does not say of which day it is.")
    if not shared.values:
        raise ListError("The file has no reference values: it is another one, or cut.")
    return shared


def _read_part(entry: Element, shared: _Shared) -> None:
    if entry.tag.endswith("Values"):
        _read_values(entry, shared)
    elif entry.tag == "Location":
        shared.locations[entry.get("ID", "")] = _location(entry, shared)
    elif entry.tag == "IDRegDocument":
        number = _document(entry, shared)
        if number:
            numbers = shared.documents.setdefault(entry.get("IdentityID", ""), [])
            numbers.append(number)
    elif entry.tag == "SanctionsEntry":
        _read_sanctions(entry, shared)


def _all_but_parties(files: Files) -> Iterator[Element]:
    with single(files)() as file:
        for entry in at_depth(file, 2, root=ROOT):
            if entry.tag != "DistinctParty":
                yield entry


def _joined_date(parts: dict[str, str]) -> str:
    words = []
    for name in ("Year", "Month", "Day"):
        part = parts.get(name, "")
        # Without its month a day says nothing, and would be read as one.
        if not part:
            break
        words.append(part.zfill(2))
    return date("-".join(words))


def _read_values(entry: Element, shared: _Shared) -> None:
    for value in entry:
        tag = value.tag.rpartition("}")[2]
        key = value.get("ID", "")
        words = " ".join((value.text or "").split())
        shared.values.setdefault(tag, {})[key] = words
        if tag == "PartySubType":
            shared.types[key] = value.get("PartyTypeID", "")


def _location(entry: Element, shared: _Shared) -> tuple[str, str]:
    """The address of a place in one line, and its country."""
    country = ""
    for node in entry.iterfind("LocationCountry"):
        country = shared.word("Country", node.get("CountryID")) or country
    parts = []
    for part in entry.iterfind("LocationPart"):
        for value in part.iterfind("LocationPartValue"):
            parts.append(" ".join((value.findtext("Value") or "").split()))
            break
    return ", ".join(unique([*parts, country])), country


def _document(entry: Element, shared: _Shared) -> Identifier | None:
    kind = shared.word("IDRegDocType", entry.get("IDRegDocTypeID"))
    country = shared.word("Country", entry.get("IssuedBy-CountryID"))
    number = " ".join((entry.findtext("IDRegistrationNo") or "").split())
    return identifier(kind, number, countries.code(country))


def _read_sanctions(entry: Element, shared: _Shared) -> None:
    profile = entry.get("ProfileID", "")
    programs = shared.programs.setdefault(profile, [])
    for measure in entry.iterfind("SanctionsMeasure"):
        kind = shared.word("SanctionsType", measure.get("SanctionsTypeID"))
        comment = " ".join((measure.findtext("Comment") or "").split())
        # The comment of the measure "Program" names the programme; other comments describe the
        # measure.
        if kind == "Program" and comment:
            programs.append(comment)
    days = []
    for node in entry.iterfind("EntryEvent/Date"):
        days.append(_day(node))
    earliest = min(filter(None, [*days, shared.listed_on.get(profile, "")]), default="")
    shared.listed_on[profile] = earliest


def _day(element: Element | None) -> str:
    if element is None:
        return ""
    parts = {}
    for name in ("Year", "Month", "Day"):
        parts[name] = (element.findtext(name) or "").strip()
    return _joined_date(parts)


def _entity(entry: Element, shared: _Shared, options: Options) -> Entity:
    profile = entry.find("Profile")
    if profile is None:
        raise ListError(
            "A party has no profile: the file is damaged, or of another layout."
        )
    features = _Features(profile, shared)
    schema = _schema(profile, shared)
    identities = profile.findall("Identity")
    numbers: list[Identifier] = []
    for identity in identities:
        numbers += shared.documents.get(identity.get("ID", ""), ())
    key = profile.get("ID", "")
    uid = entry.get("FixedRef", "")
    return Entity(
        id=f"ofac-{uid}" if uid else "",
        schema=schema,
        names=listed_names(_names(identities, shared)),
        birth_dates=features.birth_dates if schema == "Person" else (),
        birth_places=features.words(_BIRTH_PLACE),
        nationalities=codes(features.countries(*_NATIONALITIES)),
        countries=codes(features.countries(_LOCATION, *_FLAGS)),
        genders=unique(
            letter for word in features.words(_GENDER) for letter in gender(word)
        ),
        identifiers=list(dict.fromkeys([*numbers, *features.numbers()])),
        addresses=features.words(_LOCATION),
        positions=features.words(_TITLE),
        topics=list(options.topics),
        programs=unique(shared.programs.get(key, ())),
        listed_on=shared.listed_on.get(key, ""),
        reason=" ".join((entry.findtext("Comment") or "").split()),
        source_url=f"https://sanctionssearch.ofac.treas.gov/Details.aspx?id={uid}",
    )


def _schema(profile: Element, shared: _Shared) -> Schema:
    """The schema: by the subtype if that is a vessel or an aircraft, else by the type."""
    key = profile.get("PartySubTypeID", "")
    subtype = shared.word("PartySubType", key)
    if subtype in _SCHEMAS:
        words = subtype
    else:
        words = shared.word("PartyType", shared.types.get(key))
    return _SCHEMAS.get(words, "LegalEntity")


class _Features:
    """The features of a party (everything but its names), by their type."""

    def __init__(self, profile: Element, shared: _Shared) -> None:
        self._shared = shared
        self._versions: dict[str, list[Element]] = defaultdict(list)
        for feature in profile.iterfind("Feature"):
            kind = shared.word("FeatureType", feature.get("FeatureTypeID"))
            self._versions[kind] += feature.findall("FeatureVersion")

    @property
    def birth_dates(self) -> tuple[BirthDate, ...]:
        births: dict[BirthDate, None] = {}
        for version in self._versions.get(_BIRTH_DATE, ()):
            for period in version.iterfind("DatePeriod"):
                births |= dict.fromkeys(_births(period))
        return tuple(births)

    def words(self, kind: str) -> list[str]:
        words: list[str] = []
        for version in self._versions.get(kind, ()):
            words += self._words_of(version)
        return unique(words)

    def _words_of(self, version: Element) -> Iterator[str]:
        for detail in version.iterfind("VersionDetail"):
            reference = detail.get("DetailReferenceID")
            words = self._shared.word("DetailReference", reference)
            yield words or " ".join((detail.text or "").split())
        for place in version.iterfind("VersionLocation"):
            yield self._place(place)[0]

    def countries(self, *kinds: str) -> list[str]:
        countries_of_places: list[str] = []
        for kind in kinds:
            for version in self._versions.get(kind, ()):
                for place in version.iterfind("VersionLocation"):
                    countries_of_places.append(self._place(place)[1])
        return unique(countries_of_places)

    def _place(self, element: Element) -> tuple[str, str]:
        return self._shared.locations.get(element.get("LocationID", ""), ("", ""))

    def numbers(self) -> list[Identifier]:
        numbers: list[Identifier | None] = []
        for kind in self._versions:
            if any(word in kind.casefold() for word in _NUMBERS):
                for words in self.words(kind):
                    numbers.append(identifier(kind, words))
        return present(numbers)


def _births(period: Element) -> Iterable[BirthDate]:
    """The birth dates of a period: a day, a month or a year, or several years, each approximate."""
    first = _day(period.find("Start/From"))
    last = _day(period.find("End/To")) or _day(period.find("Start/To"))
    is_about = any(node.get("Approximate") == "true" for node in (*period, period))
    # A single date.
    if not first or first == last:
        if first or last:
            return [BirthDate(first or last, is_about)]
        return []
    is_one_year = first[:4] == last[:4]
    # An open period, or a whole year.
    if not last or (is_one_year and first[5:] == "01-01" and last[5:] == "12-31"):
        return [BirthDate(first[:4] if last else first, is_about)]
    # Within one year: a month, or else the year.
    if is_one_year:
        month = first[:7]
        return [BirthDate(month if last.startswith(month) else first[:4], is_about)]
    return dates(f"{first[:4]} to {last[:4]}")


def _names(
    identities: Iterable[Element], shared: _Shared
) -> Iterator[tuple[str, NameKind]]:
    for identity in identities:
        kinds = {}
        for group in identity.iterfind(
            "NamePartGroups/MasterNamePartGroup/NamePartGroup"
        ):
            kinds[group.get("ID", "")] = shared.word(
                "NamePartType", group.get("NamePartTypeID")
            )
        for alias in identity.iterfind("Alias"):
            kind = _kind(alias, shared)
            for name in alias.iterfind("DocumentedName"):
                words, is_latin = _words(name, kinds, shared)
                yield words, kind if is_latin else "original_script"


def _kind(alias: Element, shared: _Shared) -> NameKind:
    if alias.get("LowQuality") == "true":
        return "weak"
    if alias.get("Primary") == "true":
        return "primary"
    is_former = shared.word("AliasType", alias.get("AliasTypeID")) == _FORMER
    return "former" if is_former else "alias"


def _words(name: Element, kinds: dict[str, str], shared: _Shared) -> tuple[str, bool]:
    """The whole name, given names first, and whether it is in Latin script."""
    parts: list[tuple[int, str]] = []
    is_latin = True
    for value in name.iterfind("DocumentedNamePart/NamePartValue"):
        kind = kinds.get(value.get("NamePartGroupID", ""), "")
        script = shared.word("Script", value.get("ScriptID"))
        is_latin = is_latin and script in ("", _LATIN)
        place = 0 if kind in _FIRST else 2 if kind in _LAST else 1
        parts.append((place, " ".join((value.text or "").split())))
    parts.sort(key=_place_of)
    return " ".join(filter(None, (words for _place, words in parts))), is_latin


def _place_of(part: tuple[int, str]) -> int:
    return part[0]
