"""Checks of the names that were attested: whether they are names, and whether they agree."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

from checks.base import Evidence, Outcome
from checks.data_check import DataCheck, id_data, row, text, texts
from checks.screening import engine
from checks.screening.names import form_classes, parse
from checks.subject_data import mrz

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
        "na",
        "n/a",
        "xxx",
        "abc",
        "name",
        "firstname",
        "lastname",
        "sample",
        "demo",
        "foo",
        "bar",
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

    def look(self, evidence: Evidence) -> Outcome:
        said = {
            key: text(evidence.attested.get(key))
            for key in ("first_name", "middle_name", "last_name")
        }
        if not (said["first_name"] or said["last_name"]):
            return self.of_rows([row("Name", "", "unknown", "No name was attested.")], passed="")
        rows = [
            row(key.replace("_", " ").capitalize(), value, "review" if how else "pass", how)
            for key, value in said.items()
            if value
            for how in [_oddity(value)]
        ]
        if said["first_name"].casefold() == said["last_name"].casefold():
            rows.append(
                row("Both", said["last_name"], "review", "Given and family name are the same.")
            )
        return self.of_rows(rows, passed="It looks like a name.")


def _oddity(value: str) -> str:
    if value.casefold() in PLACEHOLDERS:
        return f"“{value}” stands for no name."
    if re.search(r"\d", value):
        return f"“{value}” has digits in it."
    if re.search(r"(.)\1{3,}", value.casefold()):
        return f"“{value}” repeats a letter."
    if any(
        re.search("[A-Za-z]", w) and re.search("[\u0370-\u03ff\u0400-\u04ff]", w)
        for w in value.split()
    ):
        return f"“{value}” mixes scripts within a word."
    if len(value.split()) > 1 and set(parse(value, person=False).tokens) & form_classes():
        return f"“{value}” has a word for a form of company in it."
    return ""


class NameConsistency(DataCheck):
    """Do the attested name, that of the ID and that of its machine-readable zone agree?

    Compared with the engine of screening. Under 0.70: fail. Under 0.88: review. One name alone: not
    applicable.
    """

    id = "kyc.name_consistency"
    title = "Names compared"
    payload_key = "name_consistency"

    def look(self, evidence: Evidence) -> Outcome:
        names = _names(evidence)
        if len(names) < 2:
            return self.not_applicable("There is one source of the name alone.")
        rows: list[dict[str, Any]] = []
        for (one, a), (other, b) in combinations(names.items(), 2):
            score = max(engine.compare(a, b), engine.compare(b, a))
            state = "pass" if score >= 0.88 else "review" if score >= 0.70 else "fail"
            how = f"{one} “{a}” and {other} “{b}” agree to {score:.2f}."
            rows.append(row(f"{one} / {other}", f"{a} / {b}", state, how))  # type: ignore[arg-type]
        return self.of_rows(rows, passed="The names agree.")


def _names(evidence: Evidence) -> dict[str, str]:
    said, card = evidence.attested, id_data(evidence.attested)
    found = {
        "Attested": " ".join(texts(said.get("first_name")) + texts(said.get("last_name"))),
        "ID": " ".join(texts(card.get("first_name")) + texts(card.get("last_name"))),
    }
    lines = [line for one in texts(card.get("mrz")) for line in one.splitlines()]
    zone = mrz.read(mrz.lines_of(lines), today=evidence.today) if lines else None
    if zone:
        found["Zone"] = f"{zone.given_names} {zone.surname}"
    return {source: name for source, name in found.items() if name.strip()}
