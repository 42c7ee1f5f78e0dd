"""Checks of attested names: whether they are names, and whether they agree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, product

from checks.base import Evidence, Outcome
from checks.data_check import DataCheck, id_data, pass_or, row, text, texts
from checks.fields.names.by_sound import are_distinct
from checks.screening import engine
from checks.screening.matching.names import form_classes, parse
from checks.subject_data import mrz, tunables
from checks.wire import JsonObject, Wire

PROOF = "Proof of address"
PROOF_CHECK = "kyc.proof_of_address_verification"
PLACEHOLDERS = frozenset(
    [
        "test",
        "tester",
        "testing",
        "asdf",
        "qwerty",
        "unknown",
        "none",
        "null",
        "n/a",
        "xxx",
        "abc",
        "name",
        "firstname",
        "lastname",
        "sample",
        "demo",
    ]
)


class NamePlausibility(DataCheck):
    """Does the name look like a name of a person?

    Digits, placeholders (test, N/A), the same word as given and family name, one letter repeated,
    words of companies, or scripts mixed within a word: review. No name: inconclusive.
    """

    id = "kyc.name_plausibility"
    title = "Name"
    payload_key = "name_plausibility"
    rests_on = ("table:company_words",)

    def look(self, evidence: Evidence) -> Outcome:
        names = {}
        for key in ("first_name", "middle_name", "last_name"):
            names[key] = text(evidence.attested.get(key))
        if not (names["first_name"] or names["last_name"]):
            return self.of_rows(
                [row("Name", "", "unknown", "No name was attested.")], passed=""
            )
        rows = []
        for key, value in names.items():
            if value:
                how = _oddity(value)
                state = pass_or("review", good=not how)
                label = key.replace("_", " ").capitalize()
                rows.append(row(label, value, state, how))
        # Such names exist, but more often one field was filled in twice.
        if names["first_name"].casefold() == names["last_name"].casefold():
            rows.append(
                row(
                    "Both",
                    names["last_name"],
                    "review",
                    "Given and family name are the same.",
                )
            )
        findings = []
        for item in rows:
            if item["state"] == "review":
                finding = {
                    "field": item["label"],
                    "text": item["value"],
                    "why": item["how"],
                }
                findings.append(finding)
        return self.of_rows(
            rows, passed="Nothing unusual in the name.", findings=findings
        )


def _oddity(value: str) -> str:
    # “-” and “???” fill a field for which somebody has no name.
    if value.casefold() in PLACEHOLDERS or not re.search(r"[^\W_]", value):
        return f"“{value}” is a placeholder, not a name."
    if re.search(r"\d", value):
        return f"“{value}” contains digits."
    # Three equal letters may be a numeral, as in William III, so four are needed.
    if re.search(r"(.)\1{3,}", value.casefold()):
        return f"“{value}” repeats a letter."
    if any(map(_mixes_scripts, value.split())):
        return f"“{value}” mixes scripts within a word."
    if (
        len(value.split()) > 1
        and set(parse(value, person=False).tokens) & form_classes()
    ):
        return f"“{value}” contains a legal form of companies."
    return ""


def _mixes_scripts(word: str) -> bool:
    """Whether the word has both Latin and Greek or Cyrillic letters."""
    is_latin = re.search("[A-Za-z]", word)
    return bool(is_latin and re.search("[\u0370-\u03ff\u0400-\u04ff]", word))


class NameConsistency(DataCheck):
    """Do the attested name, that of the ID, of its machine-readable zone and of the proof of address agree?

    Compared with the engine of screening; middle names may be left out on either side, and a zone may
    cut a long name. Names in two scripts of which one has no certain reading in the other are inconclusive, unless they agree. The proof of address counts where `kyc.proof_of_address_verification` found it valid
    in the same job. Under 0.88: review; under 0.70, other than with a proof of address: fail. One name
    alone: not applicable.
    """

    id = "kyc.name_consistency"
    title = "Names compared"
    payload_key = "name_consistency"
    step = "Comparing the names"
    rests_on = ("table:person_words",)

    def look(self, evidence: Evidence) -> Outcome:
        names = _names(evidence)
        if len(names) < 2:
            return self.not_applicable(
                "There are no two sources of the name to compare."
            )
        rows: list[Wire] = []
        matrix: list[Wire] = []
        # Every two sources are compared, so that one wrong source can be identified.
        for (first, a), (other, b) in combinations(names.items(), 2):
            score = agreement(a, b)
            state = pass_or("review", good=score >= tunables.SAME)
            # A bill may be in the name of another member of the household, so it never fails a
            # person.
            if score < tunables.ANOTHER and not other.startswith(PROOF):
                state = "fail"
            how = f"{first} “{a[0]}”, {other} “{b[0]}”: similarity {score:.2f}."
            if state != "pass" and not are_distinct(a[0], b[0]):
                state = "unknown"
                how = f"{first} “{a[0]}”, {other} “{b[0]}”: two scripts, and how one is read in the other is not known."
            rows.append(row(f"{first} / {other}", f"{a[0]} / {b[0]}", state, how))
            matrix.append(compared(first, other, a, b))
        least = min(first["score"] for first in matrix)
        return self.of_rows(
            rows,
            passed=f"The names match (lowest similarity {least:.2f}).",
            min_score=least,
            matrix=matrix,
        )


def forms(first: str, middle: str, last: str) -> list[str]:
    """Return the forms of a person's name, the full one first; none if it is empty."""
    first_names = [f"{first} {middle}", first, *first.split()[:1]]
    names = (" ".join(f"{given_name} {last}".split()) for given_name in first_names)
    return list(dict.fromkeys(name for name in names if name))


