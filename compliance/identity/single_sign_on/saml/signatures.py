"""The shape that a response must have before a library verifies its signatures.

A verification runs what the signature lists: transforms, references, algorithms. Whoever sends a
response chooses them before anything is proven, so only what providers need is allowed.
"""

from __future__ import annotations

from typing import Any

from onelogin.saml2.constants import OneLogin_Saml2_Constants as Names
from onelogin.saml2.xml_utils import OneLogin_Saml2_XML

from compliance.identity.single_sign_on.saml.refusals import ResponseError

_DSIG = "http://www.w3.org/2000/09/xmldsig#"
_MORE = "http://www.w3.org/2001/04/xmldsig-more#"
_ENC = "http://www.w3.org/2001/04/xmlenc#"
_EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#"
# What each element of a signature may name. SHA-1 and MD5 are not among them.
ALGORITHMS = {
    "SignatureMethod": {
        f"{_MORE}{kind}-sha{bits}"
        for kind in ("rsa", "ecdsa")
        for bits in (256, 384, 512)
    },
    "DigestMethod": {f"{_ENC}sha256", f"{_MORE}sha384", f"{_ENC}sha512"},
    "CanonicalizationMethod": {_EXCLUSIVE},
    "Transform": {f"{_DSIG}enveloped-signature", _EXCLUSIVE},
}
RESPONSE = f"{{{Names.NS_SAMLP}}}Response"
ASSERTION = f"{{{Names.NS_SAML}}}Assertion"
SCHEMA = "saml-schema-protocol-2.0.xsd"
# The response's own, and that of its assertion.
MOST_SIGNATURES = 2


def require_shape(document: Any) -> None:
    """Raise ResponseError unless it is a response with one assertion in clear text, signed plainly."""
    if document.tag != RESPONSE:
        raise ResponseError("it is not a response")
    if _find(document, "//xenc:EncryptedData"):
        raise ResponseError("it is encrypted")
    # python3-saml reads some parts before it validates them.
    if isinstance(OneLogin_Saml2_XML.validate_xml(document, SCHEMA), str):
        raise ResponseError("it does not fit the schema")
    assertions = _find(document, "//saml:Assertion")
    if len(assertions) != 1 or assertions[0].getparent() is not document:
        raise ResponseError("it has not one assertion")
    every_signature = _find(document, "//ds:Signature")
    if len(every_signature) > MOST_SIGNATURES:
        raise ResponseError("it has too many signatures")
    _require_different_ids(document)
    for signature in every_signature:
        _require_plain(signature)
    if not _find(assertions[0], "./ds:Signature"):
        raise ResponseError("the assertion is not signed")


def _require_different_ids(document: Any) -> None:
    """A signature names an element by its ID: of two with the same, it could be the other."""
    ids = _find(document, "//@ID | //@Id | //@id")
    if len(ids) != len(set(ids)):
        raise ResponseError("two of its elements have the same ID")


def _require_plain(signature: Any) -> None:
    parent = signature.getparent()
    if parent.tag not in {RESPONSE, ASSERTION}:
        raise ResponseError("a signature is at a wrong place")
    references = _find(signature, ".//ds:Reference")
    if len(references) != 1 or references[0].get("URI") != f"#{parent.get('ID')}":
        raise ResponseError("a signature is about something else")
    if _find(signature, ".//ds:Object"):
        raise ResponseError("a signature has an object")
    for name, allowed in ALGORITHMS.items():
        for node in _find(signature, f".//ds:{name}"):
            if node.get("Algorithm") not in allowed:
                raise ResponseError(f"the algorithm of {name} is not accepted")


def _find(node: Any, path: str) -> list[Any]:
    nodes: list[Any] = node.xpath(path, namespaces=Names.NSMAP)
    return nodes
