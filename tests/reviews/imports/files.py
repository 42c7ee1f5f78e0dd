"""Files of cases, and the page on which a person imports them."""

from __future__ import annotations

import csv
import io
from html import unescape
from urllib.parse import urlsplit

from django.core.files.uploadedfile import SimpleUploadedFile

from reviews.models import CaseImport

GOOD = (
    b"id,Company name,Incorporation country,Proof of address,Colour\n"
    b"a-1,Northwind,us,https://files.example/bill.pdf,red\n"
    b"a-2,Contoso,Germany,,blue\n"
)


def upload(ana, agent, content: bytes, name: str = "march.csv"):
    data = {"agent": agent.pk, "file": SimpleUploadedFile(name, content)}
    return ana.post("/batches/", data)


def keep(ana, agent, content: bytes) -> CaseImport:
    answer = upload(ana, agent, content)
    assert answer.status_code == 303, unescape(answer.content.decode())
    pk = urlsplit(answer["Location"]).path.strip("/").rpartition("/")[2]
    return CaseImport.objects.get(pk=pk)


def address(row: CaseImport) -> str:
    return f"/batches/files/{row.pk}/"


def import_page(ana, row: CaseImport) -> str:
    return " ".join(unescape(ana.get(address(row)).content.decode()).split())


def act(ana, row: CaseImport, name: str, **changes: str):
    """Press a button of the page as it stands, with some fields changed."""
    row.refresh_from_db()
    fields = {f"column-{place}": member for place, member in enumerate(row.mapping)}
    if row.joins_rows:
        fields["joins_rows"] = "on"
    return ana.post(address(row), {**fields, "act": name, **changes})


def result(ana, row: CaseImport) -> list[dict[str, str]]:
    text = ana.get(f"{address(row)}result.csv").content.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))
