"""A digital signature on a document. The key and certificate of the signer come from a seed."""

# asn1crypto has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import io
import random
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from asn1crypto import keys, x509
from cryptography import x509 as certificates
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign.fields import SigFieldSpec
from pyhanko.sign.signers import PdfSignatureMetadata, SimpleSigner, sign_pdf
from pyhanko_certvalidator.registry import SimpleCertificateStore

BEGINS, YEARS = datetime(2010, 1, 1, tzinfo=UTC), timedelta(days=365 * 60)
BOX = (350, 40, 530, 100)


def sign(content: bytes, *, signer: str, seed: int, field: str = "Signature") -> bytes:
    """Return the document with a visible signature field, signed by appending.

    The time is the present.
    """
    certificate = certificate_of(signer, seed)
    maker = SimpleSigner(
        signing_cert=x509.Certificate.load(certificate),
        signing_key=keys.PrivateKeyInfo.load(
            _key(seed).private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
        ),
        cert_registry=SimpleCertificateStore(),
    )
    out = io.BytesIO()
    with ThreadPoolExecutor(
        1
    ) as pool:  # pyHanko runs a loop, and the caller's thread may have one
        pool.submit(
            sign_pdf,
            IncrementalPdfFileWriter(io.BytesIO(content)),
            PdfSignatureMetadata(field_name=field, md_algorithm="sha512"),
            maker,
            new_field_spec=SigFieldSpec(field, box=BOX),
            output=out,
        ).result()
    return out.getvalue()


def certificate_of(signer: str, seed: int) -> bytes:
    """Return the self-signed certificate of a signer, in DER. A reader that has it as a root trusts
    the signer.
    """
    name = certificates.Name(
        [certificates.NameAttribute(certificates.NameOID.COMMON_NAME, signer)]
    )
    usage = certificates.KeyUsage(
        digital_signature=True,
        content_commitment=True,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
    built = (
        certificates.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(_key(seed).public_key())
        .serial_number(seed + 1)
        .not_valid_before(BEGINS)
        .not_valid_after(BEGINS + YEARS)
        .add_extension(usage, critical=True)
        .add_extension(
            certificates.BasicConstraints(ca=True, path_length=None), critical=True
        )
        .sign(_key(seed), None)
    )
    return built.public_bytes(Encoding.DER)


def _key(seed: int) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(random.Random(seed).randbytes(32))  # noqa: S311
