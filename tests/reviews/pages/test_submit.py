from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.utils.timezone import localdate

from reviews.models import Agent, Case, Document, Job, PartyRelation
from tests import factories
from tests.reviews.pages.case.rows import words

PDF = b"%PDF-1.7\n%%EOF\n"
PNG = b"\x89PNG\r\n\x1a\n rest"


@pytest.fixture
def agents(db):
    connection = factories.make_connection()
    return {
        kind: factories.make_agent(connection, kind=kind) for kind in ("kyb", "kyc")
    }


@pytest.fixture
def submit(ana, agents):
    """Send the form of a kind as a browser would, with what is given."""

    def send(kind: str = "kyb", **values):
        data = {"agent": agents[kind].pk, "submission": str(uuid.uuid4()), **values}
        return ana.post(f"/cases/new/?kind={kind}", data)

    return send


def file(content: bytes = PDF, name: str = "paper.pdf") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, "application/octet-stream")


def opened(response) -> Case:
    assert response.status_code == 303, response.context["form"].errors
    case = Case.objects.get()
    assert response["Location"] == f"/cases/{case.pk}/"
    return case


def faults(response) -> str:
    """What the page says is wrong."""
    assert response.status_code == 200
    assert not Case.objects.exists()
    text = response.content.decode()
    assert 'id="errors"' in text
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


def test_a_partner_of_the_form_is_an_owner_and_the_form_says_so(ana, submit):
    """The hub screens partners as owners, too."""
    text = words(ana, "/cases/new/?kind=kyb")
    assert "Partners who own a part" in text
    assert "Other business partners are no owners" in text
    case = opened(submit(business_name="Acme Ltd", partners="Ann Lee, 60 %\nMid GmbH"))
    rows = PartyRelation.objects.filter(holder__case=case)
    relations = [
        (row.kind, row.share_min, row.share_max) for row in rows.order_by("pk")
    ]
    assert relations == [("owner", 60, 60), ("owner", None, None)]


def test_a_business_with_everything_becomes_a_case(submit, analyst):
    everything = {
        "business_name": "Parcha",
        "registered_business_name": "Parcha Labs, Inc.",
        "business_registration_number": "7379553",
        "tin_number": "92-3265708",
        "incorporation_date": "2023-03-28",
        "website": "parcha.example",
        "industry": "Software",
        "mcc_code": "7372",
        "business_purpose": "Compliance",
        "description": "Tools for\ncompliance teams",
        "partners": "First\n\n Second ",
        "customers": "Banks",
        "source_of_funds": "Revenue",
        "customer_countries": "US\nDE",
        "contact_email_address": "hello@parcha.example",
        "contact_phone_number": "+1 555 0100",
        "address_of_incorporation.street_1": "1209 Orange St",
        "address_of_incorporation.city": "Wilmington",
        "address_of_incorporation.state": "DE",
        "address_of_incorporation.postal_code": "19801",
        "address_of_incorporation.country_code": "US",
        "address_of_operation.street_1": "755 Sansome St",
        "address_of_operation.street_2": "Suite 350",
        "reference": "C-10428",
    }
    case = opened(submit(**everything))
    assert (case.reference, case.subject, case.country) == ("C-10428", "Parcha", "US")
    assert case.submitted_by == analyst
    assert case.self_attested_data == {
        "business_name": "Parcha",
        "registered_business_name": "Parcha Labs, Inc.",
        "business_registration_number": "7379553",
        "tin_number": "92-3265708",
        "incorporation_date": "2023-03-28",
        "website": "https://parcha.example",
        "industry": "Software",
        "mcc_code": "7372",
        "business_purpose": "Compliance",
        "description": "Tools for\r\ncompliance teams".replace("\r", ""),
        "partners": ["First", "Second"],
        "customers": ["Banks"],
        "source_of_funds": ["Revenue"],
        "customer_countries": ["US", "DE"],
        "contact_email_address": "hello@parcha.example",
        "contact_phone_number": "+1 555 0100",
        "address_of_incorporation": {
            "type": "Address",
            "street_1": "1209 Orange St",
            "city": "Wilmington",
            "state": "DE",
            "postal_code": "19801",
            "country_code": "US",
        },
        "address_of_operation": {
            "type": "Address",
            "street_1": "755 Sansome St",
            "street_2": "Suite 350",
        },
    }


@pytest.mark.parametrize(
    "code", ["99999", "581", "58 2", "abcd", "\u0665\u0668\u0661\u0662"]
)
def test_a_merchant_category_code_has_four_digits(submit, code):
    words = faults(submit(business_name="Parcha", mcc_code=code))
    assert "An MCC has four digits, such as 5812." in words


