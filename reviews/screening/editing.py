"""The form of the screening policy: its rows, the policy that they mean, and its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from reviews.findings.thresholds import LONGEST_LIST, MOST_RULES, Thresholds
from reviews.results.scripts import SCRIPTS
from reviews.results.words import script_name

# Empty rules at the end of the form. After each save the form has as many empty ones again.
NEW_RULES = 2
LONGEST_NUMBER = 12


@dataclass(frozen=True)
class Row:
    """A rule as the form shows it. `name` is the prefix of the names of its inputs."""

    name: str
    list: str = ""
    script: str = ""
    threshold: str = ""

    @property
    def script_picks(self) -> Sequence[tuple[str, str, bool]]:
        picks = [("", _("Any script"), self.script == "")]
        for script in SCRIPTS:
            picks.append((script, script_name(script), script == self.script))
        return picks


def rows_of(policy: Thresholds) -> list[Row]:
    rows = []
    for rule in policy.rules:
        rows.append(
            Row("", rule.list, rule.script, number_format(f"{rule.threshold:g}"))
        )
    return _with_new(rows)


def typed(sent: QueryDict) -> list[Row]:
    """The rows that were sent, without those that have no threshold, plus new empty rows."""
    return _with_new([row for row in _typed_rows(sent) if row.threshold])


def _typed_rows(sent: QueryDict) -> Iterator[Row]:
    for number in range(1, MOST_RULES + NEW_RULES + 1):
        name = f"rule-{number}"
        if f"{name}.threshold" in sent:
            yield Row(
                name=name,
                list=_text(sent, f"{name}.list", LONGEST_LIST + 1),
                script=_text(sent, f"{name}.script", LONGEST_NUMBER),
                threshold=_text(sent, f"{name}.threshold", LONGEST_NUMBER),
            )


def _text(sent: QueryDict, name: str, most: int) -> str:
    # PostgreSQL rejects NUL.
    words = sent.get(name, "").replace("\0", "")
    return words.strip()[:most]


def _with_new(rows: Sequence[Row]) -> list[Row]:
    """The rows, numbered from one, followed by empty rows."""
    numbered = []
    for number, row in enumerate(rows, start=1):
        numbered.append(Row(**{**vars(row), "name": f"rule-{number}"}))
    for number in range(len(rows) + 1, len(rows) + NEW_RULES + 1):
        numbered.append(Row(f"rule-{number}"))
    return numbered


def content_of(rows: Sequence[Row]) -> dict[str, object]:
    """The rows as JSON of a policy, valid or not: `Thresholds.from_json` finds the faults."""
    rules = []
    for row in rows:
        if row.threshold:
            rules.append(
                {
                    "list": row.list,
                    "script": row.script,
                    "threshold": _number(row.threshold),
                }
            )
    return {"rules": rules}


def _number(text: str) -> object:
    """A number. Other text is returned as text, and the policy then rejects it in words."""
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return text
    return number


def lines(policy: Thresholds) -> list[str]:
    """Each rule as a sentence."""
    sentences = []
    for rule in policy.rules:
        where = rule.list or _("any list")
        script = script_name(rule.script) or _("any script")
        words = _(
            "%(list)s, %(script)s: a hit by the name alone asks from %(score)s on"
        )
        values = {
            "list": where,
            "script": script,
            "score": number_format(f"{rule.threshold:.3g}"),
        }
        sentences.append(words % values)
    return sentences
