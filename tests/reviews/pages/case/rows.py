"""Rows of a case whose job has run, and the words of its page."""

from __future__ import annotations

import io
import re
from html import unescape
from typing import Any

from django.core.files.base import ContentFile
from django.test import Client
from PIL import Image

from reviews.models import Case, CheckResult, Document, Job, Page
from tests.factories import make_agent, make_case, make_connection, make_job
from tests.reviews.pages.case import payloads


def reviewed_case(
    *, status: str = Job.Status.COMPLETE, **values: Any
) -> tuple[Case, Job]:
    connection = make_connection(values.pop("slug", "hub"))
    values.setdefault("status", Case.Status.TO_REVIEW)
    values.setdefault("reference", "C-10428")
    case = make_case(connection, agent=make_agent(connection), **values)
    return case, make_job(case, status=status)


def add_document(
    case: Case,
    *,
    name: str = "certificate.pdf",
    kind: str = Document.Kind.INCORPORATION,
    pages: int = 1,
    words: Any = (("Northwind", 0.1, 0.1, 0.3, 0.12),),
    status: str = Document.Status.DRAWN,
    **values: Any,
) -> Document:
    document = Document.objects.create(
        case=case, kind=kind, file_name=name, status=status, due_at=None, **values
    )
    add_pages(document, pages, words)
    return document


def add_pages(document: Document, count: int, words: Any = ()) -> None:
    for number in range(1, count + 1):
        page = Page(document=document, number=number, width=100, height=140)
        page.words = [list(word) for word in words]
        page.image.save(f"{number}.webp", ContentFile(webp()), save=True)


def webp(size: tuple[int, int] = (100, 140)) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, "white").save(buffer, "WEBP")
    return buffer.getvalue()


def wire(document: Document) -> dict[str, Any]:
    url = f"http://desk.example/documents/{document.pk}/file/token"
    return {"type": "Document", "url": url, "file_name": document.file_name}


def add_tool_result(
    job: Job, tool_id: str, body: Any, *, subject: str = "x"
) -> CheckResult:
    return CheckResult.objects.create(
        job=job,
        source=CheckResult.Source.TOOL,
        check_id=tool_id,
        subject=subject,
        body=body,
    )


def add_check_result(
    job: Job,
    result: Any = None,
    *,
    check_id: str = payloads.CHECK,
    status: str = "completed",
) -> CheckResult:
    body = {"id": "1", "check_id": check_id, "status": status, "result": result}
    return CheckResult.objects.create(
        job=job,
        source=CheckResult.Source.CHECK,
        check_id=check_id,
        status=status,
        body=body,
    )


def words(client: Client, address: str, *, language: str = "en") -> str:
    """The words of a page, in the order of its source."""
    response = client.get(address, headers={"accept-language": language})
    assert response.status_code == 200, response.status_code
    return plain(response.content.decode())


def plain(html: str) -> str:
    main = html[html.index("<main") :] if "<main" in html else html
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", main)).split())