def test_a_person_with_a_government_id_becomes_a_case(submit):
    ident = "government_id_verification_data.id_data"
    case = opened(
        submit(
            "kyc",
            **{
                "first_name": "Amara",
                "last_name": "Okonkwo",
                "date_of_birth": "1990-02-28",
                "sex": "female",
                "country_of_nationality": "NG",
                "address.city": "Lagos",
                f"{ident}.document_type": "Passport",
                f"{ident}.expiration_date": "2099-01-01",
                f"{ident}.mrz": "P<NGAOKONKWO<<AMARA\nA12345678",
                f"{ident}.vendor_validated": "false",
                f"{ident}.vendor_data": '{"score": 0.9}',
                f"{ident}.address.city": "Abuja",
            },
        )
    )
    assert (case.kind, case.subject, case.country) == ("kyc", "Amara Okonkwo", "NG")
    assert case.self_attested_data == {
        "first_name": "Amara",
        "last_name": "Okonkwo",
        "date_of_birth": "1990-02-28",
        "sex": "female",
        "country_of_nationality": "NG",
        "address": {"type": "Address", "city": "Lagos"},
        "government_id_verification_data": {
            "id_data": {
                "document_type": "Passport",
                "expiration_date": "2099-01-01",
                "mrz": ["P<NGAOKONKWO<<AMARA", "A12345678"],
                "vendor_validated": False,
                "vendor_data": {"score": 0.9},
                "address": {"type": "Address", "city": "Abuja"},
            }
        },
    }


def test_documents_are_kept_under_their_kind(submit):
    case = opened(
        submit(
            business_name="Parcha",
            incorporation_documents=[file(name="one.pdf"), file(PNG, "two.png")],
            ein_documents=file(name="ein.pdf"),
        )
    )
    names = {(row.kind, row.file_name) for row in case.documents.all()}
    assert names == {
        (Document.Kind.INCORPORATION, "one.pdf"),
        (Document.Kind.INCORPORATION, "two.png"),
        (Document.Kind.EIN, "ein.pdf"),
    }
    assert "incorporation_documents" not in case.self_attested_data


def test_left_empty_a_reference_is_made(submit):
    assert opened(submit(business_name="Parcha")).reference.startswith("C-")


def test_a_double_click_opens_one_case(submit):
    submission = str(uuid.uuid4())
    first = submit(business_name="Parcha", submission=submission)
    again = submit(business_name="Parcha", submission=submission)
    assert first["Location"] == again["Location"]
    assert Case.objects.count() == Job.objects.count() == 1


def test_a_form_that_is_sent_again_with_other_values_opens_no_case(submit):
    """Otherwise the page shows the first case, and the person takes the correction for stored."""
    submission = str(uuid.uuid4())
    submit(business_name="Parcha", submission=submission)
    answer = submit(business_name="Parcha Two", submission=submission)
    page = answer.content.decode()
    assert "This form was already sent, with other values." in page
    assert Case.objects.get().subject == "Parcha"
    [new] = re.findall(r'name="submission" value="([^"]+)"', page)
    assert submit(business_name="Parcha Two", submission=new).status_code == 303
    assert Case.objects.count() == 2


@pytest.mark.parametrize("submission", ["", "not-a-uuid"])
def test_a_form_that_lost_its_token_still_counts(submit, submission):
    opened(submit(business_name="Parcha", submission=submission))


def test_a_taken_reference_is_a_fault_of_the_field(submit, agents):
    factories.make_case(agents["kyb"].connection, reference="C-1")
    response = submit(business_name="Parcha", reference="C-1")
    assert response.status_code == 200
    assert "Another case has this reference" in response.content.decode()
    assert Case.objects.count() == 1


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({}, "Enter a business name, a registered name or a website."),
        ({"business_name": "  "}, "Enter a business name, a registered name or a website."),
        ({"website": "ht tp:/x"}, "Website must be an address such as https://example.com."),
        ({"incorporation_date": "28.03.2023"}, "Incorporation date must be a day such as 2023-03-28."),
        ({"incorporation_date": "2023-02-30"}, "Incorporation date must be a day such as 2023-03-28."),
        ({"incorporation_date": "0001-01-01"}, "must not be after today or before 1600"),
        ({"address_of_operation.country_code": "XX"}, "Choose the country from the list."),
        ({"contact_email_address": "nobody"}, "must be an address such as name@example.com"),
        ({"business_name": "x" * 1001}, "Business name may have at most 1,000 characters."),
        ({"agent": ""}, "Choose the agent that examines the case."),
        ({"agent": "999"}, "This agent can no longer be chosen."),
        ({"agent": "'"}, "This agent can no longer be chosen."),
        ({"ein_documents": file(b"", "empty.pdf")}, "“empty.pdf” is empty."),
        ({"ein_documents": file(b"MZ\x90", "paper.pdf")}, "“paper.pdf” is not a PDF, PNG, JPEG, TIFF or HEIC file."),
    ],
)  # fmt: skip
def test_faults_are_said_in_words(submit, values, text):
    data = {} if "Enter a business name" in text else {"business_name": "Parcha"}
    assert text in faults(submit(**{**data, **values}))


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"first_name": ""}, "Enter the first name."),
        ({"last_name": ""}, "Enter the last name."),
        (
            {"date_of_birth": str(localdate() + timedelta(days=2))},
            "must not be after today",
        ),
        (
            {"government_id_verification_data.id_data.vendor_data": "[1]"},
            "must be a JSON object",
        ),
        (
            {"government_id_verification_data.id_data.vendor_data": "9" * 5000},
            "must be a JSON object",
        ),
        (
            {"government_id_verification_data.id_data.vendor_data": "[" * 5000},
            "must be a JSON object",
        ),
    ],
)
def test_faults_of_a_person_are_said_in_words(submit, values, text):
    assert text in faults(
        submit("kyc", **{"first_name": "Ann", "last_name": "Other", **values})
    )


