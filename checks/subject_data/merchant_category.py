"""The merchant category code (MCC) for the attested line of business."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from checks.attested import denials
from checks.base import Evidence, Examined, Outcome
from checks.data import table
from checks.data_check import DataCheck, mapping, row, text
from checks.subject_data import tunables
from checks.wire import JsonObject, Wire

# The weight of a word by its member. The industry names the line of business; the others only
# describe it.
WEIGHTS: Mapping[str, int] = {"industry": 3, "business_purpose": 2, "description": 2}
# Ranges of codes for single companies, by kind.
RANGES = (
    (3000, 3350, "Airlines, by company"),
    (3351, 3441, "Car rental agencies, by company"),
    (3501, 3999, "Hotels, by company"),
)
_CODE = re.compile(r"[0-9]{4}")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A code, with the words that support it and the members in which they are."""

    code: str
    title: str
    words: Sequence[tuple[str, str]]
    weight: int

    @property
    def reason(self) -> str:
        reasons = (f"“{word}” in {_label(field).lower()}" for word, field in self.words)
        return f"{', '.join(reasons)}."


class MccCode(DataCheck):
    """Which merchant category code (ISO 18245) does the attested line of business stand for?

    Words of the industry, the purpose and the description are looked up in a table of codes
    (`checks/data/mcc.csv`, English; gambling, tobacco and virtual assets also in other languages); a word
    of the industry counts more, and what a sentence denies ("no alcohol") does not count, in some thirty
    languages. The code with the most is proposed where no other comes near.
    Nothing outside is asked, and no website is read.

    - an attested code that is among the candidates, or none attested and one proposed: pass;
    - an attested code that is none of four digits, or for which no word stands while words stand for
      others: review;
    - no word of the table, several codes that come near to one another, or a code that the table does
      not have: inconclusive;
    - nothing attested: not applicable.

    A proposal is no proof of what the business does. The check runs where an agent or a request
    names it.
    """

    id = "kyb.mcc_code_check_v3"
    aliases = ("kyb.mcc_code_check", "kyb.mcc_code_check_v2")
    title = "Merchant category code"
    payload_key = "mcc_code_check"
    rests_on = ("table:mcc", "table:denials")
    on_request = True
    looks_at = "Attested"

    def look(self, evidence: Evidence) -> Outcome:
        attested = evidence.attested
        attested_code = text(attested.get("mcc_code"))
        texts = {}
        for name in WEIGHTS:
            texts[name] = text(attested.get(name))[: tunables.LONGEST]
        if not attested_code and not any(texts.values()):
            return self.not_applicable("No line of business and no code were attested.")
        candidates = candidates_of(texts)
        proposal = _proposal(candidates)
        rows = []
        if attested_code:
            rows.append(_attested_row(attested_code, candidates))
        rows += _rows(texts, candidates, proposal, is_attested=bool(attested_code))
        by_code = {candidate.code: candidate for candidate in candidates}
        chosen = proposal or by_code.get(attested_code)
        chosen_code = None
        if chosen:
            chosen_code = chosen.code
        best = candidates[: tunables.MOST_CANDIDATES]
        outcome = self.of_rows(
            rows,
            passed=_words(attested_code, chosen),
            proposed=chosen_code,
            candidates=list(map(_to_wire, best)),
        )
        return replace(outcome, answer=chosen_code or "")

    def conclude(self, examined: Sequence[Examined], attested: JsonObject) -> Outcome:
        """Return the outcome with the members that clients of the interface read."""
        outcome = super().conclude(examined, attested)
        content = mapping(outcome.payload.get(self.payload_key))
        candidates = content.get("candidates") or []
        proposed = content.get("proposed")
        chosen: JsonObject = {}
        for candidate in candidates:
            if candidate["mcc_code"] == proposed:
                chosen = candidate
                break
        payload = {
            "type": "MCCCodeCheckResultV2",
            "mcc_code": chosen.get("mcc_code"),
            "mcc_title": chosen.get("mcc_title"),
            "mcc_code_description": chosen.get("mcc_title"),
            "candidate_mcc_codes": candidates,
            **outcome.payload,
        }
        return replace(outcome, payload=payload)


def candidates_of(texts: Mapping[str, str]) -> list[Candidate]:
    """Return the codes that words of the members support, those with the highest weight first."""
    candidates = []
    for code, title, pattern in _table():
        words = []
        for field, value in texts.items():
            for word in _in(value, pattern):
                words.append((word, field))
        if words:
            weight = sum(WEIGHTS[field] for _, field in words)
            candidates.append(Candidate(code, title, words, weight))
    candidates = [
        candidate for candidate in candidates if not _is_within(candidate, candidates)
    ]
    return sorted(candidates, key=lambda candidate: (-candidate.weight, candidate.code))


