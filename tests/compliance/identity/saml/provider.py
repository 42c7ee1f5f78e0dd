"""A provider of SAML 2.0: reads our requests, and signs responses with keys of its own."""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import xmlsec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from defusedxml import ElementTree
from lxml import etree
from xmlsec import constants

ENTITY_ID = "https://idp.example/metadata"
SIGN_IN = "https://idp.example/sso"
PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
PASSWORD = "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport"
SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success"
SAML = "urn:oasis:names:tc:SAML:2.0:assertion"
SAMLP = "urn:oasis:names:tc:SAML:2.0:protocol"
DS = "http://www.w3.org/2000/09/xmldsig#"
NAMES = {"saml": SAML, "samlp": SAMLP, "ds": DS}
DESK = "http://127.0.0.1:8000"
RECIPIENT = f"{DESK}/account/saml/company/acs/"
AUDIENCE = f"{DESK}/account/saml/company/metadata/"


@dataclass(frozen=True)
class Identity:
    """A key and its certificate, both in PEM."""

    key: bytes
    certificate: bytes


@cache
def identity(name: str) -> Identity:
    """The same key for the same name; keys take a while to make."""
    key = rsa.generate_private_key(65537, 2048)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime(2026, 1, 1, tzinfo=UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=36500))
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    text = key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return Identity(text, certificate.public_bytes(pem))


def metadata(*names: str, sign_in: str = SIGN_IN) -> str:
    """The provider's metadata, with the certificates of these keys."""
    keys = ""
    for name in names or ("provider",):
        lines = identity(name).certificate.decode().splitlines()
        body = "".join(lines[1:-1])
        keys += (
            f'<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>{body}'
            "</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>"
        )
    return (
        '<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata"'
        f' xmlns:ds="{DS}" entityID="{ENTITY_ID}">'
        f'<md:IDPSSODescriptor protocolSupportEnumeration="{SAMLP}">{keys}'
        '<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"'
        f' Location="{sign_in}"/></md:IDPSSODescriptor></md:EntityDescriptor>'
    )


@dataclass(frozen=True)
class Request:
    """What we ask the provider."""

    id: str
    is_forced: bool
    contexts: list[str]
    parameters: dict[str, list[str]]
    recipient: str
    issuer: str


def read_request(address: str) -> Request:
    parameters = parse_qs(urlsplit(address).query, keep_blank_values=True)
    packed = base64.b64decode(parameters["SAMLRequest"][0])
    root = ElementTree.fromstring(zlib.decompress(packed, -15))
    contexts = root.findall(".//saml:AuthnContextClassRef", NAMES)
    return Request(
        id=root.attrib["ID"],
        is_forced=root.attrib.get("ForceAuthn") == "true",
        contexts=[node.text or "" for node in contexts],
        parameters=parameters,
        recipient=root.attrib["AssertionConsumerServiceURL"],
        issuer=root.findtext("saml:Issuer", "", NAMES),
    )


def stamp(seconds: float = 0, now: float | None = None) -> str:
    """A moment so many seconds from now."""
    moment = datetime.now(UTC) if now is None else datetime.fromtimestamp(now, UTC)
    return (moment + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True)
class Answer:
    """What a response says. Each test changes a part of a good one."""

    request_id: str
    # Of the response itself, which is not signed; None: that of the assertion.
    outer_request_id: str | None = None
    name_id: str = "number-1"
    name_format: str = PERSISTENT
    attributes: dict[str, list[str]] = field(
        default_factory=lambda: {
            "uid": ["ana"],
            "mail": ["ana@example.com"],
            "groups": ["kyc-staff"],
        }
    )
    issuer: str = ENTITY_ID
    audiences: tuple[str, ...] = (AUDIENCE,)
    recipient: str = RECIPIENT
    destination: str = RECIPIENT
    begin: float = -30
    end: float = 300
    confirmation_end: float | None = 300
    authenticated: float = 0
    session_end: float | None = None
    context: str = PASSWORD
    status: str = SUCCESS
    method: str = BEARER
    assertion_id: str = ""

    def but(self, **changes: Any) -> Answer:
        return replace(self, **changes)


