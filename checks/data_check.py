"""A check of attested data without documents: one examination with one outcome."""

from __future__ import annotations

import re
import unicodedata
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Literal

from checks.base import Check, Evidence, Examined, Outcome, Tool, Verdict, alerts_of
from checks.provenance import version_of
from checks.wire import JsonObject, Wire
from papers import countries

State = Literal["pass", "review", "fail", "unknown", "info"]
NOT_EXAMINED = "The data could not be examined."
WORST: tuple[Verdict, ...] = (
    "fail",
    "review",
    "inconclusive",
    "pass",
    "not_applicable",
)


class DataCheck(Check):
    """Subclasses say in `look` what they found. The outcome of the look is the check's."""

    payload_key: ClassVar[str]
    # Libraries, and tables of checks/data (`table:name`), whose versions are part of each result.
    rests_on: ClassVar[Sequence[str]] = ()
    # The source of its values, for findings that do not name one.
    looks_at: ClassVar[str] = ""

    def __init__(self) -> None:
        self.tools = (_Look(self),)  # type: ignore[misc]

    @abstractmethod
    def look(self, evidence: Evidence) -> Outcome: ...

    def conclude(self, examined: Sequence[Examined], attested: JsonObject) -> Outcome:
        if not examined:
            return Outcome(None, "inconclusive", NOT_EXAMINED)
        return concluded(examined[0], self.id)

    def outcome(
        self,
        verdict: Verdict,
        explanation: str,
        content: JsonObject,
        *,
        alerts: Sequence[str] = (),
        answer: str = "",
    ) -> Outcome:
        passed = {"pass": True, "review": False, "fail": False}.get(verdict)
        payload = {self.payload_key: dict(content)}
        versions = {
            name.removeprefix("table:"): version_of(name) for name in self.rests_on
        }
        return Outcome(passed, verdict, explanation, payload, answer, alerts, versions)

    def of_rows(
        self, rows: Sequence[JsonObject], *, passed: str, **more: object
    ) -> Outcome:
        """Return the outcome of a table of findings. The worst rows decide and are the explanation.

        `passed` is the sentence if all rows pass; the notes of `info` rows follow it.
        """
        verdict, explanation, alerts = verdict_of(rows, passed=passed)
        details: list[JsonObject] = []
        for row in rows:
            if self.looks_at:
                details.append({"source": self.looks_at, **row})
            else:
                details.append(row)
        return self.outcome(
            verdict, explanation, {"rows": details, **more}, alerts=alerts
        )

    def not_applicable(self, why: str) -> Outcome:
        return self.outcome("not_applicable", why, {"rows": []})


class _Look(Tool):
    """The one tool of a data check: it says what the check looks at."""

    def __init__(self, check: DataCheck) -> None:
        self._check = check
        self.id = check.id  # type: ignore[misc]
        self.aliases = check.aliases  # type: ignore[misc]
        self.payload_key = check.payload_key  # type: ignore[misc]

    def run(self, evidence: Evidence) -> Outcome:
        return self._check.look(evidence)


def concluded(document: Examined, tool_id: str) -> Outcome:
    """Return the outcome of the only tool of a check as that of the check."""
    outcome = document.outcomes.get(tool_id)
    if outcome is None:
        return Outcome(
            None,
            "inconclusive",
            document.error or NOT_EXAMINED,
            alerts=_alerts(document.error),
        )
    verdict: Verdict = outcome["verdict"]
    return Outcome(
        passed=outcome["passed"] if verdict in {"pass", "review", "fail"} else None,
        verdict=verdict,
        explanation=outcome["explanation"],
        payload=outcome["payload"],
        answer=outcome["answer"],
        alerts=alerts_of(outcome),
        versions=outcome.get("versions") or {},
    )


def _alerts(error: str) -> Sequence[str]:
    if error:
        return [error]
    return ()


# The verdict that a row causes for the whole table, the worst first.
VERDICTS: Sequence[tuple[State, Verdict]] = (
    ("fail", "fail"),
    ("review", "review"),
    ("unknown", "inconclusive"),
)
# The verdict of a table without such a row.
ALL_GOOD: tuple[State, Verdict] = ("pass", "pass")


def verdict_of(
    rows: Sequence[JsonObject], *, passed: str
) -> tuple[Verdict, str, Sequence[str]]:
    """Return the verdict of a table of findings, its explanation and its alerts.

    The worst row decides.
    """
    state, verdict = _worst_of(rows)
    if verdict == "pass":
        sentences = [passed, *_notes(rows)]
    else:
        sentences = _reasons(rows, state)
    explanation = " ".join(dict.fromkeys(sentences))
    # Only findings become alerts.
    if verdict in {"fail", "review"}:
        return verdict, explanation, sentences
    return verdict, explanation, ()


def _worst_of(rows: Sequence[JsonObject]) -> tuple[State, Verdict]:
    states = {str(row["state"]) for row in rows}
    for state, verdict in VERDICTS:
        if state in states:
            return state, verdict
    return ALL_GOOD


