"""What a PDF has besides its pages: metadata, form fields, annotations, actions, signatures."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pikepdf

from checks.readers.pdf import tunables
from checks.readers.pdf.limits import check_limits, check_page_count
from checks.readers.pdf.xfa import read_xfa
from papers.errors import EncryptedError, MalformedError
from papers.geometry import Rectangle

# Flags of an annotation (ISO 32000-1, 12.5.3): Hidden (2) and NoView (32).
UNSEEN = 2 | 32
# A flag of a text field (12.7.4.3): its value is not shown.
PASSWORD = 1 << 13
# The values of /Q (12.7.3.3) for centred and right-justified, as fractions of the free width.
ALIGNMENTS = {1: 0.5, 2: 1.0}
# The exceptions that pikepdf raises for malformed or hostile objects.
ODDITIES = (
    pikepdf.PdfError,
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    IndexError,
    RuntimeError,
    RecursionError,
    OverflowError,
)
XMP = ("pdf:Producer", "xmp:CreatorTool", "xmp:ModifyDate", "xmpMM:DocumentID")
ACTIONS = {
    "/JavaScript",
    "/Launch",
    "/ImportData",
    "/SubmitForm",
    "/GoToE",
    "/RichMediaExecute",
}


@dataclass(frozen=True, slots=True)
class Metadata:
    """What the file states about its own origin, in the Info dictionary and in XMP."""

    title: str = ""
    producer: str = ""
    creator: str = ""
    created: datetime | None = None
    modified: datetime | None = None
    xmp_producer: str = ""
    xmp_creator: str = ""
    xmp_modified: datetime | None = None
    # Identifiers that survive a save: the first part of /ID, and DocumentID of XMP.
    file_id: str = ""
    document_id: str = ""

    @property
    def is_empty(self) -> bool:
        return not (self.producer or self.creator or self.created or self.xmp_producer)


@dataclass(frozen=True, slots=True)
class Widget:
    """A form field on a page. A signature field is `signed` once it holds a signature.

    The value of a `hidden` field is not shown. `aligned` is the position of the value: 0 left, 0.5
    centre, 1 right.
    """

    page: int
    rectangle: Rectangle
    kind: str
    name: str
    value: str = ""
    signed: bool = False
    hidden: bool = False
    aligned: float = 0.0
    # A script of the form or a flag lets the field show its value in another way, such as a date in
    # words or a password as stars.
    formatted: bool = False


@dataclass(frozen=True, slots=True)
class Annotation:
    page: int
    rectangle: Rectangle
    subtype: str
    contents: str
    # The file says how it looks, so that it is drawn on the page whatever its kind is.
    has_look: bool = False


# A signature covers bytes of the file, so its dictionary is never compressed. It can be searched even
# if no form field points to it.
SIGNATURE_RECORD = re.compile(
    rb"/ByteRange\s*\[\s*(\d{1,12})\s+(\d{1,12})\s+(\d{1,12})\s+(\d{1,12})\s*\]"
)
# A sequence in DER, or a string of bytes as the oldest kind has it, as digits of base 16.
SIGNATURE_IN_GAP = re.compile(rb".?<(?:30|04)[0-9A-Fa-f\s]{100,}>.?")


@dataclass(frozen=True, slots=True)
class Structure:
    metadata: Metadata = field(default_factory=Metadata)
    encrypted: bool = False
    widgets: tuple[Widget, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    actions: tuple[str, ...] = ()
    embedded_files: int = 0
    # Records of signatures, and those of them that have a signature between the bytes that they name.
    signature_records: int = 0
    signatures: int = 0
    # The values of an XFA form, as (name, value).
    form_data: tuple[tuple[str, str], ...] = ()


def read_structure(content: bytes, *, max_pages: int) -> Structure:
    check_page_count(content)
    try:
        pdf = pikepdf.open(io.BytesIO(content), suppress_warnings=True)
    except pikepdf.PasswordError as exc:
        raise EncryptedError from exc
    except ODDITIES as exc:
        raise MalformedError(type(exc).__name__) from exc
    with pdf:
        try:
            check_limits(pdf, max_pages=max_pages)
        except ODDITIES as exc:
            raise MalformedError(type(exc).__name__) from exc
        widgets, annotations = _annotations(pdf, max_pages)
        actions, embedded = _actions(pdf)
        return Structure(
            metadata=_metadata(pdf),
            encrypted=bool(pdf.is_encrypted),
            widgets=tuple(widgets),
            annotations=tuple(annotations),
            actions=tuple(sorted(actions)),
            embedded_files=embedded,
            form_data=_form_data(pdf),
            signature_records=len(SIGNATURE_RECORD.findall(content)),
            signatures=sum(
                _has_signature(content, record)
                for record in SIGNATURE_RECORD.finditer(content)
            ),
        )


def _has_signature(content: bytes, record: re.Match[bytes]) -> bool:
    """Whether a signature stands in the gap that the record names. Anybody can write a record alone."""
    first, length, second, _ = map(int, record.groups())
    gap = content[first + length : second]
    return SIGNATURE_IN_GAP.fullmatch(gap) is not None


def _form_data(pdf: pikepdf.Pdf) -> tuple[tuple[str, str], ...]:
    try:
        return read_xfa(pdf)
    except ODDITIES:
        return ()


def _metadata(pdf: pikepdf.Pdf) -> Metadata:
    info: dict[str, str] = {}
    xmp: dict[str, str] = {}
    try:
        if "/Info" in pdf.trailer:
            for key, value in pdf.docinfo.items():
                info[str(key)] = str(value)
    except ODDITIES:
        info = {}
    try:
        with pdf.open_metadata(
            set_pikepdf_as_editor=False, update_docinfo=False
        ) as document:
            for key in XMP:
                xmp[key] = str(document.get(key) or "")
    except (*ODDITIES, SyntaxError):
        xmp = {}
    return Metadata(
        title=info.get("/Title", ""),
        producer=info.get("/Producer", ""),
        creator=info.get("/Creator", ""),
        created=pdf_date(info.get("/CreationDate", "")),
        modified=pdf_date(info.get("/ModDate", "")),
        xmp_producer=xmp.get("pdf:Producer", ""),
        xmp_creator=xmp.get("xmp:CreatorTool", ""),
        xmp_modified=iso_date(xmp.get("xmp:ModifyDate", "")),
        file_id=_file_id(pdf),
        document_id=xmp.get("xmpMM:DocumentID", "")[:200],
    )


def _file_id(pdf: pikepdf.Pdf) -> str:
    try:
        return bytes(pdf.trailer.ID[0]).hex()[:64]
    except ODDITIES:
        return ""


def iso_date(text: str) -> datetime | None:
    """Return a date of XMP, or None if it is not valid. Without a zone it is taken as UTC."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    if moment.tzinfo:
        return moment
    return moment.replace(tzinfo=UTC)