def _is_within(candidate: Candidate, others: Iterable[Candidate]) -> bool:
    """Whether every word of it is part of a longer word of another code, such as "bars" of "burger
    bars".
    """
    words_of_others: set[tuple[str, str]] = set()
    for other in others:
        if other is not candidate:
            for word, field in other.words:
                words_of_others.add((word.casefold(), field))
    return all(
        _is_part(word.casefold(), field, words_of_others)
        for word, field in candidate.words
    )


def _is_part(word: str, field: str, others: Iterable[tuple[str, str]]) -> bool:
    for other, field_of_other in others:
        if field == field_of_other and word != other and word in other:
            return True
    return False


def _in(value: str, pattern: re.Pattern[str]) -> list[str]:
    words: dict[str, None] = {}
    for hit in denials.offered(pattern.finditer(value), value, beyond_commas=True):
        words[hit.group()] = None
    return list(words)


def _proposal(candidates: Sequence[Candidate]) -> Candidate | None:
    if not candidates:
        return None
    first, *others = candidates
    # A code is proposed only if it is clearly ahead of all others.
    is_clear = all(
        candidate.weight <= tunables.CLEARLY_LESS * first.weight for candidate in others
    )
    if is_clear:
        return first
    return None


def _attested_row(code: str, candidates: Sequence[Candidate]) -> Wire:
    if not _CODE.fullmatch(code):
        return row("Attested code", code, "review", "A code has four digits.")
    title = title_of(code)
    if not title:
        how = f"The table of this installation does not have the code {code}."
        return row("Attested code", code, "unknown", how)
    value = f"{code} {title}"
    same = next((candidate for candidate in candidates if candidate.code == code), None)
    if same:
        return row("Attested code", value, "pass", f"It fits: {same.reason}")
    if candidates:
        others = ", ".join(
            f"{candidate.code} {candidate.title}" for candidate in candidates[:3]
        )
        how = f"No attested word stands for {code} ({title}); words stand for {others}."
        return row("Attested code", value, "review", how)
    how = f"No attested word stands for {code} ({title}), or for another code."
    return row("Attested code", value, "unknown", how)


def _rows(
    texts: Mapping[str, str],
    candidates: Sequence[Candidate],
    proposal: Candidate | None,
    *,
    is_attested: bool,
) -> list[Wire]:
    rows = []
    for candidate in candidates[: tunables.MOST_CANDIDATES]:
        rows.append(
            row(
                f"Candidate {candidate.code}", candidate.title, "info", candidate.reason
            )
        )
    if is_attested:
        return rows
    if not candidates:
        how = "No word of it is in the table of codes."
        value = "; ".join(filter(None, texts.values()))[:200]
        return [row("Line of business", value, "unknown", how)]
    if proposal is None:
        codes = ", ".join(
            candidate.code for candidate in candidates[: tunables.MOST_CANDIDATES]
        )
        how = f"Several codes come near to one another: {codes}."
        return [*rows, row("Line of business", codes, "unknown", how)]
    how = f"Proposed by the words: {proposal.reason}"
    return [
        row("Proposed code", f"{proposal.code} {proposal.title}", "pass", how),
        *rows,
    ]


def _words(code: str, chosen: Candidate | None) -> str:
    if chosen is None:
        return ""
    if code == chosen.code:
        return f"The attested code {code} ({chosen.title}) fits the attested line of business."
    if code:
        return f"The attested code {code} fits; the words stand more for {chosen.code}."
    return f"The attested line of business stands for {chosen.code} ({chosen.title})."


def _to_wire(candidate: Candidate) -> Wire:
    return {
        "mcc_code": candidate.code,
        "mcc_title": candidate.title,
        "reasoning": candidate.reason,
    }


def title_of(code: str) -> str:
    """Return the title of a code; empty if the table does not have it."""
    for code_of_row, title, _ in _table():
        if code_of_row == code:
            return title
    return next((title for low, high, title in RANGES if low <= int(code) <= high), "")


def _label(field: str) -> str:
    return field.replace("_", " ").capitalize()


@cache
def _table() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    return tuple(
        (
            line["code"],
            line["title"],
            re.compile(rf"(?<!\w)(?:{line['words']})(?!\w)", re.IGNORECASE),
        )
        for line in table("mcc")
    )
