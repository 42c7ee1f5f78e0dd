"""Responses that let nobody in. Each is a good one with one change."""

from __future__ import annotations

import base64
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.test import Client
from lxml import etree
from xmlsec import constants

from tests.compliance.identity.saml import provider
from tests.compliance.identity.saml.browser import (
    ACS,
    COOKIE,
    FINISH,
    ask,
    bring,
    is_in,
    sign_on,
)
from tests.compliance.identity.saml.provider import DS, NAMES, SAML, SAMLP, Answer

pytestmark = pytest.mark.django_db

# What a good response has otherwise. The second part of the reason is in the log.
CHANGES: dict[str, tuple[dict[str, Any], str]] = {
    "another audience": (
        {"audiences": ("https://other.example/",)},
        "wrong audience",
    ),
    "no audience": ({"audiences": ()}, "names no audience"),
    "one of two audiences": (
        {"audiences": (provider.AUDIENCE, "https://other.example/")},
        "another audience",
    ),
    "another recipient": (
        {"recipient": "https://other.example/acs/"},
        "wrong subjectconfirmation",
    ),
    "a longer recipient": (
        {"recipient": f"{provider.RECIPIENT}more/"},
        "another recipient",
    ),
    "no recipient": ({"recipient": ""}, "another recipient"),
    "another destination": (
        {"destination": "https://other.example/acs/"},
        "wrong destination",
    ),
    "a longer destination": (
        {"destination": f"{provider.RECIPIENT}.evil.example"},
        "another destination",
    ),
    "another provider": ({"issuer": "https://other.example/"}, "wrong issuer"),
    "expired": ({"end": -61}, "has expired"),
    "expired long ago": ({"end": -301}, "assertion expired"),
    # More than the 60 s that are allowed, and longer than a test on a busy machine takes.
    "not valid yet": ({"begin": 300}, "not valid yet"),
    "confirmation expired": ({"confirmation_end": -1}, "wrong subjectconfirmation"),
    "confirmation without a limit": ({"confirmation_end": None}, "no time limit"),
    "session ended": ({"session_end": -1}, "session expired"),
    "login in the future": ({"authenticated": 600}, "in the future"),
    "not of the bearer": (
        {"method": "urn:oasis:names:tc:SAML:2.0:cm:sender-vouches"},
        "wrong subjectconfirmation",
    ),
    "no success": (
        {"status": "urn:oasis:names:tc:SAML:2.0:status:Responder"},
        "status code is not success",
    ),
    "no request": ({"request_id": ""}, "nobody asked"),
    "request outside the signature": (
        {"request_id": "", "outer_request_id": "_1"},
        "nobody asked",
    ),
    "two requests": ({"outer_request_id": "_1"}, "wrong subjectconfirmation"),
    "no outer request": ({"outer_request_id": ""}, "answers two requests"),
    "request of nobody": ({"request_id": "_1"}, "has not asked"),
    "transient name": (
        {"name_format": "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"},
        "another at each login",
    ),
    "long name": ({"name_id": "a" * 192}, "too long"),
    "no name": ({"name_id": ""}, "empty nameid"),
}


@pytest.mark.parametrize("case", sorted(CHANGES))
def test_a_response_with_a_wrong_part_is_refused(client, saml, caplog, case):
    changes, reason = CHANGES[case]
    page = sign_on(client, **changes)
    assert page.status_code == 401
    assert not is_in(client)
    assert not User.objects.exists()
    assert reason in caplog.text


def refused(client: Client, document: Any) -> bool:
    page = bring(client, provider.pack(document))
    return page.status_code == 401 and not is_in(client) and not User.objects.exists()


def good(client: Client, **changes: Any) -> Any:
    """A signed response for this browser, as a tree."""
    answer = Answer(ask(client).id).but(**changes)
    return provider.sign(provider.build(answer))


def assertion_of(document: Any) -> Any:
    return document.find("saml:Assertion", NAMES)


def test_the_key_of_another_is_refused(client, saml):
    answer = Answer(ask(client).id)
    document = provider.sign(provider.build(answer), key="somebody")
    assert refused(client, document)


def test_an_assertion_without_a_signature_is_refused(client, saml):
    assert refused(client, provider.build(Answer(ask(client).id)))