PDF_DATE = re.compile(
    r"D?:?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([Zz+-])(?:(\d\d)'?(\d\d)?)?)?"
)


def pdf_date(text: str) -> datetime | None:
    """Return a date of the Info dictionary (ISO 32000-1, 7.9.4), or None if it is not valid."""
    match = PDF_DATE.match(text.strip())
    if not match:
        return None
    # A date may end after any of its parts.
    year = int(match[1])
    month = int(match[2] or 1)
    day = int(match[3] or 1)
    hour = int(match[4] or 0)
    minute = int(match[5] or 0)
    second = int(match[6] or 0)
    zone = _zone(match)
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=zone)
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _zone(date: re.Match[str]) -> timezone:
    hours = int(date[8] or 0)
    minutes = int(date[9] or 0)
    offset = timedelta(hours=hours, minutes=minutes)
    # No time zone is a whole day away from UTC, so such a value is ignored.
    if offset >= timedelta(days=1):
        return UTC
    if date[7] == "-":
        return timezone(-offset)
    return timezone(offset)


def _annotations(
    pdf: pikepdf.Pdf, max_pages: int
) -> tuple[list[Widget], list[Annotation]]:
    widgets: list[Widget] = []
    annotations: list[Annotation] = []
    for number, entry in _entries(pdf, max_pages):
        try:
            rectangle = _rectangle(entry.get("/Rect"))
            subtype = str(entry.get("/Subtype", ""))
            if subtype == "/Widget":
                widgets.append(_widget(number, rectangle, entry))
            # Links and pop-ups are drawn on the page only if they have a look of their own.
            elif subtype not in {"/Link", "/Popup"} or "/AP" in entry:
                contents = str(entry.get("/Contents", ""))[:200]
                kind = subtype.strip("/")[: tunables.LONGEST_KIND]
                annotations.append(
                    Annotation(number, rectangle, kind, contents, "/AP" in entry)
                )
        except ODDITIES:
            continue
    return widgets, annotations


