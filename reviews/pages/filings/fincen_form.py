"""The facts for FinCEN's form: the fields on the page, and their labels for reading."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django import forms
from django.http import QueryDict
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from reviews.filings.fincen import codes, facts
from reviews.filings.fincen.codes import Category
from reviews.filings.fincen.facts import Facts

KINDS = {
    facts.INITIAL: gettext_lazy("Initial report"),
    facts.CORRECTION: gettext_lazy("Correction of an earlier report"),
    facts.CONTINUING: gettext_lazy("Continuing activity"),
}
AMOUNTS = {
    facts.KNOWN: gettext_lazy("Known"),
    facts.UNKNOWN: gettext_lazy("Unknown"),
    facts.NONE: gettext_lazy("No amount involved"),
}
RELATIONSHIPS = {
    "customer": gettext_lazy("Customer"),
    "borrower": gettext_lazy("Borrower"),
    "agent": gettext_lazy("Agent"),
    "accountant": gettext_lazy("Accountant"),
    "attorney": gettext_lazy("Attorney"),
    "appraiser": gettext_lazy("Appraiser"),
    "none": gettext_lazy("No relationship to the institution"),
    "other": gettext_lazy("Other"),
}
ROLES = {
    "sender": gettext_lazy("Purchaser or sender"),
    "receiver": gettext_lazy("Payee or receiver"),
    "both": gettext_lazy("Both"),
}
CHOOSE = ("", gettext_lazy("Choose"))
NOT_STATED = ("", gettext_lazy("Not stated"))
# A hidden field that marks forms with these fields. A page opened before FinCEN was set up lacks
# it.
MARK = "fincen"


@dataclass(frozen=True)
class Choice:
    code: int
    label: str
    is_chosen: bool


@dataclass(frozen=True)
class Group:
    """A category with its activities, and the description of "Other" in it."""

    category: Category
    choices: list[Choice]
    other: str

    @property
    def chosen(self) -> int:
        return sum(choice.is_chosen for choice in self.choices)


class FactsForm(forms.Form):
    """All facts except the activities, which `groups` has. The room's own rules validate the
    values.
    """

    kind = forms.ChoiceField(
        label=gettext_lazy("Kind of report"), choices=[CHOOSE, *KINDS.items()]
    )
    prior_number = forms.CharField(
        label=gettext_lazy("Number of the earlier report"),
        help_text=gettext_lazy(
            "14 digits, of the authority's receipt; 14 zeros where it is unknown."
        ),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "maxlength": 14}),
    )
    first_day = forms.CharField(
        label=gettext_lazy("First day of the activity"),
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    last_day = forms.CharField(
        label=gettext_lazy("Last day of the activity"),
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    amount = forms.ChoiceField(
        label=gettext_lazy("Amount involved"), choices=[CHOOSE, *AMOUNTS.items()]
    )
    dollars = forms.CharField(
        label=gettext_lazy("Amount"),
        help_text=gettext_lazy("Whole US dollars."),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "maxlength": 15}),
    )
    cumulative_dollars = forms.CharField(
        label=gettext_lazy("Amount of all reports together"),
        help_text=gettext_lazy("Whole US dollars; of continuing activity alone."),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "maxlength": 15}),
    )
    relationship = forms.ChoiceField(
        label=gettext_lazy("Relationship of the subject"),
        choices=[CHOOSE, *RELATIONSHIPS.items()],
    )
    other_relationship = forms.CharField(
        label=gettext_lazy("Other relationship, in words"),
        widget=forms.TextInput(attrs={"maxlength": facts.LONGEST_OTHER}),
    )
    role = forms.ChoiceField(
        label=gettext_lazy("Role of the subject in transactions"),
        choices=[NOT_STATED, *ROLES.items()],
    )

    stated: Facts

    @classmethod
    def of(cls, stated: Facts) -> FactsForm:
        form = cls(initial=stated.to_json(), use_required_attribute=False)
        form.stated = stated
        for field in form.fields.values():
            field.required = False
        return form

    @classmethod
    def posted(cls, post: QueryDict) -> FactsForm | None:
        """The submitted facts, valid or not; None if the form does not have these fields."""
        if MARK not in post:
            return None
        # Values are only cleaned of extra spaces. The rules of the room find the faults.
        values: dict[str, object] = {}
        for name in (*cls.base_fields, *EVIDENCE):
            values[name] = " ".join(post.get(name, "").split())
        chosen = []
        for text in post.getlist("activity"):
            # Codes of activities have at most five digits.
            if text.isdecimal() and len(text) <= 5:
                chosen.append(int(text))
        others = {}
        for category in codes.CATEGORIES:
            words = " ".join(post.get(f"other-{category.code}", "").split())
            others[str(category.code)] = words
        values["activities"] = chosen
        values["other_activities"] = others
        return cls.of(Facts.of(values))

    def facts(self) -> Facts:
        return self.stated

    def groups(self) -> Iterator[Group]:
        for category in codes.CATEGORIES:
            choices = []
            for code, label in category.activities:
                choices.append(Choice(code, label, code in self.stated.activities))
            yield Group(category, choices, self.stated.words_for(category.code))


EVIDENCE = ("activity_evidence", "amount_evidence", "relationship_evidence")


def words_of(stated: Facts) -> Iterator[tuple[str, list[str], str]]:
    """For each group: label, values, key of the evidence."""
    kind = [str(KINDS[stated.kind])] if stated.kind in KINDS else []
    if kind and stated.prior_number:
        kind.append(stated.prior_number)
    yield _("Kind of report"), kind, ""
    yield _("Kinds of activity"), _activities(stated), stated.activity_evidence
    yield _("Days and amount"), _days_and_amount(stated), stated.amount_evidence
    relationship = []
    if stated.relationship in RELATIONSHIPS:
        relationship.append(str(RELATIONSHIPS[stated.relationship]))
    if stated.other_relationship:
        relationship.append(stated.other_relationship)
    if stated.role in ROLES:
        relationship.append(str(ROLES[stated.role]))
    label = _("Relationship of the subject")
    yield label, relationship, stated.relationship_evidence


def _activities(stated: Facts) -> list[str]:
    lines = []
    for code in stated.activities:
        category, label = codes.ACTIVITIES[code]
        words = f"{category.label}: {label}"
        if code == category.other:
            words += f" ({stated.words_for(category.code)})"
        lines.append(words)
    return lines


def _days_and_amount(stated: Facts) -> list[str]:
    days = [day for day in (stated.first_day, stated.last_day) if day]
    lines = [" / ".join(days)] if days else []
    if stated.amount == facts.KNOWN:
        lines.append(_dollars(stated.dollars))
    elif stated.amount in AMOUNTS:
        lines.append(f"{_('Amount involved')}: {AMOUNTS[stated.amount]}")
    if stated.cumulative_dollars:
        words = _("%(amount)s in all reports together")
        lines.append(words % {"amount": _dollars(stated.cumulative_dollars)})
    return lines


def _dollars(text: str) -> str:
    if not text.isdecimal():
        return ""
    return f"US$ {number_format(int(text), force_grouping=True)}"
