"""A case as it comes over REST, judged by the very form that people fill in."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
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
from reviews.intake import cases
from reviews.intake.form_fields import JSONObjectField
from reviews.intake.forms import FORMS, CaseForm
from reviews.models import Agent, Case, Document

Files = MultiValueDict[str, UploadedFile[bytes]]
Faults = list[dict[str, str]]


def submit(draft: Mapping[str, Any], files: Files, *, actor: User) -> Case:
    """Open the case. Raises Problem."""
    data = draft["self_attested_data"]
    agent = roles.only_visible(actor, Agent.objects.all(), "connection").filter(
        pk=draft["agent"]
    )
    found = agent.first()
    if found is None:
        raise _unfit([_fault("#/agent", "There is no such agent.")])
    form = _form(found, draft, files, actor)
    try:
        case = cases.submit(
            actor=actor,
            agent=found,
            reference=form.cleaned_data["reference"],
            subject=form.subject(),
            country=form.country(),
            data=data,
            documents=form.documents(),
            submission=form.cleaned_data["submission"],
        )
    except cases.ReferenceTakenError as exc:
        raise Problem(
            409, "Another case has this reference.", code="reference_taken"
        ) from exc
    if not roles.visible(actor).filter(pk=case.pk).exists():
        raise Problem(409, "Another act has this submission.", code="submission_taken")
    return case


def _form(
    agent: Agent, draft: Mapping[str, Any], files: Files, actor: User
) -> CaseForm:
    """The form of this kind of case, filled in and found to be right."""
    typed = {name: str(draft.get(name, "")) for name in ("reference", "submission")}
    blank = FORMS[agent.kind](actor=actor)
    cells = {
        cell.name: cell.field for section in blank.sections for cell in section.cells
    }
    data = draft["self_attested_data"]
    faults = [*_misplaced(blank, data, files)]
    for name, field in cells.items():
        try:
            typed[name] = _typed(_member(data, name), field)
        except ValueError as exc:
            faults.append(_fault(_pointer(name), str(exc)))
    form = FORMS[agent.kind]({**typed, "agent": agent.pk}, files, actor=actor)
    for name, errors in form.errors.items():
        faults += [_fault(_place(name, cells), str(error)) for error in errors]
    if faults:
        raise _unfit(faults)
    return form


def _misplaced(
    form: CaseForm, data: Mapping[str, Any], files: Files
) -> Iterator[dict[str, str]]:
    kinds = {kind.value for kind in form.document_kinds}
    for name in Document.Kind.values:
        if data.get(name):
            yield _fault(
                f"#/self_attested_data/{name}", "Documents go into `documents`."
            )
        if name not in kinds and files.getlist(name):
            yield _fault("#/documents", f"A case of this kind has no {name}.")
    for name in set(files) - set(Document.Kind.values):
        yield _fault("#/documents", f"There is no such kind of document: {name[:80]}.")


def _member(data: Any, name: str) -> Any:
    """What stands at "address.city"; None where nothing does."""
    for step in name.split("."):
        if data is None:
            return None
        if not isinstance(data, Mapping):
            raise ValueError("What holds it must be an object.")
        data = data.get(step)
    return data


def _typed(value: Any, field: forms.Field) -> str:
    """What somebody would have typed into the field to say this."""
    if value is None:
        return ""
    if isinstance(field, JSONObjectField):
        return json.dumps(value)
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "\n".join(value)
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        raise ValueError("It must be a text.")
    return value


def _pointer(name: str) -> str:
    return f"#/self_attested_data/{name.replace('.', '/')}"


def _place(name: str, cells: Mapping[str, Any]) -> str:
    if name in cells:
        return _pointer(name)
    return "#/documents" if name in Document.Kind.values else f"#/{name}"


def _fault(pointer: str, detail: str) -> dict[str, str]:
    return {"pointer": pointer, "detail": detail}


def _unfit(faults: Faults) -> Problem:
    return Problem(422, f"The case does not fit: {faults[0]['detail']}", faults=faults)


def decoded(listed: list[dict[str, str]]) -> Files:
    """The files of a JSON body. Raises Problem where one is not base64."""
    files: Files = MultiValueDict()
    for place, one in enumerate(listed):
        text = one["b64_document"].partition("base64,")[2] or one["b64_document"]
        try:
            content = base64.b64decode(text, validate=True)
            file = SimpleUploadedFile(one["file_name"], content)
        except (ValueError, SuspiciousFileOperation) as exc:
            words = "It needs base64 in b64_document, and a file name."
            raise _unfit([_fault(f"#/documents/{place}", words)]) from exc
        files.appendlist(one["kind"], file)
    return files


class Sent(NamedTuple):
    """A draft and its files. Not DataAndFiles: the framework would mix the two."""

    draft: dict[str, Any]
    uploads: Files


class CaseForms(MultiPartParser):
    """A form with the draft as JSON in `case`, and files named by their kinds."""

    def parse(self, *args: Any, **options: Any) -> Any:
        found: Any = super().parse(*args, **options)
        try:
            draft = orjson.loads(found.data.get("case", ""))
        except orjson.JSONDecodeError as exc:
            words = "The form needs the member `case`, which is JSON."
            raise json_bodies.Unreadable(words, code="json_invalid") from exc
        if not isinstance(draft, dict):
            raise json_bodies.Unreadable(
                "`case` is not a JSON object.", code="not_an_object"
            )
        json_bodies.refuse_what_cannot_be_kept(draft)
        return Sent(draft, found.files)
