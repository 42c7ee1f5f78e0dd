"""Digital signatures of a PDF, validated offline: digests, certificate chains, later changes."""

# asn1crypto has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import hashlib
import io
import logging
import re
import warnings
from collections.abc import Coroutine, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeVar

from asn1crypto import cms, pem, x509
from pyhanko.pdf_utils.crypt import AuthStatus
from pyhanko.pdf_utils.misc import PdfError
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.diff_analysis import ModificationLevel
from pyhanko.sign.general import extract_certificate_info
from pyhanko.sign.validation import (
    async_validate_cms_signature,
    async_validate_detached_cms,
    async_validate_pdf_signature,
    async_validate_pdf_timestamp,
)
from pyhanko.sign.validation.errors import SignatureValidationError
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature
from pyhanko.sign.validation.status import (
    DocumentTimestampStatus,
    PdfSignatureStatus,
    SignatureCoverageLevel,
    SignatureStatus,
)
from pyhanko_certvalidator import ValidationContext

from checks.readers.pdf import tunables

T = TypeVar("T")
Later = Literal[
    "nothing", "validation data", "form values", "annotations", "content", "unknown"
]

BYTE_RANGE = re.compile(
    rb"/ByteRange\s*\[\s*(\d{1,12})\s+(\d{1,12})\s+(\d{1,12})\s+(\d{1,12})\s*\]"
)
# A signature as it is written: a sequence in DER, as digits of base 16.
SIGNATURE_VALUE = re.compile(rb"<30[0-9A-Fa-f]{400}")
SIGNATURE_GAP = re.compile(rb"^.?<[0-9A-Fa-f\s]*>.?$")
LATER: dict[ModificationLevel, Later] = {
    ModificationLevel.NONE: "nothing",
    ModificationLevel.LTA_UPDATES: "validation data",
    ModificationLevel.FORM_FILLING: "form values",
    ModificationLevel.ANNOTATIONS: "annotations",
    ModificationLevel.OTHER: "content",
}
# What pyHanko, asn1crypto and cryptography raise for damaged or hostile signatures.
ODDITIES = (
    PdfError,
    SignatureValidationError,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    NotImplementedError,
    RecursionError,
    OverflowError,
    OSError,
    AssertionError,
)


class TooManySignaturesError(ValueError):
    """The file has more signatures than are validated."""


class SignedPartError(ValueError):
    """What is signed does not begin where the file does.

    A signed file may stand inside another one, which shows what it likes.
    """


@dataclass(frozen=True, slots=True)
class Signature:
    """One digital signature.

    `intact`: the signed bytes are unchanged; None if that cannot be decided, with the reason in
    `problem`. `trusted`: the certificate chain leads to one of the given roots. `later`: what was
    added to the file after signing. `covers_file`: nothing was added.
    """

    field: str
    signer: str
    intact: bool | None
    trusted: bool
    later: Later
    covers_file: bool
    problem: str = ""
    # Where the signed bytes end; 0 if that is not known. `self_signed`: the signer issued the
    # certificate, which anybody can do in any name.
    end: int = 0
    self_signed: bool = False
    # The whole file was saved again after signing. The signature is then at another offset than its
    # record says, and nothing can be said about what was signed.
    moved: bool = False