def agreement(first: Sequence[str], other: Sequence[str]) -> float:
    """Return the similarity of two names (0 to 1), in the forms that agree best."""
    best = 0.0
    for a, b in product(first, other):
        # The engine is not symmetric: it compares a query with a listed name. So both directions
        # count.
        best = max(best, engine.compare(a, b), engine.compare(b, a))
    return best


def compared(
    first: str, other: str, a: Sequence[str], b: Sequence[str], schema: str = "Person"
) -> Wire:
    """Return the comparison of two sources of a name: the best forms, their score, and the
    words.
    """
    pairs: list[tuple[str, str]] = []
    for name, other_name in product(a, b):
        pairs += [(name, other_name), (other_name, name)]
    x, y = max(pairs, key=lambda pair: engine.compare(*pair, schema=schema))
    alignment = engine.explain(x, y, schema=schema)
    return {
        "sources": [first, other],
        "names": [x, y],
        "score": round(alignment.score, 2),
        "alignment": [pair.to_wire() for pair in alignment.pairs],
    }


def attested_forms(attested: JsonObject, middle: str = "middle_name") -> list[str]:
    first_name = " ".join(texts(attested.get("first_name")))
    middle_name = " ".join(texts(attested.get(middle)))
    last_name = " ".join(texts(attested.get("last_name")))
    return forms(first_name, middle_name, last_name)


def _names(evidence: Evidence) -> dict[str, list[str]]:
    attested = evidence.attested
    card = id_data(evidence.attested)
    forms_by_source = {
        "Attested": attested_forms(attested),
        "ID": attested_forms(card, "middle_names"),
    }
    lines = []
    for value in texts(card.get("mrz")):
        lines.extend(value.splitlines())
    zone = None
    if lines:
        zone = mrz.read(mrz.lines_of(lines), today=evidence.today)
    if zone:
        forms_by_source["Zone"] = forms(zone.given_names, "", zone.surname)
    # Only documents that the other check found valid are used.
    proofs = evidence.available.documents_read_by(PROOF_CHECK)
    for number, proof in enumerate(proofs or [], start=1):
        holder = text(proof.facts.get("holder_name"))
        if holder:
            forms_by_source[f"{PROOF} {number}"] = [holder]
    return {source: names for source, names in forms_by_source.items() if names}