def _reasons(rows: Sequence[JsonObject], state: State) -> list[str]:
    """Return the explanations of the rows with this state."""
    reasons = []
    for row in rows:
        if row["state"] == state and row["how"]:
            reasons.append(str(row["how"]))
    return reasons


def _notes(rows: Sequence[JsonObject]) -> list[str]:
    """Return notes of rows that are sentences.

    A note without a full stop explains only its own row.
    """
    notes = []
    for row in rows:
        note = str(row["how"])
        if row["state"] == "info" and note.endswith("."):
            notes.append(note)
    return notes


def pass_or(otherwise: State, *, good: bool) -> State:
    """Return the state of a row: `pass` if it is good, else `otherwise`."""
    if good:
        return "pass"
    return otherwise


def passed_of(verdict: Verdict) -> bool | None:
    """Return a verdict as clients read it: None if nothing could be decided."""
    if verdict == "inconclusive":
        return None
    return verdict == "pass"


def row(label: str, value: object, state: State, how: str = "") -> Wire:
    """Return one row of a table of findings: what was examined, and the result."""
    return {
        "label": label,
        "value": _written(value),
        "state": state,
        "how": how,
    }


def difference(
    label: str, attested: object, value: object, state: State, how: str = ""
) -> Wire:
    """Return a `row` with two sides. `against` is the value that the applicant attested."""
    return row(label, value, state, how) | {"against": _written(attested)}


def _written(value: object) -> str:
    if value is None:
        return ""
    return str(value)


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the most serious verdict; `not_applicable` if there is none."""
    return min(verdicts, key=WORST.index, default="not_applicable")


def mapping(value: object) -> JsonObject:
    if isinstance(value, Mapping):
        return value
    return {}


def texts(value: object) -> list[str]:
    """Return a text or a list of texts as a list, without blank ones."""
    values = value if isinstance(value, list) else [value]
    strings: list[str] = []
    for item in values:
        if isinstance(item, str) and item.strip():
            strings.append(item.strip())
    return strings


def text(value: object) -> str:
    return "".join(texts(value)[:1])


# The sign of Arabic is kept by the normal form of Unicode, and the others become “%”.
_OF_HUNDRED = (
    r"(?:[%\u066a]|per ?cento?|pct\.?|prozent|por cien(?:to)?|pour ?cent|por cento|pro[cs]ent\w{0,3}|sz\u00e1zal\u00e9k|процент\w{0,2}"
    r"|τοις εκατό|パーセント|퍼센트|phần trăm|persen|peratus)"
)
_PERCENTAGE = re.compile(
    rf"(?:(?:%|\u066a|yüzde)\s*)?(\d{{1,9}})(?:[.,\u066b](\d{{1,20}}))?\s*{_OF_HUNDRED}?\.?",
    re.IGNORECASE,
)
# A sign such as “⅓” becomes digits with a stroke of their own, which are not to join those before it.
_FRACTION_SIGN = re.compile("(?<=\\d)(?=[\u00bc-\u00be\u2150-\u215e])")
# “1/3” of the whole, or “33 1/3 %” of a hundred.
_FRACTION = re.compile(
    rf"(?:(?P<hundredths>[0-9]{{1,3}})\s+)?(?P<part>[0-9]{{1,9}})\s*/\s*(?P<whole>[0-9]{{1,9}})\s*(?P<sign>{_OF_HUNDRED})?",
    re.IGNORECASE,
)


def percentage(value: object) -> float | None:
    """Return a share of hundred: 52.5, “52.5 %” and “52,5” are the same, and so are 50 and “1/2”; None if it is none."""
    if isinstance(value, bool):
        return None
    apart = _FRACTION_SIGN.sub(" ", str(value).strip())
    written = unicodedata.normalize("NFKC", apart).replace("\u2044", "/")
    fraction = _FRACTION.fullmatch(written)
    if fraction is not None:
        return _of_fraction(fraction)
    match = _PERCENTAGE.fullmatch(written)
    if match is None:
        return None
    return float(f"{match[1]}.{match[2] or 0}")


def _of_fraction(fraction: re.Match[str]) -> float | None:
    part, whole = int(fraction["part"]), int(fraction["whole"])
    # 40/60 may be the percents of two owners: it is not said whose is which.
    if not 0 < part <= whole or part + whole == 100:
        return None
    hundredths = fraction["hundredths"]
    # “1/2 %” and “33 1/3 %” are of a hundred; “33 1/3” without a sign is not said to be.
    if fraction["sign"]:
        return int(hundredths or 0) + part / whole
    return None if hundredths else 100 * part / whole


def id_data(attested: JsonObject) -> JsonObject:
    """Return the data that were read from the government ID."""
    verification = mapping(attested.get("government_id_verification_data"))
    return mapping(verification.get("id_data"))


def issuing_country(card: JsonObject) -> str:
    """Return the code of the country that issued an ID, "" if it names none that is known."""
    return countries.code(text(card.get("issuing_country")))


def country_of_address(address: JsonObject) -> str:
    """Return the code of the country of an address, "" if it names none that is known."""
    country = text(address.get("country_code")) or text(address.get("country"))
    return countries.code(country)
