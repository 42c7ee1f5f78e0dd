"""Reads a small sample document. The import has the effect.

The fork server imports this: each document is read in a process that it forks. What is made when it
is first needed, such as patterns, tables and the OCR engine, is then there for all of them. Without
it, reading a page took three times as much CPU time.
"""

from __future__ import annotations

import io
import logging

import pikepdf
from pikepdf import Dictionary, Name

from checks.engine import examine_evidence
from checks.evidence import Evidence
from checks.wire import Wire

logger = logging.getLogger(__name__)

CHECK = "kyb.incorporation_document_verification"
ATTESTED = {"business_name": "Northwind Trading LLC", "registration_number": "7123456"}
LINES = (
    "CERTIFICATE OF INCORPORATION",
    "I, the Secretary of State of the State of Delaware, certify that",
    "NORTHWIND TRADING LLC",
    "was incorporated on 14 March 2019 under number 7123456.",
    "Registered office: 12 Main Street, Dover, Delaware 19901",
)


def sample() -> bytes:
    """Return a PDF of one page with the lines. The page is small, and so are its pictures."""
    shown = " ".join(f"({line}) Tj T*" for line in LINES)
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    with pikepdf.new() as document:
        page = document.add_blank_page(page_size=(420, 160))
        page.Resources = Dictionary(Font=Dictionary(F1=font))
        content = f"BT /F1 10 Tf 24 TL 20 130 Td {shown} ET"
        page.Contents = document.make_stream(content.encode())
        file = io.BytesIO()
        document.save(file)
    return file.getvalue()


def read_sample() -> dict[str, Wire]:
    """Return what each tool finds in the sample, by the id of the tool."""
    return dict(examine_evidence(CHECK, Evidence(sample(), attested=ATTESTED)))


# Without it, documents are read more slowly. An error here would end the fork server, and with it the
# reading of all documents.
try:
    read_sample()
except Exception as exc:  # noqa: BLE001 - checks may be plug-ins
    logger.warning("the sample was not read (%s)", type(exc).__name__)