def test_a_signature_of_the_response_alone_is_refused(client, saml):
    document = provider.build(Answer(ask(client).id))
    assert refused(client, provider.sign(document, what="samlp:Response"))


def test_both_signatures_are_accepted(client, saml):
    document = provider.sign(good(client), what="samlp:Response")
    bring(client, provider.pack(document))
    assert is_in(client)


def test_a_change_after_the_signature_is_refused(client, saml):
    for path, text in (
        (".//saml:NameID", "number-2"),
        (".//saml:AttributeValue", "root"),
        (".//saml:AuthnContextClassRef", "strong"),
    ):
        document = good(client)
        document.find(path, NAMES).text = text
        assert refused(client, document), path


def test_a_group_that_is_added_after_the_signature_is_refused(client, saml):
    document = good(client, attributes={"uid": ["ana"], "groups": ["it"]})
    values = document.findall(".//saml:Attribute", NAMES)[-1]
    etree.SubElement(values, f"{{{SAML}}}AttributeValue").text = "kyc-staff"
    assert refused(client, document)


@pytest.mark.parametrize(
    ("signature", "digest"),
    [
        (constants.TransformRsaSha1, constants.TransformSha256),
        (constants.TransformRsaSha256, constants.TransformSha1),
    ],
)
def test_sha_1_is_refused(client, saml, caplog, signature, digest):
    document = provider.build(Answer(ask(client).id))
    provider.sign(document, signature=signature, digest=digest)
    assert refused(client, document)
    assert "is not accepted" in caplog.text


@pytest.mark.parametrize("bits", [384, 512])
def test_longer_hashes_are_accepted(client, saml, bits):
    document = provider.build(Answer(ask(client).id))
    provider.sign(
        document,
        signature=getattr(constants, f"TransformRsaSha{bits}"),
        digest=getattr(constants, f"TransformSha{bits}"),
    )
    bring(client, provider.pack(document))
    assert is_in(client)


def test_a_key_in_the_signature_is_not_believed(client, saml):
    """The certificate of an attacker, in the signature itself."""
    document = provider.build(Answer(ask(client).id))
    provider.sign(document, key="somebody")
    signature = document.find(".//ds:Signature", NAMES)
    info = etree.SubElement(signature, f"{{{DS}}}KeyInfo")
    data = etree.SubElement(info, f"{{{DS}}}X509Data")
    lines = provider.identity("somebody").certificate.decode().splitlines()
    etree.SubElement(data, f"{{{DS}}}X509Certificate").text = "".join(lines[1:-1])
    assert refused(client, document)


def parts_of_assertion(document: Any) -> list[Callable[[], None]]:
    """Each change of one attribute or text of the assertion."""
    changes: list[Callable[[], None]] = []
    for node in assertion_of(document).iter():
        if node.text and node.text.strip():
            changes.append(partial(setattr, node, "text", f"{node.text}x"))
        for name, value in node.attrib.items():
            changes.append(partial(node.set, name, f"{value}x"))
        changes.append(partial(etree.SubElement, node, f"{{{SAML}}}Advice"))
    return changes


def test_no_part_of_the_assertion_can_be_changed(client, saml):
    saml.ADDRESS_RATE = 0
    request = ask(client)
    number = 0
    while True:
        document = provider.sign(provider.build(Answer(request.id)))
        changes = parts_of_assertion(document)
        if number == len(changes):
            break
        changes[number]()
        page = Client().post(ACS, {"SAMLResponse": provider.pack(document)})
        assert page.status_code == 401, number
        number += 1
    assert number > 50


def evil_copy(document: Any) -> Any:
    """The assertion as the attacker wants it, without its signature."""
    copy = deepcopy(assertion_of(document))
    copy.remove(copy.find("ds:Signature", NAMES))
    copy.find(".//saml:NameID", NAMES).text = "number-of-the-director"
    copy.set("ID", "_evil")
    return copy


def beside_before(document: Any) -> None:
    assertion_of(document).addprevious(evil_copy(document))


def beside_after(document: Any) -> None:
    assertion_of(document).addnext(evil_copy(document))


def around(document: Any) -> None:
    """The signed one within the evil one."""
    evil, signed = evil_copy(document), assertion_of(document)
    document.replace(signed, evil)
    evil.append(signed)