def _entries(
    pdf: pikepdf.Pdf, max_pages: int
) -> Iterator[tuple[int, pikepdf.Dictionary]]:
    try:
        for number, page in enumerate(pdf.pages, start=1):
            if number > max_pages:
                return
            entries: object = page.obj.get("/Annots")
            if not isinstance(entries, pikepdf.Array):
                continue
            for entry in entries:
                if isinstance(entry, pikepdf.Dictionary):
                    yield number, entry
    except ODDITIES:
        return


def _rectangle(value: Any) -> Rectangle:
    """Return the rectangle of two opposite corners. Raises one of ODDITIES if it is malformed."""
    x0, y0, x1, y1 = map(float, value)
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _widget(number: int, rectangle: Rectangle, entry: pikepdf.Dictionary) -> Widget:
    kind = str(_inherited(entry, "/FT") or "")
    value = _inherited(entry, "/V")
    signed = kind == "/Sig" and isinstance(value, pikepdf.Dictionary)
    text = ""
    if isinstance(value, pikepdf.String):
        text = " ".join(str(value).split())
    name = str(_inherited(entry, "/T") or "")
    flags = _whole(entry.get("/F"))
    alignment = _whole(_inherited(entry, "/Q"))
    return Widget(
        number,
        rectangle,
        kind.strip("/"),
        name,
        text,
        signed,
        hidden=bool(flags & UNSEEN),
        aligned=ALIGNMENTS.get(alignment, 0.0),
        formatted=_is_formatted(entry),
    )


def _is_formatted(entry: pikepdf.Dictionary) -> bool:
    actions = _inherited(entry, "/AA")
    has_format = isinstance(actions, pikepdf.Dictionary) and "/F" in actions
    return has_format or bool(_whole(_inherited(entry, "/Ff")) & PASSWORD)


def _whole(value: object) -> int:
    if isinstance(value, (int, Decimal)):
        return int(value)
    return 0


def _inherited(entry: pikepdf.Dictionary, key: str) -> object:
    """Return an entry of a field, from the widget itself or from one of its parents."""
    node: object = entry
    for _ in range(tunables.MAX_FIELD_DEPTH):
        if not isinstance(node, pikepdf.Dictionary):
            return None
        if key in node:
            return node.get(key)
        node = node.get("/Parent")
    return None


def _actions(pdf: pikepdf.Pdf) -> tuple[set[str], int]:
    actions: set[str] = set()
    embedded = 0
    try:
        for index, thing in enumerate(pdf.objects):
            if index >= tunables.MAX_STRUCTURE_OBJECTS:
                break
            if isinstance(thing, (pikepdf.Dictionary, pikepdf.Stream)):
                actions |= _actions_in(thing)
                embedded += str(thing.get("/Type", "")) == "/EmbeddedFile"
    except ODDITIES:
        return actions, embedded
    return actions, embedded


def _actions_in(thing: pikepdf.Dictionary | pikepdf.Stream) -> set[str]:
    """Return the kinds of actions that an object is or directly contains."""
    actions: list[object] = [thing, thing.get("/A"), thing.get("/OpenAction")]
    additional = thing.get("/AA")
    if isinstance(additional, pikepdf.Dictionary):
        actions += additional.values()
    kinds: set[str] = set()
    for action in actions:
        if not isinstance(action, pikepdf.Dictionary):
            continue
        kind = str(action.get("/S", ""))
        if kind in ACTIONS:
            kinds.add(kind.strip("/"))
    return kinds
