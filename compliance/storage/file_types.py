"""Which type a file is of, from its first byte, and the names under which files are offered.

Every door asks here: forms, REST, the link of an applicant, the hub, and what is fetched from a URL.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import IO

# A type is known by this many bytes from the start.
START = 1024
# Characters of a name that are kept. Bytes of a name that is offered: file systems take 255.
LONGEST_NAME = 255
LONGEST_STEM = 200


@dataclass(frozen=True)
class FileType:
    """An accepted type; the first of its extensions is the one that is given to a name."""

    name: str
    content_type: str
    extensions: tuple[str, ...]
    pattern: re.Pattern[bytes]


def _type(name: str, content_type: str, extensions: tuple[str, ...], pattern: bytes) -> FileType:
    return FileType(name, content_type, extensions, re.compile(pattern, re.DOTALL))


TYPES = (
    _type("PDF", "application/pdf", ("pdf",), rb"%PDF-\d\.\d"),
    _type("PNG", "image/png", ("png",), rb"\x89PNG\r\n\x1a\n"),
    _type("JPEG", "image/jpeg", ("jpg", "jpeg", "jpe", "jfif"), rb"\xff\xd8\xff"),
    _type("TIFF", "image/tiff", ("tif", "tiff"), rb"II\*\x00|MM\x00\*"),
    # The size of the first box stands before its name: without it "MZ" could begin the file.
    _type(
        "HEIC", "image/heic", ("heic", "heif"),
        rb"\x00\x00[\x00-\x0f].ftyp(?:heic|heix|heim|heis|mif1|msf1)",
    ),
)  # fmt: skip
ACCEPTED = "PDF, PNG, JPEG, TIFF or HEIC"
# For the `accept` of a file chooser.
EXTENSIONS = ",".join(f".{extension}" for kind in TYPES for extension in kind.extensions)
OTHER_TYPE = "application/octet-stream"

# Invisible characters that change how the others are read; the two joiners are part of words.
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"
# What some system takes for more than a character of a name.
_SPECIAL = re.compile(r'[<>:"/\\|?*]+')
_RESERVED = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\..*)?", re.IGNORECASE
)


def type_of(start: bytes) -> FileType | None:
    """The accepted type of a file that begins so; a name or a content type can say anything."""
    return next((kind for kind in TYPES if kind.pattern.match(start)), None)


def type_of_file(file: IO[bytes]) -> FileType | None:
    """The same of an open file, which is left at its start."""
    file.seek(0)
    start = file.read(START)
    file.seek(0)
    return type_of(start)


def content_type_of(start: bytes) -> str:
    kind = type_of(start)
    return kind.content_type if kind else OTHER_TYPE


def refusal(start: bytes) -> str:
    """Why a file that begins so is not accepted, as the end of a sentence about it; "" if it is."""
    if type_of(start):
        return ""
    if not start:
        return "is empty"
    if re.search(rb"%PDF-\d\.\d", start):
        return (
            f"has something before the PDF in it; it must be a {ACCEPTED} file from its first byte"
        )
    return f"is not a {ACCEPTED} file"


def fault(name: str, *, start: bytes, size: int, most: int) -> str:
    """What is wrong with a file that somebody chose, and what to do; "" if nothing is."""
    shown = shown_name(name)
    if not size:
        return f"“{shown}” is empty. Choose a file with content."
    if size > most:
        return f"“{shown}” is larger than {most >> 20} MB. Choose a smaller file."
    if reason := refusal(start):
        return f"“{shown}” {reason}. Save it as one of these and choose it again."
    return ""


def shown_name(name: str) -> str:
    """A name as it is kept and shown: characters that hide or turn others are made visible, and of
    a long one the beginning and the end remain."""
    shown = "".join("\ufffd" if _is_hidden(char) else char for char in name)
    if len(shown) > LONGEST_NAME:
        shown = f"{shown[: LONGEST_NAME - 55]}…{shown[-54:]}"
    return shown


def offered_name(name: str, start: bytes) -> str:
    """The name under which a file is offered for download: safe on every system, one extension,
    which is that of the content. "certificate.pdf.exe" of a PDF becomes "certificate.pdf"."""
    kind = type_of(start)
    extension = kind.extensions[0] if kind else "bin"
    parts = _without_hidden(name).replace("\\", "/").rpartition("/")[2].split(".")
    stem = ".".join(_stem_parts(parts, kind))
    stem = _SPECIAL.sub("_", stem).strip(" ._").encode()[:LONGEST_STEM].decode(errors="ignore")
    stem = stem.strip(" ._") or "document"
    if _RESERVED.fullmatch(stem):
        stem = f"_{stem}"
    return f"{stem}.{extension}"


def ascii_name(name: str, start: bytes) -> str:
    """The same in ASCII without blanks, for an archive that any program must unpack."""
    stem, _, extension = offered_name(name, start).rpartition(".")
    plain = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^\w.-]+", "_", plain).strip("._-")[-80:]
    return f"{plain or 'document'}.{extension}"


def _stem_parts(parts: list[str], kind: FileType | None) -> list[str]:
    """The parts of a name before the first extension of its type, or of another accepted one at
    its end."""
    own = kind.extensions if kind else ()
    for place, part in enumerate(parts[1:], start=1):
        if part.strip().lower() in own:
            return parts[:place]
    accepted = {extension for one in TYPES for extension in one.extensions}
    if kind and len(parts) > 1 and parts[-1].strip().lower() in accepted:
        return parts[:-1]
    return parts


def _without_hidden(name: str) -> str:
    visible = "".join(char for char in name if not _is_hidden(char) and char != "\ufffd")
    return unicodedata.normalize("NFC", visible)


def _is_hidden(char: str) -> bool:
    return unicodedata.category(char) in _HIDDEN and char not in _JOINERS