def around_with_its_signature(document: Any) -> None:
    """The evil one takes the signature, and the signed one is its object."""
    evil, signed = evil_copy(document), assertion_of(document)
    document.replace(signed, evil)
    signature = signed.find("ds:Signature", NAMES)
    signed.remove(signature)
    evil.find("saml:Issuer", NAMES).addnext(signature)
    holder = etree.SubElement(signature, f"{{{DS}}}Object")
    holder.append(signed)


def in_extensions(document: Any) -> None:
    """The signed one among the extensions of the response, the evil one in its place."""
    evil, signed = evil_copy(document), assertion_of(document)
    document.replace(signed, evil)
    extensions = etree.Element(f"{{{SAMLP}}}Extensions")
    document.find("saml:Issuer", NAMES).addnext(extensions)
    extensions.append(signed)


def with_the_same_id(document: Any) -> None:
    evil, signed = evil_copy(document), assertion_of(document)
    evil.set("ID", signed.get("ID"))
    signed.addprevious(evil)


def in_a_response(document: Any) -> None:
    """The signed response within another one."""
    outer = deepcopy(document)
    outer.replace(assertion_of(outer), evil_copy(document))
    inner = deepcopy(document)
    outer.append(inner)
    document.clear()
    for name, value in outer.attrib.items():
        document.set(name, value)
    for child in list(outer):
        document.append(child)


WRAPPINGS = [
    beside_before,
    beside_after,
    around,
    around_with_its_signature,
    in_extensions,
    with_the_same_id,
    in_a_response,
]


@pytest.mark.parametrize("wrap", WRAPPINGS)
def test_a_wrapped_assertion_is_refused(client, saml, wrap):
    document = good(client)
    wrap(document)
    assert refused(client, document)


def test_a_comment_in_the_name_makes_no_other_person(client, saml):
    """The signature covers no comments: a reader that stops there reads another name."""
    text = provider.response(Answer(ask(client).id).but(name_id="number-17"))
    plain = base64.b64decode(text).decode()
    split = plain.replace("number-17", "number-1<!-- -->7")
    bring(client, base64.b64encode(split.encode()).decode())
    assert SocialAccount.objects.get(user__username="ana").uid == "number-17"


ENTITIES = """<!DOCTYPE r [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;&a;">]>"""
FOREIGN = """<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/hostname">]>"""


@pytest.mark.parametrize("start", [ENTITIES, FOREIGN])
def test_entities_are_refused(client, saml, start):
    text = etree.tostring(good(client)).decode()
    text = start + text.replace(">number-1<", ">&a;<")
    page = bring(client, base64.b64encode(text.encode()).decode())
    assert page.status_code == 401
    assert not is_in(client)


@pytest.mark.parametrize(
    "algorithm",
    [
        "http://www.w3.org/TR/1999/REC-xslt-19991116",
        "http://www.w3.org/TR/1999/REC-xpath-19991116",
        "http://www.w3.org/2001/10/xml-exc-c14n#WithComments",
    ],
)
def test_no_other_transform_is_run(client, saml, caplog, algorithm):
    document = good(client)
    for node in document.findall(".//ds:Transform", NAMES):
        node.set("Algorithm", algorithm)
    assert refused(client, document)
    assert "algorithm of Transform is not accepted" in caplog.text


@pytest.mark.parametrize("place", ["", "https://evil.example/", "#other"])
def test_a_signature_about_something_else_is_refused(client, saml, caplog, place):
    document = good(client)
    document.find(".//ds:Reference", NAMES).set("URI", place)
    assert refused(client, document)
    assert "about something else" in caplog.text


def test_an_encrypted_assertion_is_refused(client, saml, caplog):
    document = good(client)
    signed = assertion_of(document)
    outer = etree.Element(f"{{{SAML}}}EncryptedAssertion")
    etree.SubElement(outer, "{http://www.w3.org/2001/04/xmlenc#}EncryptedData")
    document.replace(signed, outer)
    assert refused(client, document)
    assert "it is encrypted" in caplog.text


