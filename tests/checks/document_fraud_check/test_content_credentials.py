"""Content Credentials: told of in any case, validated where the library for it is installed."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from PIL import Image

from tests.checks.documents import FRAUD, results_of

SOURCES = "http://cv.iptc.org/newscodes/digitalsourcetype/"


def picture() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (400, 300), (200, 220, 240)).save(out, "JPEG", quality=95)
    return out.getvalue()


def fraud_of(content: bytes) -> dict[str, Any]:
    return results_of(content, arguments={"ocr": "off"})[FRAUD]["payload"][
        "fraud_verification_data"
    ]


def indicators_of(content: bytes) -> dict[str, Any]:
    return {
        item["indicator_id"]: item for item in fraud_of(content)["verification_data"]
    }


def credentials(*, source: str = "digitalCapture") -> bytes:
    """A picture whose making was recorded and signed, as cameras and generators do it."""
    c2pa = pytest.importorskip("c2pa")
    action = {"action": "c2pa.created", "digitalSourceType": SOURCES + source}
    manifest = {
        "claim_generator_info": [{"name": "A test", "version": "1"}],
        "format": "image/jpeg",
        "assertions": [{"label": "c2pa.actions", "data": {"actions": [action]}}],
    }
    chain, key = signer()
    info = c2pa.C2paSignerInfo(
        alg=b"es256", sign_cert=chain, private_key=key, ta_url=None
    )
    signed = io.BytesIO()
    with (
        c2pa.Builder(json.dumps(manifest)) as builder,
        c2pa.Signer.from_info(info) as by,
    ):
        builder.sign(by, "image/jpeg", io.BytesIO(picture()), signed)
    return signed.getvalue()


def signer() -> tuple[bytes, bytes]:
    """A certificate with its issuer, and its key, in PEM."""
    root_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    root = x509.Name([x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Roots of a test")])
    own = x509.Name(
        [x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Northwind Cameras")]
    )
    usage = {
        "digital_signature": True, "content_commitment": False, "key_encipherment": False,
        "data_encipherment": False, "key_agreement": False, "key_cert_sign": False,
        "crl_sign": False, "encipher_only": False, "decipher_only": False,
    }  # fmt: skip

    def certificate(name, public, *, ca: bool) -> x509.Certificate:
        now = datetime.now(UTC)
        built = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(root)
            .public_key(public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=30))
            .add_extension(
                x509.BasicConstraints(ca=ca, path_length=None), critical=True
            )
            .add_extension(
                x509.KeyUsage(
                    **usage | ({"key_cert_sign": True, "crl_sign": True} if ca else {})
                ),
                critical=True,
            )
            .add_extension(
                x509.SubjectKeyIdentifier.from_public_key(public), critical=False
            )
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(
                    root_key.public_key()
                ),
                critical=False,
            )
        )
        if not ca:
            signing = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.EMAIL_PROTECTION])
            built = built.add_extension(signing, critical=False)
        return built.sign(root_key, hashes.SHA256())

    pem = serialization.Encoding.PEM
    chain = certificate(own, key.public_key(), ca=False).public_bytes(pem)
    chain += certificate(root, root_key.public_key(), ca=True).public_bytes(pem)
    packed = key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return chain, packed


def test_credentials_that_nobody_can_validate_are_told_of_and_trusted_no_more():
    # The head of the box, and nothing of its content: a library does not know it either.
    unknown = picture() + b"\x00\x00\x00\x20jumb\x00\x00\x00\x18jumdc2pa"
    fraud = fraud_of(unknown)
    [why] = [
        item["why"]
        for item in fraud["not_checked"]
        if "Content Credentials" in item["why"]
    ]
    assert "were not validated" in why
    assert not [
        item for item in fraud["verification_data"] if item["category"] == "provenance"
    ]


def test_a_file_without_credentials_is_not_spoken_of():
    assert not [
        x for x in fraud_of(picture())["not_checked"] if "Credentials" in x["why"]
    ]


def test_credentials_that_hold_name_their_signer():
    value = indicators_of(credentials())["c2pa_valid"]
    assert value["type"] == "TRUST"
    assert "Northwind Cameras" in value["description"]


def test_a_picture_that_was_changed_after_it_was_signed_does_not_hold():
    content = bytearray(credentials())
    content[-40] ^= 0xFF  # within the picture, behind the record
    result = indicators_of(bytes(content))
    assert result["c2pa_invalid"]["type"] == "RISK"
    assert "c2pa_valid" not in result


def test_a_generator_that_says_so_is_a_risk():
    result = indicators_of(credentials(source="trainedAlgorithmicMedia"))
    assert result["ai_generated"]["type"] == "RISK"
