"""Signature wrapping where the response is signed too, requests to log out, and XML that is costly to read."""

from __future__ import annotations

import base64
import time
from copy import deepcopy
from typing import Any

import pytest
from lxml import etree

from tests.compliance.identity.saml import provider
from tests.compliance.identity.saml.browser import ACS, ask, bring, is_in, sign_on
from tests.compliance.identity.saml.provider import DS, NAMES, SAMLP, Answer
from tests.compliance.identity.saml.test_refusals import (
    WRAPPINGS,
    assertion_of,
    evil_copy,
    refused,
)

pytestmark = pytest.mark.django_db

LONGEST = 10.0  # seconds for three documents that are made to be costly


def in_extensions(document: Any) -> None:
    """The signed one stays, and the evil one with the same ID stands where any content may."""
    evil = evil_copy(document)
    evil.set("ID", assertion_of(document).get("ID"))
    extensions = etree.Element(f"{{{SAMLP}}}Extensions")
    document.find("saml:Issuer", NAMES).addnext(extensions)
    extensions.append(evil)


def in_an_object_of_its_signature(document: Any) -> None:
    """The evil one keeps the signature, in which the signed one is without it."""
    evil, signed = evil_copy(document), assertion_of(document)
    signature = signed.find("ds:Signature", NAMES)
    copy = deepcopy(signed)
    copy.remove(copy.find("ds:Signature", NAMES))
    holder = etree.SubElement(signature, f"{{{DS}}}Object")
    holder.append(copy)
    signed.remove(signature)
    evil.find("saml:Issuer", NAMES).addnext(signature)
    document.replace(signed, evil)


def twice(document: Any) -> None:
    """The signed one, and once more with its signature and ID and another name."""
    again = deepcopy(assertion_of(document))
    again.find(".//saml:NameID", NAMES).text = "number-of-the-director"
    assertion_of(document).addnext(again)


def first_twice(document: Any) -> None:
    again = deepcopy(assertion_of(document))
    again.find(".//saml:NameID", NAMES).text = "number-of-the-director"
    assertion_of(document).addprevious(again)


def response_in_its_signature(document: Any) -> None:
    """The evil response keeps the signature, in which the signed response is."""
    _replace_response(document)
    holder = etree.SubElement(document.find("ds:Signature", NAMES), f"{{{DS}}}Object")
    holder.append(document[-1])


def response_behind_its_signature(document: Any) -> None:
    _replace_response(document)
    document.find("ds:Signature", NAMES).addnext(document[-1])


def _replace_response(document: Any) -> None:
    """Make the response evil, with the signed one without its signature as the last child."""
    original = deepcopy(document)
    outer = original.find("ds:Signature", NAMES)
    if outer is not None:
        original.remove(outer)
    else:
        # Only the assertion is signed: its signature moves to the response.
        signature = assertion_of(document).find("ds:Signature", NAMES)
        document.find("saml:Issuer", NAMES).addnext(signature)
    document.replace(assertion_of(document), evil_copy_without(document))
    document.set("ID", "_evil-response")
    document.append(original)


def evil_copy_without(document: Any) -> Any:
    """As `evil_copy`, also of an assertion that has lost its signature."""
    copy = deepcopy(assertion_of(document))
    for signature in copy.findall("ds:Signature", NAMES):
        copy.remove(signature)
    copy.find(".//saml:NameID", NAMES).text = "number-of-the-director"
    copy.set("ID", "_evil")
    return copy


MORE = [
    in_extensions,
    in_an_object_of_its_signature,
    twice,
    first_twice,
    response_in_its_signature,
    response_behind_its_signature,
]


@pytest.mark.parametrize("is_signed_twice", [False, True])
@pytest.mark.parametrize("wrap", [*WRAPPINGS, *MORE])
def test_a_wrapped_assertion_is_refused(client, saml, wrap, is_signed_twice):
    document = provider.sign(provider.build(Answer(ask(client).id)))
    if is_signed_twice:
        provider.sign(document, what="samlp:Response")
    wrap(document)
    assert refused(client, document)


@pytest.mark.parametrize("place", ["sls", "logout", "slo"])
def test_nobody_is_logged_out_by_a_request_of_somebody_else(client, saml, place):
    """There is no address for requests to log out, signed or not."""
    sign_on(client)
    request = provider.pack(etree.Element(f"{{{SAMLP}}}LogoutRequest"))
    body = {"SAMLRequest": request, "SAMLResponse": request}
    address = ACS.replace("acs", place)
    assert client.get(address, body).status_code == 404
    assert client.post(address, body).status_code == 404
    assert client.post(ACS, body).status_code == 401
    assert is_in(client)


def test_costly_xml_is_refused_soon(client, saml):
    entities = []
    for number in range(9):
        content = f"&l{number};" * 10
        entities.append(f'<!ENTITY l{number + 1} "{content}">')
    members = " ".join(f'b{number}="1"' for number in range(20_000))
    texts = [
        f'<!DOCTYPE r [<!ENTITY l0 "lol">{"".join(entities)}]><r>&l9;</r>',
        "<a>" * 50_000 + "</a>" * 50_000,
        f"<a {members}/>",
    ]
    began = time.monotonic()
    for text in texts:
        page = bring(client, base64.b64encode(text.encode()).decode())
        assert page.status_code in {401, 413}
    assert time.monotonic() - began < LONGEST