@pytest.mark.parametrize(
    "text", ["", "x", "PHg+", "PHgvPg==", "////", "\u00e9", "PD94bWwgdmVyc2lvbj0i"]
)
def test_what_is_no_response_is_refused(client, saml, text):
    page = Client().post(ACS, {"SAMLResponse": text})
    assert page.status_code == 401


def test_a_response_in_the_address_is_not_read(client, saml):
    text = provider.response(Answer(ask(client).id))
    assert client.get(ACS, {"SAMLResponse": text}).status_code == 405


def test_a_large_form_is_refused(client, saml):
    page = Client().post(ACS, {"SAMLResponse": "a" * 70_000})
    assert page.status_code == 413


def test_many_forms_from_one_address_are_refused(client, saml):
    saml.ADDRESS_RATE = 5
    pages = [Client().post(ACS, {"SAMLResponse": "x"}) for _ in range(6)]
    assert [page.status_code for page in pages] == [401] * 5 + [429]


def test_the_answer_to_the_request_of_another_browser_is_refused(client, saml, caplog):
    """An attacker's own login, brought into the browser of another."""
    text = provider.response(Answer(ask(client).id))
    victim = Client()
    ask(victim)
    assert bring(victim, text).status_code == 401
    assert not is_in(victim)
    assert "has not asked" in caplog.text


def test_a_response_counts_once(client, saml):
    text = provider.response(Answer(ask(client).id))
    bring(client, text)
    assert is_in(client)
    client.post("/logout/")
    assert bring(client, text).status_code == 401
    assert not is_in(client)
    assert bring(Client(), text).status_code == 401


def test_an_assertion_counts_once_also_for_another_request(client, saml, caplog):
    """A provider that gives the same assertion number twice."""
    number = "_the-same"
    sign_on(client, assertion_id=number)
    browser = Client()
    assert sign_on(browser, assertion_id=number).status_code == 401
    assert "was used before" in caplog.text
    assert not is_in(browser)


def test_the_last_step_alone_lets_nobody_in(client, saml):
    assert client.get(FINISH).status_code == 401
    client.cookies[COOKIE] = "made-up"
    assert client.get(FINISH).status_code == 401


def test_the_cookie_of_the_last_step_is_no_key_of_a_session(client, saml):
    """Nor is the key of a session one of that step."""
    from django.core.signing import Signer

    from compliance.security.session_store.cookies import cookie_of

    sign_on(client)
    key = client.session.session_key
    browser = Client()
    for text in (key, cookie_of(key), Signer(salt="another").sign(key)):
        browser.cookies[COOKIE] = text
        assert browser.get(FINISH).status_code == 401
    assert client.get("/").status_code == 200


def test_a_response_is_not_kept_longer_than_the_last_step_needs(client, saml):
    from django.contrib.sessions.models import Session

    text = provider.response(Answer(ask(client).id))
    before = Session.objects.count()
    form = Client().post(ACS, {"SAMLResponse": text})
    assert Session.objects.count() == before + 1
    client.cookies[COOKIE] = form.cookies[COOKIE].value
    client.get(FINISH)
    assert is_in(client)
    assert client.get(FINISH).status_code == 401


def test_a_weak_login_of_the_provider_is_refused(client, saml, caplog):
    strong = "https://refeds.org/profile/mfa"
    saml.SAML_AUTHN_CONTEXT = (strong,)
    assert ask(client).contexts == [strong]
    assert sign_on(client).status_code == 401
    assert "authn context mismatch" in caplog.text
    sign_on(client, context=strong)
    assert is_in(client)


def test_a_login_of_unknown_strength_is_refused(client, saml, caplog):
    saml.SAML_AUTHN_CONTEXT = ("https://refeds.org/profile/mfa",)
    document = provider.build(Answer(ask(client).id))
    node = document.find(".//saml:AuthnContextClassRef", NAMES)
    node.tag = f"{{{SAML}}}AuthnContextDeclRef"
    assert refused(client, provider.sign(document))
    assert "weaker than required" in caplog.text


def test_nothing_of_a_response_is_in_the_log(client, saml, caplog):
    sign_on(client, audiences=("https://secret.example/ana@example.com",))
    sign_on(client, issuer="ana@example.com")
    sign_on(client, status="urn:ana@example.com")
    assert "refused" in caplog.text
    assert "ana@example.com" not in caplog.text
