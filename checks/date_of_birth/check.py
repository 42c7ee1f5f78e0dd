"""The check of a person's date of birth."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date

from checks.arguments import whole_number
from checks.base import Check, Examined, Outcome, Tool, Verdict, alerts_of
from checks.data_check import id_data, texts
from checks.evidence import Evidence
from checks.subject_data import government_id, mrz
from checks.wire import JsonObject

MINIMUM_AGE = 18
MAXIMUM_AGE = 110
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")


class DateOfBirthPlausibility(Tool):
    """Compares the attested dates of birth with the calendar, and with each other.

    Sources are the self-attested date, the one shown on the government ID, that of its machine-readable
    zone where its check digit holds, and that within its number where the country puts it there. Ages are whole
    years on the day of the check. `minimum_age` is an argument (years, default 18).
    """

    id = "kyc.date_of_birth"
    payload_key = "date_of_birth_check"

    def run(self, evidence: Evidence) -> Outcome:
        sources = _sources(evidence)
        minimum = int(evidence.arguments.get("minimum_age", MINIMUM_AGE))
        if not sources:
            return self._outcome(
                None, "No date of birth was attested.", [], {}, minimum
            )
        dates: dict[str, date] = {}
        problems = []
        for name, value in sources.items():
            day = _date(value)
            if day is None:
                problems.append(
                    f"{name}: “{value}” is not a date of the form YYYY-MM-DD."
                )
            else:
                dates[name] = day
        ages = {name: _age(day, evidence.today) for name, day in dates.items()}
        for name, age in ages.items():
            problem = _judge(name, age, minimum)
            if problem:
                problems.append(problem)
        # All sources that could be read must state the same date.
        if len(set(dates.values())) > 1:
            several = ", ".join(f"{name} {day}" for name, day in dates.items())
            problems.append(f"The dates differ: {several}.")
        if problems:
            explanation = " ".join(problems)
        else:
            explanation = f"The person is {next(iter(ages.values()))} years old."
        return self._outcome(
            not problems, explanation, problems, sources, minimum, ages
        )

    def _outcome(
        self,
        passed: bool | None,  # noqa: FBT001 - the outcome's own word, first as there
        explanation: str,
        problems: Sequence[str],
        sources: Mapping[str, str],
        minimum: int,
        ages: Mapping[str, int] | None = None,
    ) -> Outcome:
        rows = []
        for name, value in sources.items():
            age = ages.get(name) if ages else None
            rows.append({"source": name, "date_of_birth": value, "age": age})
        details = {
            "sources": rows,
            "minimum_age": minimum,
            "problems": list(problems),
        }
        verdict: Verdict = "fail"
        if passed is None:
            verdict = "not_applicable"
        elif passed:
            verdict = "pass"
        return Outcome(
            passed,
            verdict,
            explanation,
            payload={self.payload_key: details},
            answer=next(iter(sources.values()), ""),
            alerts=problems,
        )


class DateOfBirthCheck(Check):
    """Is the attested date of birth a possible one, of a person who is old enough?

    - no date attested: not applicable;
    - not a date, in the future, under the minimum age (18), over 110 years, or another one on
      the government ID, in its zone or in its number: fail;
    - otherwise: pass.
    """

    id = "kyc.date_of_birth"
    title = "Date of birth"
    tools = (DateOfBirthPlausibility(),)
    arguments = (whole_number("minimum_age", of="years", least=0, most=MAXIMUM_AGE),)

    def conclude(self, examined: Sequence[Examined], attested: JsonObject) -> Outcome:
        outcome = None
        if examined:
            outcome = examined[0].outcomes.get(self.id)
        if outcome is None:
            return Outcome(
                None, "inconclusive", "The date of birth could not be examined."
            )
        verdict = outcome["verdict"]
        passed = None
        if verdict in {"pass", "fail"}:
            passed = outcome["passed"]
        return Outcome(
            passed=passed,
            verdict=verdict,
            explanation=outcome["explanation"],
            payload=outcome["payload"],
            answer=outcome["answer"],
            alerts=alerts_of(outcome),
            versions=outcome.get("versions") or {},
        )


def _sources(evidence: Evidence) -> dict[str, str]:
    card = id_data(evidence.attested)
    attested = evidence.attested.get("date_of_birth")
    on_card = card.get("date_of_birth")
    in_zone = _in_zone(card, evidence.today)
    in_number = government_id.birth_date_within(card)
    if not government_id.has_century_within(card):
        in_number = _in_century_of((attested, on_card), in_number)
    sources = {
        "Self-attested": attested,
        "Government ID": on_card,
        "Machine-readable zone": _in_century_of((attested, on_card), in_zone),
        "Number of the ID": in_number,
    }
    filled: dict[str, str] = {}
    for name, value in sources.items():
        # An empty value is the same as no value.
        if value is not None and value != "":
            filled[name] = str(value)
    return filled


def _in_zone(card: JsonObject, today: date) -> date | None:
    lines = []
    for text in texts(card.get("mrz")):
        lines.extend(text.splitlines())
    if not lines:
        return None
    zone = mrz.read(mrz.lines_of(lines), today=today)
    if zone is None or not mrz.has_right_digit(zone, "birth"):
        return None
    return zone.birth_date


def _in_century_of(values: Sequence[object], day: date | None) -> date | None:
    """Return the day in the century of the first value that it may be.

    The source of the day has two digits of the year, which do not tell 1925 from 2025.
    """
    for value in values:
        stated = _date(str(value))
        if day and stated and mrz.may_be(day, stated):
            return stated
    return day


def _date(text: str) -> date | None:
    try:
        if _ISO.fullmatch(text):
            return date.fromisoformat(text)
        return None
    except ValueError:
        return None


def _age(born: date, today: date) -> int:
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))


def _judge(name: str, age: int, minimum: int) -> str:
    if age < 0:
        return f"{name}: the date is in the future."
    if age < minimum:
        return f"{name}: the person is {age}, under {minimum}."
    if age > MAXIMUM_AGE:
        return f"{name}: the person would be {age}."
    return ""
