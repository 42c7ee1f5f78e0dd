"""What is wrong with the settings of SAML. Loads nothing of the library."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from django.conf import settings


def faults() -> list[str]:
    """Sentences for the operator; none where no provider of SAML is set, or all is well."""
    if not settings.SAML_IDP_ENTITY_ID:
        return []
    found = []
    if settings.OIDC_ISSUER:
        found.append("OIDC_ISSUER and SAML_IDP_ENTITY_ID are both set: choose one.")
    if find_spec("onelogin") is None:
        found.append(
            "SAML_IDP_ENTITY_ID needs the extra `saml`: requirements/saml.txt."
        )
    return [*found, *_faults_of_files()]


def _faults_of_files() -> list[str]:
    found = []
    if settings.SAML_IDP_METADATA_FILE:
        names = ["SAML_IDP_METADATA_FILE"]
    else:
        names = ["SAML_IDP_CERTIFICATE_FILE"]
    if not settings.SAML_IDP_METADATA_FILE and not settings.SAML_IDP_URL:
        found.append("Set SAML_IDP_METADATA_FILE, or SAML_IDP_URL.")
    if settings.SAML_KEY:
        names.append("SAML_CERTIFICATE_FILE")
    for name in names:
        path = getattr(settings, name)
        if not path or not Path(path).is_file():
            found.append(f"{name} names no file.")
    return found