def test_a_file_may_not_be_larger_than_the_setting(submit, settings):
    settings.MAX_DOCUMENT_BYTES = 1 << 20
    big = file(PDF + b"x" * (1 << 20), "big.pdf")
    assert "“big.pdf” is larger than 1 MB." in faults(
        submit(business_name="Parcha", ein_documents=big)
    )


def test_everything_typed_and_chosen_is_kept(submit):
    response = submit(
        business_name='Ha"lden <b>',
        description="Two\nlines",
        incorporation_date="nonsense",
        ein_documents=file(),
        **{"address_of_operation.country_code": "NO"},
    )
    text = response.content.decode()
    assert 'value="Ha&quot;lden &lt;b&gt;"' in text
    assert "Two\nlines" in text
    assert 'value="nonsense"' in text
    assert '<option value="NO" selected>' in text
    assert "The chosen files are kept" in text
    assert 'href="#id_incorporation_date"' in text
    assert 'aria-invalid="true"' in text


def test_the_only_agent_is_chosen_already(ana, agents):
    text = ana.get("/cases/new/").content.decode()
    assert (
        '<option value="">' not in text.split('name="agent"')[1].split("</select>")[0]
    )
    factories.make_agent(factories.make_connection("second"), kind="kyb")
    text = ana.get("/cases/new/").content.decode()
    assert '<option value=""' in text.split('name="agent"')[1].split("</select>")[0]


def test_agents_that_may_not_be_used_are_not_offered(ana, agents):
    Agent.objects.filter(kind="kyb").update(is_active=False)
    connection = factories.make_connection("closed", is_active=False)
    factories.make_agent(connection, kind="kyb")
    text = ana.get("/cases/new/").content.decode()
    assert "No agent examines this kind of case yet." in text
    assert "Start review" not in text


def test_without_the_permission_the_page_says_so(client, db):
    user = factories.make_user("eve")
    user.groups.clear()
    client.force_login(user)
    for response in (client.get("/cases/new/"), client.post("/cases/new/", {})):
        assert response.status_code == 403
        assert "You may not do this" in response.content.decode()


@pytest.mark.parametrize("kind", ["", "kyb", "kyc", "other"])
def test_every_field_has_a_label_and_each_kind_its_form(ana, agents, kind):
    text = ana.get("/cases/new/", {"kind": kind}).content.decode()
    assert ('name="first_name"' in text) == (kind == "kyc")
    fields = re.findall(r'<(?:input|select|textarea) [^>]*id="id_[^>]*>', text)
    assert len(fields) > 20
    for field in fields:
        [name] = re.findall(r'id="(id_[\w.]+)"', field)
        assert f'for="{name}"' in text or 'type="hidden"' in field


def test_a_reference_that_could_be_a_webhook_is_refused(submit):
    result = faults(
        submit(business_name="Northwind", reference='{"id":"1","status":"complete"}')
    )
    assert "A reference has no control characters" in result


def test_a_large_file_leaves_no_name_on_the_disk(submit, settings, tmp_path):
    """A process that is killed would leave it there, in the clear."""
    folder = tmp_path / "uploads"
    folder.mkdir()
    settings.FILE_UPLOAD_TEMP_DIR = str(folder)
    large = PDF + b"% of Quillbottom\n" * 200_000
    names: set[str] = set()

    def look(execute, sql, *rest):
        names.update(path.name for path in folder.iterdir())
        return execute(sql, *rest)

    with connection.execute_wrapper(look):
        opened(submit(business_name="Quillbottom", ein_documents=file(large)))
    assert not names
    document = Document.objects.get()
    assert document.size == len(large)
    with document.file.open() as stored:
        assert stored.read() == large
