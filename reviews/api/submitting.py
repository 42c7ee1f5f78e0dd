"""Cases submitted over REST, validated by the same form that users fill in."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson
from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import SuspiciousFileOperation
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.utils.datastructures import MultiValueDict
from rest_framework.parsers import MultiPartParser

from compliance.http.api import json_bodies
from compliance.http.api.errors import Problem
from reviews.access import roles
from reviews.api import limits
from reviews.intake import cases
from reviews.intake.form_fields import JSONObjectField
from reviews.intake.forms import FORMS, CaseForm
from reviews.models import Agent, Case, Document
from reviews.procedures import form_fields
from reviews.procedures.content import Content
from reviews.wire import JsonObject

Files = MultiValueDict[str, UploadedFile[bytes]]
Fault = dict[str, str]
TAKEN = "Another act has this submission."


def submit(
    draft: JsonObject, files: Files, *, actor: User, opened: Callable[[Case], None]
) -> Case:
    """Open the case and return it. `opened` is called with a new case, as by cases.submit().

    Raises Problem if the draft is not valid or the reference is taken.
    """
    data = draft["self_attested_data"]
    agents = roles.only_visible(actor, Agent.objects.all(), "connection")
    agent = agents.filter(pk=draft["agent"]).first()
    if agent is None:
        raise unfit([_fault("#/agent", "There is no such agent.")])
    # What is too large is refused before the form looks at it.
    if excess := limits.too_large(data):
        raise unfit([_fault(f"#/self_attested_data{excess.path}", excess.words)])
    form = _form(agent, draft, files, actor)
    try:
        case = cases.submit(
            actor=actor,
            agent=agent,
            reference=form.cleaned_data["reference"],
            subject=form.subject(),
            country=form.country(),
            data=data,
            documents=form.documents(),
            submission=form.cleaned_data["submission"],
            procedure=form.procedure,
            custom_fields=form.custom_values(),
            opened=opened,
        )
    except cases.ReferenceTakenError as exc:
        words = "Another case has this reference."
        raise Problem(409, words, code="reference_taken") from exc
    except cases.SubmissionTakenError as exc:
        raise Problem(409, TAKEN, code="submission_taken") from exc
    # The id of the submission was used before, for a case that this user must not see.
    if not roles.visible(actor).filter(pk=case.pk).exists():
        raise Problem(409, TAKEN, code="submission_taken")
    return case


def _form(agent: Agent, draft: JsonObject, files: Files, actor: User) -> CaseForm:
    """The valid form for this kind of case. Raises Problem with all faults."""
    make_form = FORMS[agent.kind]
    blank = make_form(actor=actor)
    fields: dict[str, forms.Field] = {}
    for section in blank.sections:
        for cell in section.cells:
            fields[cell.name] = cell.field
    data = draft["self_attested_data"]
    # Collect the faults of all members first, so that a client gets them in one response.
    faults = list(_misplaced(blank, data, files))
    values: dict[str, object] = {
        "agent": agent.pk,
        "reference": str(draft.get("reference", "")),
        "submission": str(draft.get("submission", "")),
    }
    for name, field in fields.items():
        try:
            member = _member(data, name)
            values[name] = _input_text(member, field)
        except ValueError as exc:
            fault = _fault(_pointer(name), str(exc))
            faults.append(fault)
    custom = draft.get("custom_fields", {})
    custom_values, custom_faults = custom_fields(blank.custom, custom)
    values |= custom_values
    faults += custom_faults
    form = make_form(values, files, actor=actor)
    for name, errors in form.errors.items():
        place = place_of(name, fields)
        for error in errors:
            faults.append(_fault(place, str(error)))
    if faults:
        raise unfit(faults)
    return form


def custom_fields(
    content: Content, custom: Mapping[str, object]
) -> tuple[dict[str, str], list[Fault]]:
    """The custom fields as form values by name, and the faults of members that do not fit."""
    values = {}
    faults = []
    for key, value in custom.items():
        place = f"#/custom_fields/{key[:60]}"
        spec = content.field(key)
        if spec is None:
            faults.append(_fault(place, "The procedure has no such field."))
            continue
        try:
            values[form_fields.name_of(spec)] = form_fields.typed(spec, value)
        except ValueError as exc:
            faults.append(_fault(place, str(exc)))
    return values, faults


def _misplaced(form: CaseForm, data: JsonObject, files: Files) -> Iterator[Fault]:
    """Faults: documents in the wrong member, or of a kind that the case cannot have."""
    kinds = {kind.value for kind in form.document_kinds}
    for name in Document.Kind.values:
        if data.get(name):
            place = _pointer(name)
            yield _fault(place, "Documents go into `documents`.")
        if name not in kinds and files.getlist(name):
            yield _fault("#/documents", f"A case of this kind has no {name}.")
    for name in files:
        if name not in Document.Kind.values:
            words = f"There is no such kind of document: {name[:80]}."
            yield _fault("#/documents", words)


def _member(data: object, name: str) -> object:
    """The value at a path such as "address.city"; None if it is missing. Raises ValueError."""
    for step in name.split("."):
        if data is None:
            return None
        if not isinstance(data, Mapping):
            raise ValueError("What holds it must be an object.")
        data = data.get(step)
    return data


def _input_text(value: object, field: forms.Field) -> str:
    """The text that a user would enter in the field for this value. Raises ValueError."""
    if value is None:
        return ""
    if isinstance(field, JSONObjectField):
        return json.dumps(value)
    # A list of texts is one text per line in the form.
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(value)
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        raise ValueError("It must be a text.")
    return value


def _pointer(name: str) -> str:
    path = name.replace(".", "/")
    return f"#/self_attested_data/{path}"


def place_of(name: str, fields: Container[str]) -> str:
    """The JSON pointer to the member of the body that fills this field of the form."""
    if name in fields:
        return _pointer(name)
    if name in Document.Kind.values:
        return "#/documents"
    if name.startswith(form_fields.PREFIX):
        return f"#/custom_fields/{name.removeprefix(form_fields.PREFIX)}"
    return f"#/{name}"


def _fault(pointer: str, detail: str) -> Fault:
    return {"pointer": pointer, "detail": detail}


def unfit(faults: list[Fault]) -> Problem:
    first = faults[0]["detail"]
    return Problem(422, f"The case does not fit: {first}", faults=faults)


def decode_documents(documents: Sequence[dict[str, str]]) -> Files:
    """The files of a JSON body. Raises Problem if one is not valid base64."""
    files: Files = MultiValueDict()
    for place, document in enumerate(documents):
        text = document["b64_document"]
        # A data: URL ends with the base64.
        _, _, end_of_url = text.partition("base64,")
        try:
            # validate=True rejects characters outside the alphabet instead of skipping them.
            content = base64.b64decode(end_of_url or text, validate=True)
            file = SimpleUploadedFile(document["file_name"], content)
        except (ValueError, SuspiciousFileOperation) as exc:
            words = "It needs base64 in b64_document, and a file name."
            fault = _fault(f"#/documents/{place}", words)
            raise unfit([fault]) from exc
        files.appendlist(document["kind"], file)
    return files


class CaseUpload(NamedTuple):
    """A draft and its files. Not DRF's DataAndFiles, which the framework would merge into one
    dict.
    """

    draft: JsonObject
    files: Files


class CaseForms(MultiPartParser):
    """Parses multipart bodies: the draft as JSON in the field `case`, files in fields named by
    kind.
    """

    def parse(self, *args: Any, **options: Any) -> Any:
        form: Any = super().parse(*args, **options)
        try:
            raw = form.data.get("case", "").encode()
            draft = orjson.loads(raw)
        except (orjson.JSONDecodeError, UnicodeEncodeError) as exc:
            words = "The form needs the member `case`, which is JSON."
            raise json_bodies.Unreadable(words, code="json_invalid") from exc
        if not isinstance(draft, dict):
            words = "`case` is not a JSON object."
            raise json_bodies.Unreadable(words, code="not_an_object")
        json_bodies.refuse_what_cannot_be_kept(draft)
        json_bodies.refuse_repeated_members(raw, draft)
        return CaseUpload(draft, form.files)
