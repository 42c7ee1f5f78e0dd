"""What the sentences of a suspicious activity report may refer to, and a first draft of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.urls import reverse
from django.utils.http import urlencode

from compliance.languages import english
from papers import countries
from reviews import results
from reviews.filings.fincen import institution, unfit
from reviews.filings.stored_sentences import Sentence
from reviews.findings.recommendation_sentence import words_of
from reviews.findings.review_state import ReviewState
from reviews.models import Case, CheckReview, Decision, SuspicionReport

# Kinds of evidence. A key is the kind alone or "kind:id".
DATA = "data"
CHECK, DOCUMENT, DECISION, REPORT = "check", "document", "decision", "report"
DECIDED = {
    "approve": "We approved the case",
    "reject": "We rejected the case",
    "request": "We asked the applicant for information",
    "escalate": "We escalated the case to a senior",
}
# While a second person has not agreed, the case has no decision yet.
PROPOSED = {
    "approve": "An analyst proposed to approve the case",
    "reject": "An analyst proposed to reject the case",
}
NOT_AGREED = " A second person has not agreed yet."
# As the checks of names write it: ": score 0.91, and nationality agrees."
_SCORE = re.compile(r": score [01]\.\d\d(?P<more>, and |; )?")
# “A” and “B”: similarity 0.26. Without more words, the sentence would say nothing about the two.
_SIMILARITY = re.compile(r": similarity 0\.\d\d|: similarity 1\.00()")
_IN_BRACKETS = re.compile(r" \((?:lowest )?similarity [01]\.\d\d\)")
# A word to the desk, not to an authority.
_TO_THE_DESK = " A person must look at it."
# Dismissed findings of a check with a sentence each. Of more, the draft tells only how many.
MOST_NAMED = 5
# Characters of an attested value that a sentence of the draft quotes.
LONGEST_VALUE = 500
OPENED_AGAIN = " The case was opened again after that."


@dataclass(frozen=True)
class Evidence:
    """Something that a sentence may refer to. `key` identifies it, `address` is its page."""

    key: str
    label: str
    address: str


@dataclass(frozen=True)
class CaseEvidence:
    """All evidence that a report about the case may use, by key."""

    case: Case
    state: ReviewState
    earlier: Sequence[SuspicionReport]

    @cached_property
    def decisions(self) -> list[Decision]:
        return list(self.case.decisions.exclude(status=Decision.Status.RETURNED))

    @cached_property
    def all(self) -> dict[str, Evidence]:
        return {row.key: row for row in self._rows()}

    def _rows(self) -> Iterator[Evidence]:
        yield Evidence(DATA, "The attested data", self.case.get_absolute_url())
        for check in self.state.checks:
            key = f"{CHECK}:{check.id}"
            address = self._address(check=check.id)
            yield Evidence(key, check.label, address)
        for document in self.state.documents:
            key = f"{DOCUMENT}:{document.pk}"
            address = self._address(doc=document.pk.hex)
            yield Evidence(key, document.file_name, address)
        for decision in self.decisions:
            key = f"{DECISION}:{decision.pk}"
            label = f"Decision of {decision.made_at:%Y-%m-%d}"
            address = self._address(tab="activity")
            yield Evidence(key, label, address)
        for report in self.earlier:
            key = f"{REPORT}:{report.pk}"
            address = reverse("suspicion", args=[report.pk])
            yield Evidence(key, str(report), address)

    def _address(self, **params: str) -> str:
        return f"{self.case.get_absolute_url()}?{urlencode(params)}"

    @english()
    def draft(self) -> list[Sentence]:
        """A first draft: the subject, the open checks, the latest decision and earlier reports.

        Every sentence of it has evidence.
        """
        drafted = [Sentence(self._of_subject(), DATA)]
        drafted += [Sentence(text, DATA) for text in self._of_unfit()]
        for check in results.open_checks(self.state.checks):
            for text in self._of_check(check):
                drafted.append(Sentence(text, f"{CHECK}:{check.id}"))
        # Only the newest decision: earlier ones were replaced by it.
        for decision in self.decisions[:1]:
            drafted.append(
                Sentence(_of_decision(decision), f"{DECISION}:{decision.pk}")
            )
        for report in self.earlier:
            text = f"We filed an earlier report on {report.filed_at:%Y-%m-%d}, receipt {report.receipt}."
            drafted.append(Sentence(text, f"{REPORT}:{report.pk}"))
        return drafted

    def _of_subject(self) -> str:
        case = self.case
        kind = case.get_kind_display().lower()
        place = ""
        if case.country:
            # The narrative goes to an authority, in English. Of a person this is the country of
            # the address, and not the nationality.
            name = countries.NAMES.get(case.country, case.country)
            place = f" (country: {name})"
        return (
            f"{case.subject}, {_article(kind)} {kind}{place}, applied on"
            f" {case.created_at:%Y-%m-%d} under the reference {case.reference}."
        )

    def _of_unfit(self) -> Iterator[str]:
        """What the subject attested and the form of FinCEN does not take."""
        if institution.current() is None:
            return
        for label, value in unfit.values(self.case):
            # A longer value is for the person, who sees it on the page.
            if len(value) <= LONGEST_VALUE:
                yield f"{label} as attested: {value}."

    def _of_check(self, check: results.Check) -> Iterator[str]:
        """What the check found and when, and what people said about it."""
        finding = _without_scores(words_of(check)).replace(_TO_THE_DESK, "")
        text = _sentence(finding)
        if check.at:
            # A check writes "3 days ago". Who reads the report needs the day that it counts from.
            text += f" We checked this on {check.at:%Y-%m-%d}."
        review = self.state.reviews.get(check.id)
        if review is not None and review.kind == CheckReview.Kind.OVERRIDDEN:
            text += f" A reviewer overrode this: {_sentence(review.reason)}"
        yield text
        yield from self._of_findings(check)

    def _of_findings(self, check: results.Check) -> Iterator[str]:
        """What people said about single findings of the check."""
        dismissed = []
        for part in check.parts:
            for finding in part.findings:
                name = finding.name
                if finding in self.state.confirmed:
                    yield f"A reviewer confirmed the match with “{name}”."
                elif dismissal := self.state.dismissed.get(finding):
                    reason = _sentence(dismissal.reason)
                    dismissed.append(f"A reviewer dismissed “{name}”: {reason}")
        if len(dismissed) > MOST_NAMED:
            yield f"Reviewers dismissed {len(dismissed)} findings of {check.label}."
        else:
            yield from dismissed


def _of_decision(decision: Decision) -> str:
    words = DECIDED[decision.outcome]
    after = ""
    if decision.status == Decision.Status.PROPOSED:
        words = PROPOSED[decision.outcome]
        after = NOT_AGREED
    elif decision.status == Decision.Status.REOPENED:
        after = OPENED_AGAIN
    labels = ", ".join(_in_a_sentence(label) for _, label in decision.reasons)
    return f"{words} on {decision.made_at:%Y-%m-%d}: {labels}.{after}"


def _in_a_sentence(label: str) -> str:
    """A label as it stands in the middle of a sentence. Names such as "EIN" keep their letters."""
    if label[1:2].isupper():
        return label
    return label[:1].lower() + label[1:]


def _without_scores(text: str) -> str:
    """The words of a check without the score of a comparison of names: who reads the report does
    not know its scale, and a match by a number has a low one.
    """

    def rest(match: re.Match[str]) -> str:
        return ": " if match["more"] else ""

    def difference(match: re.Match[str]) -> str:
        return ": the names differ" if match[1] is None else ""

    text = _IN_BRACKETS.sub("", _SIMILARITY.sub(difference, text))
    return _SCORE.sub(rest, text)


def _article(noun: str) -> str:
    if noun[:1] in "aeiou":
        return "an"
    return "a"


def _sentence(text: str) -> str:
    if text.endswith((".", "!", "?")):
        return text
    return f"{text}."
