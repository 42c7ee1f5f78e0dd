"""File types by their first bytes, and safe names for downloads.

Every way of receiving files uses it: forms, REST, applicants' links, the hub, and downloads by URL.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

# The number of first bytes that determine the type.
START = 1024
# The most characters of a name that are stored.
LONGEST_NAME = 255
# The most bytes of a download's name without extension: file systems allow 255 for the whole name.
LONGEST_STEM = 200


@dataclass(frozen=True)
class FileType:
    """An accepted type. The first of its extensions is used in names of downloads."""

    name: str
    content_type: str
    extensions: tuple[str, ...]
    pattern: re.Pattern[bytes]


def _type(
    name: str, content_type: str, extensions: tuple[str, ...], pattern: bytes
) -> FileType:
    return FileType(name, content_type, extensions, re.compile(pattern, re.DOTALL))


TYPES = (
    # Some programs write a byte order mark or blank lines first. Anything else before the PDF could
    # be the start of a program, a page or an archive.
    _type("PDF", "application/pdf", ("pdf",), rb"(?:\xef\xbb\xbf)?\s{0,16}%PDF-\d\.\d"),
    _type("PNG", "image/png", ("png",), rb"\x89PNG\r\n\x1a\n"),
    _type("JPEG", "image/jpeg", ("jpg", "jpeg", "jpe", "jfif"), rb"\xff\xd8\xff"),
    _type("TIFF", "image/tiff", ("tif", "tiff"), rb"II\*\x00|MM\x00\*"),
    # The file begins with the size of its first box. Check it as well: otherwise a file that begins
    # with "MZ" could be a Windows program.
    _type(
        "HEIC", "image/heic", ("heic", "heif"),
        rb"\x00\x00[\x00-\x0f].ftyp(?:heic|heix|heim|heis|mif1|msf1)",
    ),
)  # fmt: skip
ACCEPTED = gettext_lazy("PDF, PNG, JPEG, TIFF or HEIC")
_ALL_EXTENSIONS = [extension for kind in TYPES for extension in kind.extensions]
# For the `accept` of a file chooser.
EXTENSIONS = ",".join(f".{extension}" for extension in _ALL_EXTENSIONS)
OTHER_TYPE = "application/octet-stream"

# Categories of invisible characters, which change how others are read. The joiners are parts of
# words.
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"
# Characters that some file systems do not allow in names, or interpret.
_SPECIAL = re.compile(r'[<>:"/\\|?*]+')
# Names of devices on Windows, with any extension.
_RESERVED = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\..*)?", re.IGNORECASE
)


def type_of(start: bytes) -> FileType | None:
    """The accepted type of a file with this start, or None.

    Names and content types prove nothing.
    """
    for kind in TYPES:
        if kind.pattern.match(start):
            return kind
    return None


def content_type_of(start: bytes) -> str:
    kind = type_of(start)
    return kind.content_type if kind else OTHER_TYPE


def refusal(start: bytes) -> str:
    """Why a file with this start is refused, as the end of a sentence; empty if it is accepted."""
    if type_of(start):
        return ""
    if not start:
        return "is empty"
    if _has_late_pdf(start):
        return f"has something before the PDF in it; it must be a {ACCEPTED} file from its first byte"
    return f"is not a {ACCEPTED} file"


def _has_late_pdf(start: bytes) -> bool:
    return bool(re.search(rb"%PDF-\d\.\d", start))


def fault(name: str, *, start: bytes, size: int, most: int) -> str:
    """What is wrong with a chosen file and what to do, as a sentence; empty if it is accepted.

    `size` and `most` are in bytes.
    """
    label = shown_name(name)
    if not size:
        return _("“%(name)s” is empty. Choose a file with content.") % {"name": label}
    if size > most:
        return _("“%(name)s” is larger than %(most)d MB. Choose a smaller file.") % {
            "name": label,
            "most": most >> 20,
        }
    return _fault_of_start(label, start)


def _fault_of_start(label: str, start: bytes) -> str:
    words = {"name": label, "accepted": ACCEPTED}
    if type_of(start):
        return ""
    if _has_late_pdf(start):
        sentence = _(
            "“%(name)s” has something before the PDF in it; it must be a %(accepted)s file from its"
            " first byte. Save it as one of these and choose it again."
        )
    else:
        sentence = _(
            "“%(name)s” is not a %(accepted)s file. Save it as one of these and choose it again."
        )
    return sentence % words


def shown_name(name: str) -> str:
    """A name as it is stored and shown.

    Characters that hide or reorder others become visible as U+FFFD. Long names are cut in the
    middle.
    """
    for char in set(name):
        if _is_hidden(char):
            name = name.replace(char, "\ufffd")
    if len(name) > LONGEST_NAME:
        return f"{name[: LONGEST_NAME - 55]}…{name[-54:]}"
    return name


def offered_name(name: str, start: bytes) -> str:
    """The name of a download: safe on every system, with only the extension of its content.

    "certificate.pdf.exe" with a PDF becomes "certificate.pdf".
    """
    kind = type_of(start)
    extension = kind.extensions[0] if kind else "bin"
    # Some browsers send the whole path with their system's separators.
    path = _without_hidden(name).replace("\\", "/")
    parts = path.rpartition("/")[2].split(".")
    stem = ".".join(_stem_parts(parts, kind))
    stem = _SPECIAL.sub("_", stem).strip(" ._")
    # errors="ignore" drops a character that was cut in two at the end.
    stem = stem.encode()[:LONGEST_STEM].decode(errors="ignore")
    stem = stem.strip(" ._") or "document"
    if _RESERVED.fullmatch(stem):
        stem = f"_{stem}"
    return f"{stem}.{extension}"


def ascii_name(name: str, start: bytes) -> str:
    """The name of a download in ASCII without blanks, for archives that any program can unpack."""
    stem, _, extension = offered_name(name, start).rpartition(".")
    plain = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^\w.-]+", "_", plain).strip("._-")[-80:]
    return f"{plain or 'document'}.{extension}"


def _stem_parts(parts: list[str], kind: FileType | None) -> list[str]:
    """The parts of a name before its extension: the first extension of its type, or else any
    accepted extension at its end."""
    if kind is None:
        return parts
    for place, part in enumerate(parts[1:], start=1):
        if part.strip().lower() in kind.extensions:
            return parts[:place]
    last = parts[-1].strip().lower()
    if len(parts) > 1 and last in _ALL_EXTENSIONS:
        return parts[:-1]
    return parts


def _without_hidden(name: str) -> str:
    visible = name.replace("\ufffd", "")
    for char in set(visible):
        if _is_hidden(char):
            visible = visible.replace(char, "")
    return unicodedata.normalize("NFC", visible)


def _is_hidden(char: str) -> bool:
    return unicodedata.category(char) in _HIDDEN and char not in _JOINERS
