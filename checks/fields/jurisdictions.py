"""Under which law a company stands, by the phrases that registers and statutes use."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from checks.data import table
from checks.fields.dates import DateOrder
from checks.fields.found import Found
from checks.text import Span, Text, phrase

# Weights of a phrase; a jurisdiction needs MIN_WEIGHT, and a lead over every other one.
STRONG, FAIR, WEAK = 5, 3, 1
MIN_WEIGHT = 2
HEAD = 8000


@dataclass(frozen=True, slots=True)
class Jurisdiction:
    """`code` is ISO 3166: `US-DE`, `IN`; England and Wales is `GB-EAW`."""

    code: str
    name: str
    country: str
    date_order: DateOrder = ""

    @property
    def country_code(self) -> str:
        return self.code[:2]

    def __str__(self) -> str:
        return self.name if self.name == self.country else f"{self.name}, {self.country}"


@cache
def states() -> dict[str, str]:
    """The names of the states of the US, in lower case, with their codes."""
    return {row["name"].lower(): row["code"] for row in table("us_states")}


@cache
def known() -> dict[str, Jurisdiction]:
    countries = {
        row["code"]: row["name"] for row in table("jurisdictions") if len(row["code"]) == 2
    }
    listed = {
        row["code"]: Jurisdiction(
            row["code"],
            row["name"],
            countries.get(row["country"], row["name"]),
            _order(row["date_order"]),
        )
        for row in table("jurisdictions")
    }
    for row in table("us_states"):
        code = f"US-{row['code']}"
        listed[code] = Jurisdiction(code, row["name"], "United States", "MDY")
    return listed


def _order(written: str) -> DateOrder:
    return "DMY" if written == "DMY" else "MDY" if written == "MDY" else "YMD" if written else ""


@cache
def _patterns() -> list[tuple[re.Pattern[str], str, int]]:
    found = [
        (
            re.compile(
                rf"(?<!\w){re.escape(words).replace(chr(92) + ' ', chr(92) + 's+')}(?!\w)",
                re.IGNORECASE,
            ),
            row["code"],
            FAIR if len(row["code"]) == 2 else STRONG,
        )
        for row in table("jurisdictions")
        for words in row["phrases"].split("|")
    ]
    names = "|".join(sorted(states(), key=len, reverse=True)).replace(" ", r"\s+")
    state = f"(?P<state>{names})"
    company = r"(?:corporation|company|limited liability company|limited partnership)"
    kinds = r"(?:(?:domestic|non-?profit|stock|general|public|limited|professional|close|benefit|business|mutual) )*"
    for words, weight in (
        (
            rf"(?:organized|incorporated|formed|existing) (?:and existing )?(?:under|pursuant to) the (?:laws?|provisions) of (?:the )?(?:state of )?{state}\b",
            STRONG,
        ),
        (rf"secretary of state of (?:the )?(?:state of )?{state}\b", STRONG),
        (rf"\b{state} secretary of state\b", STRONG),
        (
            rf"\b{state} (?:division of corporations|department of [a-z]+|state law|corporation commission|limited liability company act|business corporation act|general corporation law)\b",
            STRONG,
        ),
        (
            rf"(?:general )?(?:corporation|companies|company|nonprofit corporation)(?: law| code| act) of (?:the )?(?:state of )?{state}\b",
            FAIR,
        ),
        (rf"(?:state|commonwealth) of {state}\b", FAIR),
        (rf"\ba {state} {kinds}{company}\b", FAIR),
        (rf"\b{state} {kinds}{company} (?:law|act|code)\b", FAIR),
        (rf"laws? of (?:the )?{state}\b", FAIR),
        (rf"\b{state} (?:revised statutes|business organizations code|code|statutes)\b", FAIR),
    ):
        found.append((phrase(words), "", weight))
    found.append((re.compile(r"\bRCW\b"), "US-WA", FAIR))
    for place in table("jurisdictions"):
        said = r"(?:incorporated (?:in|under the laws of)|laws of|government of|registrar of (?:companies|corporate affairs)(?: of| for| in)?|companies act of)"
        found.append(
            (
                phrase(rf"\b{said} (?:the )?{re.escape(place['name']).replace(chr(92), '')}(?!\w)"),
                place["code"],
                STRONG,
            )
        )
    return found


def find_jurisdiction(text: Text) -> Found[Jurisdiction] | None:
    """The jurisdiction that most phrases of the first pages speak for, or None in a tie."""
    head = text.value[:HEAD]
    weights: dict[str, int] = {}
    first: dict[str, tuple[int, Span]] = {}
    for pattern, code, weight in _patterns():
        for index, match in enumerate(pattern.finditer(head)):
            if index >= 3:
                break
            state = " ".join(match["state"].lower().split()) if not code else ""
            key = code or f"US-{states()[state]}"
            weights[key] = weights.get(key, 0) + weight
            if key not in first or weight > first[key][0]:
                first[key] = weight, Span(*match.span())
    best = _leader(weights)
    if best is None:
        return None
    certainty = min(0.6 + 0.07 * weights[best], 0.97)
    return Found(
        known()[best], first[best][1], "the law or register that the text names", certainty
    )


def _leader(weights: dict[str, int]) -> str | None:
    """The heaviest; a part of a country carries the phrases of its country, and wins over it."""
    total = {
        code: weight + (weights.get(code[:2], 0) if len(code) > 2 else 0)
        for code, weight in weights.items()
    }
    ranked = sorted(total, key=lambda code: (total[code], len(code)), reverse=True)
    if not ranked or total[ranked[0]] < MIN_WEIGHT:
        return None
    rivals = [code for code in ranked[1:] if code[:2] != ranked[0][:2] or len(code) > 2]
    if rivals and total[rivals[0]] == total[ranked[0]]:
        return None
    return ranked[0]
