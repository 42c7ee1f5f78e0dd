"""The settings of python3-saml, made from ours: the provider, and this installation."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from lxml.etree import XMLSyntaxError
from onelogin.saml2.constants import OneLogin_Saml2_Constants as Names
from onelogin.saml2.errors import OneLogin_Saml2_Error
from onelogin.saml2.idp_metadata_parser import OneLogin_Saml2_IdPMetadataParser
from onelogin.saml2.settings import OneLogin_Saml2_Settings

_CERTIFICATE = re.compile(
    r"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.DOTALL
)


class ConfigurationError(ValueError):
    """The settings, or a file that they name, cannot be used. The text has no personal data."""


def address(view: str) -> str:
    """The public URL of one of our views. A response must name it, so the Host header has no effect."""
    path = reverse(view, args=[settings.SAML_PROVIDER])
    return f"{settings.DESK_URL}{path}"


def request_data() -> dict[str, Any]:
    """The request as python3-saml expects it: the URL of our assertion consumer service."""
    parts = urlsplit(address("saml_acs"))
    return {
        "https": "on" if parts.scheme == "https" else "off",
        "http_host": parts.netloc,
        "script_name": parts.path,
        "get_data": {},
        "post_data": {},
    }


def load() -> OneLogin_Saml2_Settings:
    """The current settings; the files are read each time, so that a new certificate counts at once.

    Raises ConfigurationError.
    """
    data = {
        "strict": True,
        "debug": False,
        "idp": _provider(),
        "sp": _installation(),
        "security": _security(),
    }
    try:
        return OneLogin_Saml2_Settings(data)
    except OneLogin_Saml2_Error as exc:
        raise ConfigurationError(str(exc)) from exc


def certificates() -> list[str]:
    """The certificates by which the provider's signatures are verified."""
    provider = _provider()
    several = provider.get("x509certMulti", {}).get("signing", [])
    return several or [provider["x509cert"]]


def _provider() -> dict[str, Any]:
    if settings.SAML_IDP_METADATA_FILE:
        return _provider_of_metadata(_read("SAML_IDP_METADATA_FILE"))
    texts = _CERTIFICATE.findall(_read("SAML_IDP_CERTIFICATE_FILE"))
    if not texts:
        raise ConfigurationError("SAML_IDP_CERTIFICATE_FILE has no certificate.")
    if not settings.SAML_IDP_URL:
        raise ConfigurationError("SAML_IDP_URL is not set.")
    return {
        "entityId": settings.SAML_IDP_ENTITY_ID,
        "singleSignOnService": {"url": settings.SAML_IDP_URL},
        "x509certMulti": {"signing": texts},
    }


def _provider_of_metadata(text: str) -> dict[str, Any]:
    try:
        data = OneLogin_Saml2_IdPMetadataParser.parse(
            text, entity_id=settings.SAML_IDP_ENTITY_ID
        )
    # ValueError: a document type or an entity.
    except (XMLSyntaxError, ValueError) as exc:
        raise ConfigurationError("SAML_IDP_METADATA_FILE is not readable XML.") from exc
    provider: dict[str, Any] = data.get("idp", {})
    if provider.get("entityId") != settings.SAML_IDP_ENTITY_ID:
        message = "SAML_IDP_METADATA_FILE does not name SAML_IDP_ENTITY_ID."
        raise ConfigurationError(message)
    if "singleSignOnService" not in provider:
        message = "SAML_IDP_METADATA_FILE has no address for the binding HTTP-Redirect."
        raise ConfigurationError(message)
    has_keys = "x509cert" in provider or provider.get("x509certMulti", {}).get(
        "signing"
    )
    if not has_keys:
        raise ConfigurationError("SAML_IDP_METADATA_FILE has no key for signatures.")
    return provider


def _installation() -> dict[str, Any]:
    data = {
        "entityId": address("saml_metadata"),
        "assertionConsumerService": {
            "url": address("saml_acs"),
            "binding": Names.BINDING_HTTP_POST,
        },
        "NameIDFormat": Names.NAMEID_UNSPECIFIED,
    }
    if settings.SAML_KEY:
        data["privateKey"] = settings.SAML_KEY
        data["x509cert"] = _read("SAML_CERTIFICATE_FILE")
    return data


def _security() -> dict[str, Any]:
    return {
        "authnRequestsSigned": bool(settings.SAML_KEY),
        "signatureAlgorithm": Names.RSA_SHA256,
        "digestAlgorithm": Names.SHA256,
        "rejectDeprecatedAlgorithm": True,
        "wantAssertionsSigned": True,
        "wantNameId": True,
        "wantAttributeStatement": False,
        # Some providers send each group as an attribute of its own.
        "allowRepeatAttributeName": True,
        # An empty list would ask for nothing, and accept nothing.
        "requestedAuthnContext": list(settings.SAML_AUTHN_CONTEXT) or False,
        "failOnAuthnContextMismatch": bool(settings.SAML_AUTHN_CONTEXT),
        "allowSingleLabelDomains": True,
    }


def _read(name: str) -> str:
    path = getattr(settings, name)
    if not path:
        raise ConfigurationError(f"{name} is not set.")
    try:
        return Path(path).read_text()
    # UnicodeDecodeError is a ValueError: a certificate in DER.
    except (OSError, ValueError) as exc:
        message = f"{name} cannot be read ({type(exc).__name__})."
        raise ConfigurationError(message) from exc
