"""What a picture file says of the camera or program that made it, and its Content Credentials."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from PIL import ExifTags, Image

from checks.readers.pdf.structure import pdf_date
from checks.readers.pictures import tunables

# The IPTC terms for media that a model made, alone or in part.
GENERATED = ("trainedAlgorithmicMedia", "compositeWithTrainedAlgorithmicMedia")
XMP_AGENT = re.compile(rb'(?:softwareAgent|CreatorTool)(?:="|>)([^"<]{2,80})')
XMP_SOURCE = re.compile(rb"digitalsourcetype/([A-Za-z]{4,60})")
# The record may lie elsewhere, and the state of a certificate be asked for: neither is fetched.
ASK_NOBODY = {"remote_manifest_fetch": False, "ocsp_fetch": False}


@dataclass(frozen=True, slots=True)
class Camera:
    """What EXIF and XMP tell. `edited_later`: changed after the picture was taken."""

    maker: str = ""
    software: tuple[str, ...] = ()
    edited_later: bool = False
    has_data: bool = False


@dataclass(frozen=True, slots=True)
class Credentials:
    """A C2PA manifest: who signed it, whether it holds, and whether a model made the picture.

    `valid` is None where that cannot be told: this installation lacks the library that validates,
    or the library does not know the kind of manifest.
    """

    issuer: str = ""
    valid: bool | None = None
    problems: tuple[str, ...] = ()
    generated: bool = False


def read_camera(content: bytes) -> Camera:
    try:
        with Image.open(io.BytesIO(content), formats=("JPEG", "PNG", "TIFF")) as image:
            exif = image.getexif()
            details = exif.get_ifd(ExifTags.IFD.Exif)
    except (
        OSError,
        ValueError,
        SyntaxError,
        KeyError,
        TypeError,
        Image.DecompressionBombError,
    ):
        return Camera()
    make = _plain(exif.get(ExifTags.Base.Make))
    model = _plain(exif.get(ExifTags.Base.Model))
    programs = [_plain(exif.get(ExifTags.Base.Software)), *_agents(content)]
    taken_at = _moment(details.get(ExifTags.Base.DateTimeOriginal))
    changed_at = _moment(exif.get(ExifTags.Base.DateTime))
    edited_later = False
    if taken_at and changed_at:
        edited_later = changed_at - taken_at > timedelta(minutes=1)
    return Camera(
        maker=" ".join(filter(None, (make, model))),
        software=tuple(dict.fromkeys(filter(None, programs))),
        edited_later=edited_later,
        has_data=bool(exif),
    )


def _plain(value: object) -> str:
    return str(value or "").strip("\0 ")[:120]


def _moment(value: object) -> datetime | None:
    digits = filter(str.isdigit, _plain(value))
    return pdf_date("".join(digits))


def _agents(content: bytes) -> Iterator[str]:
    for match in XMP_AGENT.finditer(content[: tunables.MAX_SCANNED]):
        yield match[1].decode("utf-8", "replace").strip()


def has_credentials(content: bytes) -> bool:
    """Is there a JUMBF box of the C2PA kind? In pictures and in PDFs alike it is named so."""
    return b"jumb" in content and b"c2pa" in content


def declares_generated(content: bytes) -> str:
    """The digital source type that XMP or a manifest states, where a model made the picture."""
    for match in XMP_SOURCE.finditer(content):
        kind = match[1].decode("ascii")
        if kind in GENERATED:
            return kind
    return ""


def read_credentials(content: bytes, media_type: str) -> Credentials | None:
    """The Content Credentials of a file; None where it has none. Nothing is fetched."""
    if not has_credentials(content):
        return None
    try:
        import c2pa
    except ImportError:
        return Credentials(generated=bool(declares_generated(content)))
    try:
        with (
            c2pa.Context.from_dict({"verify": ASK_NOBODY}) as context,
            c2pa.Reader(media_type, io.BytesIO(content), context=context) as reader,
        ):
            store = json.loads(reader.json())
    except (c2pa.C2paError, ValueError, TypeError) as exc:
        return Credentials(valid=None, problems=(type(exc).__name__,))
    manifests = store.get("manifests") or {}
    active = manifests.get(store.get("active_manifest")) or {}
    signature = active.get("signature_info") or {}
    problems: list[str] = []
    for status in store.get("validation_status") or ():
        code = str(status.get("code", ""))
        if not code.endswith((".untrusted", ".unknown")):
            problems.append(code)
    text = json.dumps(active)
    return Credentials(
        issuer=str(signature.get("issuer", ""))[:120],
        valid=not problems,
        problems=tuple(dict.fromkeys(problems))[:6],
        generated=any(kind in text for kind in GENERATED),
    )