def build(answer: Answer) -> Any:
    """The response, without a signature."""
    assertion_id = answer.assertion_id or f"_{uuid4().hex}"
    outer = answer.outer_request_id
    outer = answer.request_id if outer is None else outer
    text = (
        f'<samlp:Response xmlns:samlp="{SAMLP}" xmlns:saml="{SAML}" ID="_{uuid4().hex}" Version="2.0"'
        f' IssueInstant="{stamp()}"{_attribute("Destination", answer.destination)}'
        f"{_attribute('InResponseTo', outer)}>"
        f"<saml:Issuer>{answer.issuer}</saml:Issuer>"
        f'<samlp:Status><samlp:StatusCode Value="{answer.status}"/></samlp:Status>'
        f'<saml:Assertion ID="{assertion_id}" Version="2.0" IssueInstant="{stamp()}">'
        f"<saml:Issuer>{answer.issuer}</saml:Issuer>"
        f"{_subject(answer)}{_conditions(answer)}{_statement(answer)}{_attributes(answer)}"
        "</saml:Assertion></samlp:Response>"
    )
    return etree.fromstring(text)


def _attribute(name: str, value: str) -> str:
    return f' {name}="{value}"' if value else ""


def _subject(answer: Answer) -> str:
    limit = ""
    if answer.confirmation_end is not None:
        limit = f' NotOnOrAfter="{stamp(answer.confirmation_end)}"'
    return (
        f'<saml:Subject><saml:NameID Format="{answer.name_format}">{answer.name_id}</saml:NameID>'
        f'<saml:SubjectConfirmation Method="{answer.method}"><saml:SubjectConfirmationData'
        f"{limit}{_attribute('Recipient', answer.recipient)}"
        f"{_attribute('InResponseTo', answer.request_id)}/></saml:SubjectConfirmation></saml:Subject>"
    )


def _conditions(answer: Answer) -> str:
    limits = f'NotBefore="{stamp(answer.begin)}" NotOnOrAfter="{stamp(answer.end)}"'
    restrictions = "".join(
        f"<saml:AudienceRestriction><saml:Audience>{audience}</saml:Audience></saml:AudienceRestriction>"
        for audience in answer.audiences
    )
    return f"<saml:Conditions {limits}>{restrictions}</saml:Conditions>"


def _statement(answer: Answer) -> str:
    end = ""
    if answer.session_end is not None:
        end = f' SessionNotOnOrAfter="{stamp(answer.session_end)}"'
    return (
        f'<saml:AuthnStatement AuthnInstant="{stamp(answer.authenticated)}"{end}><saml:AuthnContext>'
        f"<saml:AuthnContextClassRef>{answer.context}</saml:AuthnContextClassRef>"
        "</saml:AuthnContext></saml:AuthnStatement>"
    )


def _attributes(answer: Answer) -> str:
    parts = ""
    for name, values in answer.attributes.items():
        texts = "".join(
            f"<saml:AttributeValue>{value}</saml:AttributeValue>" for value in values
        )
        parts += f'<saml:Attribute Name="{name}">{texts}</saml:Attribute>'
    return f"<saml:AttributeStatement>{parts}</saml:AttributeStatement>"


def sign(
    document: Any,
    *,
    key: str = "provider",
    signature: Any = constants.TransformRsaSha256,
    digest: Any = constants.TransformSha256,
    what: str = "saml:Assertion",
) -> Any:
    """Sign the assertion, or another element, in place."""
    root = document
    element = root if what == "samlp:Response" else root.find(what, NAMES)
    node = xmlsec.template.create(
        element, constants.TransformExclC14N, signature, ns="ds"
    )
    # The schema wants it behind the issuer.
    element.find("saml:Issuer", NAMES).addnext(node)
    reference = xmlsec.template.add_reference(node, digest, uri=f"#{element.get('ID')}")
    xmlsec.template.add_transform(reference, constants.TransformEnveloped)
    xmlsec.template.add_transform(reference, constants.TransformExclC14N)
    xmlsec.tree.add_ids(root, ["ID"])
    context = xmlsec.SignatureContext()
    context.key = xmlsec.Key.from_memory(
        identity(key).key, constants.KeyDataFormatPem, None
    )
    context.sign(node)
    return document


def pack(document: Any) -> str:
    """The text of the form's field."""
    return base64.b64encode(etree.tostring(document)).decode()


def response(answer: Answer, **options: Any) -> str:
    """A signed response, for the form's field."""
    return pack(sign(build(answer), **options))
