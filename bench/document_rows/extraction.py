"""Measures how many fields of incorporation documents are extracted correctly, and how many
wrongly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.document_rows.corpus import Corpus, Known
from bench.report import Report
from checks import registry
from checks.evidence import Evidence
from checks.extraction.tool import plain
from checks.fields.names.company_comparison import compare_names
from checks.fields.registration_numbers import compact
from checks.incorporation_document.fields import IncorporationFields
from checks.text.folding import folded

FIELDS = ("type", "name", "number", "date", "jurisdiction", "address")
# Kind of document → goal, field, least percentage that must be right.
GOALS = {
    "certificate_of_incorporation": (
        ("X1", "name", 95),
        ("X2", "number", 95),
        ("X3", "date", 90),
        ("X4", "jurisdiction", 95),
        ("X5", "address", 85),
    ),
    "articles_of_incorporation": (("X6", "name", 85), ("X7", "jurisdiction", 85)),
}


# Kinds of letters and bills → the check whose tool extracts them.
LETTERS = {
    "ein_letter": "kyb.ein_document_verification",
    "irs_determination_letter": "kyb.ein_document_verification",
    "bank_statement": "kyb.proof_of_address_verification",
    "utility_bill": "kyb.proof_of_address_verification",
}


@dataclass
class Count:
    """Documents in which the field is known: extracted correctly, wrongly, or not at all."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    @property
    def known(self) -> int:
        return self.right + self.wrong + self.missed


@dataclass
class Tally:
    counts: dict[str, Count] = field(
        default_factory=lambda: {name: Count() for name in FIELDS}
    )

    def add(self, name: str, *, judged: bool | None) -> None:
        count = self.counts[name]
        if judged is None:
            count.missed += 1
        elif judged:
            count.right += 1
        else:
            count.wrong += 1


def measure(report: Report, corpus: Corpus) -> None:
    documents = [names for names in corpus.documents() if names.truth]
    judged = [(names, _judge(names, corpus)) for names in documents]
    for kind, goals in GOALS.items():
        for hold in (False, True):
            of_kind = [
                j for k, j in judged if k.truth["type"] == kind and k.held_back == hold
            ]
            what = kind.replace("_", " ") + (", held back" if hold else "")
            tally = _table(report, what, of_kind)
            for goal, name, bound in goals:
                count = tally.counts[name]
                if count.known:
                    share = 100 * count.right / count.known
                    report.least(goal, f"{name} right, {what}", share, bound, " %")
    letters = [j for k, j in judged if k.truth["type"] in LETTERS]
    _table(report, "letters and bills, held back or not", letters)
    for hold in (False, True):
        every = _tally([j for k, j in judged if k.held_back == hold]).counts.values()
        wrong, values = (
            sum(c.wrong for c in every),
            sum(c.wrong + c.right for c in every),
        )
        what = "wrong among the values given" + (", held back" if hold else "")
        if values:
            report.most("X8", what, 100 * wrong / values, 3, " %")


def _table(
    report: Report, what: str, judged: Sequence[dict[str, bool | None]]
) -> Tally:
    tally = _tally(judged)
    if judged:
        report.row(what, "right", "wrong", "not read")
    for name, count in tally.counts.items():
        if count.known:
            report.row(
                f"  {name}", f"{count.right}", f"{count.wrong}", f"{count.missed}"
            )
    return tally


def _tally(judged: Sequence[dict[str, bool | None]]) -> Tally:
    tally = Tally()
    for one in judged:
        for name, verdict in one.items():
            tally.add(name, judged=verdict)
    return tally


def _judge(names: Known, corpus: Corpus) -> dict[str, bool | None]:
    """For each field with a known value: True if right, False if wrong, None if not extracted."""
    judged: dict[str, bool | None] = {}
    for name, (read, right) in _sides(_read(names), names.truth).items():
        judged[name] = right if read else None
        # Details of documents that are held back must not be shown.
        if not right and not names.held_back:
            corpus.note(f"{names.name}: {name}: read {read!r}")
    return judged


def _read(names: Known) -> dict[str, Any]:
    """The values that the tool for this kind of document extracts, under the names of the known
    facts.
    """
    evidence = Evidence(names.content, names.name)
    if (check_id := LETTERS.get(names.truth["type"])) is None:
        fields = IncorporationFields(evidence)
        dated = fields.incorporation_date or fields.document_date
        return {
            "type": fields.document_type.value.code if fields.document_type else "",
            "name": fields.names[0].value if fields.names else "",
            "regno": [result.value.number for result in fields.numbers],
            "date": dated.value.isoformat() if dated else "",
            "jurisdiction": fields.jurisdiction.value.code
            if fields.jurisdiction
            else "",
            "addr": [str(result.value.address) for result in fields.addresses],
        }
    data = registry.get(check_id).tools[0].run(evidence).payload["extraction_data"]
    return {
        "type": data["document_type"],
        "name": data["business_name"] or "",
        "regno": data["business_registration_number"],
        "date": data["date"] or "",
        "jurisdiction": "US" if data["jurisdiction"] else "",
        "addr": [
            plain(address) for address in data["all_extracted_addresses"].values()
        ],
    }


def _sides(read: dict[str, Any], truth: dict[str, Any]) -> dict[str, tuple[Any, bool]]:
    """For each field with a known value: the extracted value, and whether it is right."""
    name = read["name"]
    sides: dict[str, tuple[Any, bool]] = {
        "type": (read["type"], read["type"] == truth["type"])
    }
    if truth.get("name"):
        sides["name"] = (
            name,
            bool(name) and compare_names(truth["name"], name).state == "equal",
        )
    if truth.get("regno"):
        # All true numbers must be found; additional ones are allowed.
        own = {compact(number) for number in read["regno"]}
        sides["number"] = (
            read["regno"],
            {compact(number) for number in truth["regno"]} <= own,
        )
    if truth.get("date"):
        sides["date"] = (read["date"], read["date"] == truth["date"])
    if truth.get("jurisdiction"):
        place = read["jurisdiction"]
        sides["jurisdiction"] = (place, place == truth["jurisdiction"])
    if truth.get("addr"):
        places = [folded(place) for place in read["addr"]]
        rows = all(
            any(folded(street) in one for one in places) for street in truth["addr"]
        )
        sides["address"] = (places, rows)
    return sides
