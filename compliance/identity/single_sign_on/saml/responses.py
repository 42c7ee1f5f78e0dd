"""Reads the provider's response, and refuses it unless a signed assertion proves everything.

python3-saml verifies the signature, the schema, the issuer and the status. It takes a response
without an audience, a recipient, a time limit or the request that it answers, and it compares some
of them by their beginnings. Here each of them must be in the assertion that is signed.
"""

from __future__ import annotations

import time
from binascii import Error as Base64Error
from typing import Any

import xmlsec
from django.conf import settings
from lxml.etree import LxmlError, XMLSyntaxError
from onelogin.saml2.constants import OneLogin_Saml2_Constants as Names
from onelogin.saml2.errors import OneLogin_Saml2_Error, OneLogin_Saml2_ValidationError
from onelogin.saml2.response import OneLogin_Saml2_Response
from onelogin.saml2.utils import OneLogin_Saml2_Utils
from onelogin.saml2.xml_utils import OneLogin_Saml2_XML

from compliance.identity.single_sign_on.saml import configuration, signatures
from compliance.identity.single_sign_on.saml.refusals import ResponseError

# How far the clocks of the provider and of this machine may differ, in seconds.
CLOCK_SECONDS = 60
# The column of a person's number at the provider has room for this.
LONGEST_NUMBER = 191


class Response(OneLogin_Saml2_Response):  # type: ignore[misc]
    """A response of which every part that we use is in the one signed assertion."""

    # The request that it answers, and the moment until which it may be used.
    request_id: str
    until: float

    def require_proof(self) -> None:
        """Raise ResponseError unless the assertion is for us, now, and for a request of ours."""
        now = time.time()
        self._require_validity(now)
        self._require_audience()
        self._require_confirmation(now)
        self._require_number()
        required = set(settings.SAML_AUTHN_CONTEXT)
        if required and not required.intersection(self.get_authn_contexts()):
            raise ResponseError("the login at the provider is weaker than required")

    def authn_instant(self) -> float:
        """The moment at which the provider authenticated the person."""
        [statement] = self._query_assertion("/saml:AuthnStatement")
        return _moment(statement.get("AuthnInstant"))

    def get_attributes(self) -> dict[str, list[str]]:
        """The attributes, with texts only: python3-saml turns a NameID in a value into a dict."""
        attributes: dict[str, list[str]] = {}
        for name, values in super().get_attributes().items():
            attributes[name] = [value for value in values if isinstance(value, str)]
        return attributes

    def _require_validity(self, now: float) -> None:
        [conditions] = self._query_assertion("/saml:Conditions")
        begin, end = conditions.get("NotBefore"), conditions.get("NotOnOrAfter")
        if begin and _moment(begin) > now + CLOCK_SECONDS:
            raise ResponseError("the assertion is not valid yet")
        if end and _moment(end) + CLOCK_SECONDS <= now:
            raise ResponseError("the assertion has expired")
        if self.authn_instant() > now + CLOCK_SECONDS:
            raise ResponseError("the login at the provider is in the future")

    def _require_audience(self) -> None:
        """Each restriction must name us: an assertion may have several, and all of them count."""
        us = configuration.address("saml_metadata")
        restrictions = self._query_assertion(
            "/saml:Conditions/saml:AudienceRestriction"
        )
        for restriction in restrictions:
            nodes = restriction.iterchildren(f"{{{Names.NS_SAML}}}Audience")
            if us not in [_text(node) for node in nodes]:
                raise ResponseError("the assertion is for another audience")
        if not restrictions:
            raise ResponseError("the assertion names no audience")

    def _require_confirmation(self, now: float) -> None:
        """The bearer's confirmation says where, until when and for which request."""
        path = f"/saml:Subject/saml:SubjectConfirmation[@Method='{Names.CM_BEARER}']/saml:SubjectConfirmationData"
        nodes = self._query_assertion(path)
        if len(nodes) != 1:
            raise ResponseError("the assertion has not one confirmation of a bearer")
        data = nodes[0]
        us = configuration.address("saml_acs")
        if data.get("Recipient") != us:
            raise ResponseError("the assertion is for another recipient")
        if self.document.get("Destination", us) != us:
            raise ResponseError("the response is for another destination")
        if not data.get("NotOnOrAfter"):
            raise ResponseError("the assertion has no time limit")
        self.until = _moment(data.get("NotOnOrAfter")) + CLOCK_SECONDS
        if self.until <= now:
            raise ResponseError("the assertion has expired")
        self.request_id = data.get("InResponseTo") or ""
        if not self.request_id:
            raise ResponseError("nobody asked for the response")
        # That of the response itself is not signed.
        if self.document.get("InResponseTo") != self.request_id:
            raise ResponseError("the response answers two requests")

    def _require_number(self) -> None:
        """The person must have the same number at each login."""
        name = settings.SAML_UID_ATTRIBUTE
        if name and len(self.get_attributes().get(name, [])) != 1:
            raise ResponseError("the assertion has not one number of the person")
        if len(self._query_assertion("/saml:Subject/saml:NameID")) != 1:
            raise ResponseError("the assertion has not one NameID")
        if len(self.get_nameid()) > LONGEST_NUMBER:
            raise ResponseError("the NameID is too long")
        is_transient = self.get_nameid_format() == Names.NAMEID_TRANSIENT
        if is_transient and not settings.SAML_UID_ATTRIBUTE:
            raise ResponseError("the NameID is another at each login")


def read(text: str) -> Response:
    """The response in this field of the form. Raises ResponseError or ConfigurationError."""
    current = configuration.load()
    try:
        signatures.require_shape(_parse(text))
        response = Response(current, text)
        response.is_valid(configuration.request_data(), raise_exceptions=True)
        response.require_proof()
    except OneLogin_Saml2_ValidationError as exc:
        raise ResponseError(_label(exc)) from exc
    except (OneLogin_Saml2_Error, xmlsec.Error, LxmlError, ValueError) as exc:
        # Their texts may repeat what somebody sent.
        raise ResponseError(type(exc).__name__) from exc
    return response


def _parse(text: str) -> Any:
    """The tree of the document; python3-saml's parser forbids document types and entities."""
    try:
        return OneLogin_Saml2_XML.to_etree(OneLogin_Saml2_Utils.b64decode(text))
    except (Base64Error, XMLSyntaxError, ValueError) as exc:
        raise ResponseError("it is not readable XML") from exc


def _label(error: OneLogin_Saml2_ValidationError) -> str:
    """The name of an error of python3-saml; its text may repeat what somebody sent."""
    for name, code in vars(OneLogin_Saml2_ValidationError).items():
        if name.isupper() and code == error.code:
            label: str = name.lower().replace("_", " ")
            return label
    return "error"


def _moment(text: str | None) -> float:
    return float(OneLogin_Saml2_Utils.parse_SAML_to_time(text or ""))


def _text(node: Any) -> str:
    text: str = OneLogin_Saml2_XML.element_text(node) or ""
    return text.strip()