def read_signatures(
    content: bytes, roots: Sequence[x509.Certificate] = ()
) -> list[Signature]:
    """Return every signature of the file, in the order of the bytes; empty if there is none."""
    ranges = list(_byte_ranges(content))
    if not ranges:
        return []
    # pyHanko logs warnings that contain data of the file. These must not get into our logs.
    logging.getLogger("pyhanko").setLevel(logging.CRITICAL)
    logging.getLogger("pyhanko_certvalidator").setLevel(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        embedded = _embedded(content)
        signatures: list[Signature] = []
        for signed_range in ranges[: tunables.MAX_SIGNATURES]:
            if signed_range in embedded:
                signature = _in_form(embedded[signed_range], roots)
            else:
                signature = _loose(content, signed_range, roots)
            _, _, second, rest = signed_range
            is_moved = not _frames_a_signature(content, signed_range)
            if (
                is_moved
                and signature.intact is None
                and SIGNATURE_VALUE.search(content)
            ):
                # The signature is in the file, but not where its record says: it cannot fit.
                signature = replace(signature, intact=False)
            signatures.append(replace(signature, end=second + rest, moved=is_moved))
        if len(ranges) > tunables.MAX_SIGNATURES:
            # The others are not known, so that nobody can hide a broken one behind many.
            signatures.append(_unclear("", "", TooManySignaturesError()))
        return signatures


def _frames_a_signature(content: bytes, signed_range: Range) -> bool:
    """Whether the gap between the signed ranges holds a signature as it is written: <0A1B…>.

    A program that saves the whole file again moves the signature, but leaves its record unchanged.
    """
    first, length, second, rest = signed_range
    if second + rest > len(content):
        return False
    gap = content[first + length - 1 : second + 1]
    return SIGNATURE_GAP.search(gap) is not None


def read_roots(folder: str) -> list[x509.Certificate]:
    """Return the certificates (PEM or DER) in the folder of those that an operator trusts."""
    roots = []
    for path in sorted(Path(folder).iterdir()):
        if path.suffix.lower() not in {".pem", ".crt", ".cer", ".der"}:
            continue
        data = path.read_bytes()
        if not pem.detect(data):
            roots.append(x509.Certificate.load(data))
            continue
        for _, _, body in pem.unarmor(data, multiple=True):
            roots.append(x509.Certificate.load(body))
    return roots


Range = tuple[int, int, int, int]


def _byte_ranges(content: bytes) -> Iterator[Range]:
    """Yield the byte ranges of signatures.

    They can be searched in the bytes: a signature signs the file around itself, so it cannot be
    compressed.
    """
    ranges = set()
    for match in BYTE_RANGE.finditer(content):
        first, length, second, rest = map(int, match.groups())
        byte_range = (first, length, second, rest)
        if byte_range in ranges:
            continue
        if length and second > first + length:
            ranges.add(byte_range)
            yield byte_range


def _embedded(content: bytes) -> dict[Range, EmbeddedPdfSignature]:
    """Return the signatures that form fields point to, by their byte ranges."""
    try:
        reader = PdfFileReader(io.BytesIO(content), strict=False)
        if reader.encrypted and reader.decrypt("").status == AuthStatus.FAILED:
            return {}
        signatures = reader.embedded_signatures
        return {_range(signature): signature for signature in signatures}
    except ODDITIES:
        return {}


def _range(signature: EmbeddedPdfSignature) -> Range:
    first, length, second, rest = map(int, signature.byte_range)
    return first, length, second, rest


def _to_end(work: Coroutine[object, object, T]) -> T:
    """Run a coroutine that never waits, because nothing is requested from the network.

    No event loop is used: it needs a pair of sockets, which the sandbox forbids.
    """
    try:
        work.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    work.close()
    raise NotImplementedError("The validation of a signature waits for something.")


def _in_form(
    signature: EmbeddedPdfSignature, roots: Sequence[x509.Certificate]
) -> Signature:
    name = str(signature.field_name)
    signer = ""
    try:
        signer = _name_of(signature.signer_cert)
        self_signed = _is_self_signed(signature.signer_cert)
        status = _to_end(_validate_embedded(signature, roots))
    except ODDITIES as exc:
        return _unclear(name, signer, exc)
    covers = status.coverage == SignatureCoverageLevel.ENTIRE_FILE
    later: Later = "unknown"
    if covers:
        later = "nothing"
    elif status.modification_level is not None:
        later = LATER[status.modification_level]
    return Signature(
        field=name,
        signer=signer,
        intact=bool(status.intact and status.valid),
        trusted=bool(status.trusted),
        later=later,
        covers_file=covers,
        self_signed=self_signed,
    )


async def _validate_embedded(
    signature: EmbeddedPdfSignature, roots: Sequence[x509.Certificate]
) -> PdfSignatureStatus | DocumentTimestampStatus:
    # Document time stamps are signatures of a time stamp authority and are validated differently.
    if signature.sig_object.get("/Type") == "/DocTimeStamp":
        return await async_validate_pdf_timestamp(signature, _context(roots))
    return await async_validate_pdf_signature(
        signature, _context(roots), _context(roots)
    )


def _unclear(field: str, signer: str, exc: Exception) -> Signature:
    return Signature(
        field,
        signer,
        intact=None,
        trusted=False,
        later="unknown",
        covers_file=False,
        problem=type(exc).__name__,
    )


def _loose(
    content: bytes, signed_range: Range, roots: Sequence[x509.Certificate]
) -> Signature:
    """Validate a signature that no form field points to, as some tax authorities write them."""
    first, length, second, rest = signed_range
    end = first + length
    covers = second + rest >= len(content.rstrip())
    later: Later = "unknown"
    if covers:
        later = "nothing"
    signer = ""
    try:
        if first:
            raise SignedPartError
        signed = content[first:end] + content[second : second + rest]
        packed = cms.ContentInfo.load(_signature_bytes(content[end:second]))
        data = packed["content"]
        certificate = extract_certificate_info(data).signer_cert
        signer = _name_of(certificate)
        self_signed = _is_self_signed(certificate)
        digest = data["encap_content_info"]["content"].native
        status = _to_end(_validate(data, signed, roots, detached=digest is None))
    except ODDITIES as exc:
        return _unclear("", signer, exc)
    intact = bool(status.intact and status.valid)
    trusted = bool(status.trusted)
    if digest is not None:
        # The old format (adbe.pkcs7.sha1) signs a digest of the file instead of the file.
        signed_digest = hashlib.sha1(signed).digest()  # noqa: S324
        intact = intact and digest == signed_digest
    return Signature(
        "",
        signer,
        intact,
        trusted,
        later,
        covers,
        self_signed=self_signed,
    )


async def _validate(
    data: cms.SignedData,
    signed: bytes,
    roots: Sequence[x509.Certificate],
    *,
    detached: bool,
) -> SignatureStatus:
    if detached:
        return await async_validate_detached_cms(
            signed, data, _context(roots), _context(roots)
        )
    return await async_validate_cms_signature(data, validation_context=_context(roots))


def _signature_bytes(gap: bytes) -> bytes:
    digits = re.sub(rb"[^0-9A-Fa-f]", b"", gap)
    # Drop half a byte at the end.
    if len(digits) % 2:
        digits = digits[:-1]
    return bytes.fromhex(digits.decode("ascii"))


def _context(roots: Sequence[x509.Certificate]) -> ValidationContext:
    return ValidationContext(
        trust_roots=list(roots), allow_fetching=False, weak_hash_algos={"md5"}
    )


def _is_self_signed(certificate: x509.Certificate) -> bool:
    return bool(certificate.subject == certificate.issuer)


def _name_of(certificate: x509.Certificate) -> str:
    names = certificate.subject.native
    name = names.get("common_name") or names.get("organization_name") or ""
    # If a certificate has several names of a kind, the value is a list.
    if isinstance(name, list):
        name = name[0]
    return str(name)[:120]
