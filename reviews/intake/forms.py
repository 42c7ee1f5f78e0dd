"""The forms that open a case.

A field has the name of its member of self_attested_data, such as "address.city".
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, cast

from django import forms
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.http import references
from reviews.access import roles
from reviews.intake import cases
from reviews.intake.form_fields import (
    Cell,
    DocumentsField,
    Section,
    TokenField,
    Uploads,
    address,
    category_code,
    choice,
    country,
    day,
    email,
    json_object,
    lines,
    prose,
    text,
    web,
    yes_or_no,
)
from reviews.intake.parties import rows as party_rows
from reviews.models import (
    DOCUMENT_KINDS,
    ID_PICTURES,
    OF_ID,
    Agent,
    Document,
    Kind,
    Procedure,
)
from reviews.procedures import form_fields, versions

# The fields of the procedure. They follow those of the interface.
CUSTOM = Section(
    "custom",
    gettext_lazy("Our own fields"),
    "pencil",
    cells=(),
    note=gettext_lazy("not sent to the service"),
)


def _validate_reference(text: str) -> None:
    # A text that is too long has a fault of the field already.
    is_too_long = len(text) > references.LONGEST
    if not is_too_long and not references.fits(text):
        raise forms.ValidationError(references.refusal(), code="not_a_reference")


class _AgentField(forms.ChoiceField):
    """A choice of agents, which are read once per form."""

    agents: Mapping[str, Agent] = {}

    def offer(self, agents: Sequence[Agent]) -> None:
        agent_by_key = {}
        choices = []
        for agent in agents:
            key = str(agent.pk)
            agent_by_key[key] = agent
            choices.append((key, str(agent)))
        self.agents = agent_by_key
        # If there is only one agent, it is selected.
        if len(choices) != 1:
            choices.insert(0, ("", "---------"))
        self.choices = choices

    def clean(self, value: object) -> Agent:
        key = str(super().clean(value))
        return self.agents[key]


class CaseForm(forms.Form):
    """The part that both kinds of case share. A subclass defines its kind and sections."""

    kind: Kind
    sections: tuple[Section, ...]
    country_from: tuple[str, ...]
    # Applicants do not see the fields that the desk adds.
    has_custom_fields = True
    # A person has no owners and officers.
    has_parties = False

    agent = _AgentField(
        label=gettext_lazy("Agent"),
        error_messages={
            "required": gettext_lazy("Choose the agent that examines the case."),
            "invalid_choice": gettext_lazy(
                "This agent can no longer be chosen. Choose another one."
            ),
        },
    )
    reference = forms.CharField(
        label=gettext_lazy("Reference"),
        required=False,
        max_length=references.LONGEST,
        validators=[_validate_reference],
        help_text=gettext_lazy(
            "Your own identifier of the case. Left empty, one is made."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    submission = TokenField(required=False)

    def __init__(
        self,
        data: Mapping[str, object] | None = None,
        files: Uploads | None = None,
        *,
        actor: User,
        initial: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(data, files, initial=dict(initial or {}))
        for cell in self._cells():
            # No form changes these fields, so they are not copied, which would be slow.
            self.fields[cell.name] = cell.field
        self.parties: list[party_rows.PartyRow] = []
        if self.has_parties:
            self._add_parties(data if data is not None else initial or {})
        self.procedure: Procedure | None = None
        if self.has_custom_fields:
            self.procedure = versions.live(self.kind)
        self.custom = versions.content_of(self.procedure)
        self.fields.update(form_fields.fields_of(self.custom))
        for kind in self.document_kinds:
            self.fields[kind.value] = DocumentsField.of(kind)
        self.agents = roles.choices(actor, kind=self.kind)
        chooser = cast(_AgentField, self.fields["agent"])
        chooser.offer(self.agents)
        self.fields["submission"].initial = uuid.uuid4

    def _add_parties(self, values: Mapping[str, object]) -> None:
        """As many rows of fields as the values say."""
        count = party_rows.count_of(values)
        self.parties = party_rows.rows(count)
        for row in self.parties:
            for cell in row.cells:
                self.fields[cell.name] = cell.field
        if self.parties:
            self.fields[party_rows.ROWS] = party_rows.CountField(count)

    def typed(self, sent: Mapping[str, str]) -> dict[str, str]:
        """The fields that a draft stores: all but the files and the id of the submission."""
        names = ["agent", "reference"]
        for cell in self._cells():
            names.append(cell.name)
        for spec in self.custom.fields:
            names.append(form_fields.name_of(spec))
        return self._filled(names, sent)

    def _filled(self, names: list[str], sent: Mapping[str, str]) -> dict[str, str]:
        """The values that were sent under these names, and those of the rows of parties."""
        for row in self.parties:
            names += [cell.name for cell in row.cells]
        fields = {}
        for name in names:
            if sent.get(name):
                fields[name] = sent[name]
        # Rows that were added and not filled in are there again, too.
        if len(self.parties) > party_rows.FIRST:
            fields[party_rows.ROWS] = str(len(self.parties))
        return fields

    def begin_again(self) -> None:
        """Give the form the id of a new submission, and keep what was typed."""
        data = cast(QueryDict, self.data).copy()
        data["submission"] = str(uuid.uuid4())
        self.data = data

    def faults_of(self, name: str, value: object) -> list[str]:
        """The faults of one field alone, while the others are not filled in yet."""
        try:
            self.fields[name].clean(value)
        except forms.ValidationError as exc:
            return list(exc.messages)
        return []

    @property
    def layout(self) -> Iterator[tuple[Section, list[tuple[forms.BoundField, str]]]]:
        """The sections with their bound fields and widths, for the template."""
        for section in self.sections:
            fields = []
            for cell in section.cells:
                fields.append((self[cell.name], cell.size))
            yield section, fields
        for row in self.parties:
            yield row.section, [(self[cell.name], cell.size) for cell in row.cells]
        if self.custom.fields:
            fields = []
            for spec in self.custom.fields:
                fields.append((self[form_fields.name_of(spec)], ""))
            yield CUSTOM, fields

    @property
    def rows_of_parties(self) -> forms.BoundField:
        return self[party_rows.ROWS]

    @property
    def last_of_parties(self) -> str:
        """The key of the last row of parties, after which the button stands that adds some."""
        return self.parties[-1].section.key if self.parties else ""

    @property
    def next_of_parties(self) -> str:
        """The key of the first row that the button adds; "" if there are as many as may be."""
        count = len(self.parties)
        return f"parties-{count}" if 0 < count < party_rows.MOST else ""

    @property
    def document_kinds(self) -> tuple[Document.Kind, ...]:
        return DOCUMENT_KINDS[self.kind]

    @property
    def file_fields(self) -> list[forms.BoundField]:
        return [self[kind.value] for kind in self.document_kinds]

    @property
    def faults(self) -> list[tuple[str, str, str]]:
        """All faults for the summary of the page: (anchor, label, message)."""
        file_names = {kind.value for kind in self.document_kinds}
        faults = []
        for name, errors in self.errors.items():
            if name not in self.fields:
                continue
            bound = self[name]
            if name in file_names:
                anchor = "documents"
            else:
                anchor = bound.id_for_label
            for error in errors:
                faults.append((anchor, str(bound.label), str(error)))
        return faults

    def self_attested_data(self) -> dict[str, Any]:
        """The typed values in the shape of the interface. Empty members are left out."""
        data: dict[str, Any] = {}
        for cell in self._cells():
            value = self.cleaned_data.get(cell.name)
            if value in (None, "", []):
                continue
            if isinstance(value, date):
                value = value.isoformat()
            # "address.city" becomes a member of the object "address".
            *path, member = cell.name.split(".")
            members = data
            for name in path:
                members = members.setdefault(name, {})
            if path and path[-1].startswith("address"):
                members["type"] = "Address"
            members[member] = value
        return {**data, **party_rows.data(self.parties, self.cleaned_data)}

    def custom_values(self) -> dict[str, object]:
        """The values of the fields that the desk adds, by key."""
        return form_fields.stored(self.custom, self.cleaned_data)

    def documents(self) -> list[tuple[str, UploadedFile[bytes]]]:
        """Pairs of kind and file."""
        documents = []
        for kind in self.document_kinds:
            for file in self.cleaned_data[kind.value]:
                documents.append((kind.value, file))
        return documents

    def subject(self) -> str:
        return cases.subject_of(self.self_attested_data())

    def country(self) -> str:
        for name in self.country_from:
            if code := self.cleaned_data.get(name):
                return str(code)
        return ""

    def _cells(self) -> Iterator[Cell]:
        for section in self.sections:
            yield from section.cells


class BusinessCaseForm(CaseForm):
    kind = Kind.KYB
    has_parties = True
    country_from = (
        "address_of_incorporation.country_code",
        "address_of_operation.country_code",
    )
    sections: tuple[Section, ...] = (
        Section(
            "business",
            gettext_lazy("Business"),
            "building-2",
            note=gettext_lazy(
                "self-attested by the applicant; one name or the website is needed"
            ),
            cells=(
                Cell("business_name", text(gettext_lazy("Business name"))),
                Cell("registered_business_name", text(gettext_lazy("Registered name"))),
                Cell(
                    "business_registration_number",
                    text(gettext_lazy("Registration number")),
                    "third",
                ),
                Cell(
                    "tin_number", text(gettext_lazy("Tax number (EIN, TIN)")), "third"
                ),
                Cell(
                    "incorporation_date",
                    day(gettext_lazy("Incorporation date")),
                    "third",
                ),
                Cell("website", web(gettext_lazy("Website"))),
                Cell("industry", text(gettext_lazy("Industry")), "third"),
                Cell("mcc_code", category_code("MCC"), "sixth"),
                Cell("business_purpose", prose(gettext_lazy("Business purpose"))),
                Cell("description", prose(gettext_lazy("Description"))),
            ),
        ),
        Section(
            "incorporation",
            gettext_lazy("Incorporation address"),
            "stamp",
            cells=address("address_of_incorporation"),
        ),
        Section(
            "operation",
            gettext_lazy("Operating address"),
            "map-pin",
            cells=address("address_of_operation"),
        ),
        Section(
            "relations",
            gettext_lazy("Relations and contact"),
            "users",
            cells=(
                # The hub and the desk take them for owners, so the form says so.
                Cell(
                    "partners",
                    lines(
                        gettext_lazy("Partners who own a part"),
                        gettext_lazy(
                            "One a line, with the share where it is known: Ann Lee, 60 %."
                            " Other business partners are no owners."
                        ),
                    ),
                ),
                Cell("customers", lines(gettext_lazy("Customers"))),
                Cell("source_of_funds", lines(gettext_lazy("Source of funds"))),
                Cell("customer_countries", lines(gettext_lazy("Customer countries"))),
                Cell("contact_email_address", email(gettext_lazy("Contact e-mail"))),
                Cell(
                    "contact_phone_number",
                    text(gettext_lazy("Contact phone"), inputmode="tel"),
                ),
            ),
        ),
    )

    def clean(self) -> dict[str, object]:
        cleaned = super().clean() or self.cleaned_data
        # An invalid website has its own fault, so no second fault is added.
        identifying = ("business_name", "registered_business_name", "website")
        if not any(cleaned.get(name) or name in self.errors for name in identifying):
            self.add_error(
                "business_name",
                _("Enter a business name, a registered name or a website."),
            )
        for row in self.parties:
            for name, fault in row.faults(cleaned):
                self.add_error(name, fault)
        return cleaned


ID_DATA = ".".join(OF_ID)


class PersonCaseForm(CaseForm):
    kind = Kind.KYC
    id_data = ID_DATA
    country_from = (
        "address.country_code",
        "country_of_residence",
        "country_of_nationality",
    )
    sections: tuple[Section, ...] = (
        Section(
            "person",
            gettext_lazy("Person"),
            "user",
            note=gettext_lazy("self-attested by the applicant"),
            cells=(
                Cell(
                    "first_name",
                    text(gettext_lazy("First name"), required=True),
                    "third",
                ),
                Cell("middle_name", text(gettext_lazy("Middle name")), "third"),
                Cell(
                    "last_name", text(gettext_lazy("Last name"), required=True), "third"
                ),
                Cell("name_prefix", text(gettext_lazy("Prefix")), "sixth"),
                Cell("name_suffix", text(gettext_lazy("Suffix")), "sixth"),
                Cell("title", text(gettext_lazy("Title")), "third"),
                Cell(
                    "sex",
                    choice(
                        gettext_lazy("Sex"),
                        [
                            ("female", gettext_lazy("Female")),
                            ("male", gettext_lazy("Male")),
                            ("other", gettext_lazy("Other")),
                        ],
                    ),
                    "third",
                ),
                Cell("date_of_birth", day(gettext_lazy("Date of birth")), "third"),
                Cell(
                    "place_of_birth",
                    text(
                        gettext_lazy("Place of birth"),
                        help_text=gettext_lazy("City, country"),
                    ),
                    "two-thirds",
                ),
                Cell("country_of_nationality", country(gettext_lazy("Nationality"))),
                Cell(
                    "country_of_residence",
                    country(gettext_lazy("Country of residence")),
                ),
                Cell("email", email(gettext_lazy("E-mail"))),
                Cell("phone", text(gettext_lazy("Phone"), inputmode="tel")),
            ),
        ),
        Section(
            "address", gettext_lazy("Address"), "map-pin", cells=address("address")
        ),
        Section(
            "government-id",
            gettext_lazy("Government ID"),
            "id-card",
            note=gettext_lazy("as read by you or a vendor; all of it is optional"),
            folded=True,
            cells=(
                Cell(
                    f"{ID_DATA}.document_type",
                    text(gettext_lazy("Kind of document")),
                    "third",
                ),
                Cell(
                    f"{ID_DATA}.document_number",
                    text(gettext_lazy("Document number")),
                    "third",
                ),
                Cell(
                    f"{ID_DATA}.issuing_country",
                    country(gettext_lazy("Issuing country")),
                    "third",
                ),
                Cell(
                    f"{ID_DATA}.first_name",
                    text(gettext_lazy("First name on the ID")),
                    "third",
                ),
                Cell(
                    f"{ID_DATA}.middle_names",
                    text(gettext_lazy("Middle names on the ID")),
                    "third",
                ),
                Cell(
                    f"{ID_DATA}.last_name",
                    text(gettext_lazy("Last name on the ID")),
                    "third",
                ),
                Cell(
                    f"{ID_DATA}.date_of_birth",
                    day(gettext_lazy("Date of birth on the ID")),
                    "third",
                ),
                Cell(
                    f"{ID_DATA}.expiration_date",
                    day(gettext_lazy("Expires on"), field=forms.DateField),
                    "third",
                ),
                Cell(
                    f"{ID_DATA}.phone", text(gettext_lazy("Phone on the ID")), "third"
                ),
                *address(f"{ID_DATA}.address"),
                Cell(
                    f"{ID_DATA}.mrz",
                    lines(gettext_lazy("Machine-readable zone")),
                    "full",
                ),
                Cell(f"{ID_DATA}.front_image_url", web(gettext_lazy("Front image"))),
                Cell(f"{ID_DATA}.back_image_url", web(gettext_lazy("Back image"))),
                Cell(
                    f"{ID_DATA}.face_match_image_url",
                    web(gettext_lazy("Face-match image")),
                ),
                Cell(
                    f"{ID_DATA}.face_match_video_url",
                    web(gettext_lazy("Face-match video")),
                ),
                Cell(f"{ID_DATA}.vendor_name", text(gettext_lazy("Vendor")), "third"),
                Cell(
                    f"{ID_DATA}.vendor_verification_url",
                    web(gettext_lazy("Vendor's verification page")),
                    "third",
                ),
                Cell(
                    f"{ID_DATA}.vendor_validated",
                    yes_or_no(gettext_lazy("Validated by the vendor")),
                    "third",
                ),
                Cell(
                    f"{ID_DATA}.vendor_data",
                    json_object(gettext_lazy("Vendor's data")),
                    "full",
                ),
            ),
        ),
    )

    def clean(self) -> dict[str, object]:
        cleaned = super().clean() or self.cleaned_data
        for kind in ID_PICTURES:
            has_file = bool(cleaned.get(kind.value))
            has_address = bool(cleaned.get(f"{ID_DATA}.{kind.value}"))
            if has_file and has_address:
                words = _(
                    "%(label)s: give a file or the address of an image, not both."
                ) % {"label": kind.label}
                self.add_error(kind.value, words)
        return cleaned


FORMS: dict[str, type[CaseForm]] = {
    Kind.KYB.value: BusinessCaseForm,
    Kind.KYC.value: PersonCaseForm,
}
