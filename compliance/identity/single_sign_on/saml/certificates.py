"""When the certificates of SAML end, for `manage.py doctor`."""

from __future__ import annotations

import base64
from datetime import datetime

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from django.conf import settings

from compliance.identity.single_sign_on.saml import configuration

# RSA keys of fewer bits are too weak for signatures.
FEWEST_BITS = 2048


def ends() -> list[tuple[str, datetime]]:
    """The owner of each certificate, and when it ends. Raises ConfigurationError."""
    moments = [("the provider", _end(text)) for text in configuration.certificates()]
    if settings.SAML_KEY:
        ours = configuration.load().get_sp_cert()
        moments.append(("this installation", _end(ours)))
    return moments


def _end(text: str) -> datetime:
    body = "".join(text.split())
    for word in ("-----BEGINCERTIFICATE-----", "-----ENDCERTIFICATE-----"):
        body = body.replace(word, "")
    try:
        certificate = x509.load_der_x509_certificate(base64.b64decode(body))
        key = certificate.public_key()
    except ValueError as exc:
        raise configuration.ConfigurationError("A certificate is unreadable.") from exc
    if isinstance(key, RSAPublicKey) and key.key_size < FEWEST_BITS:
        message = f"The key of a certificate has fewer than {FEWEST_BITS} bits."
        raise configuration.ConfigurationError(message)
    return certificate.not_valid_after_utc
