"""The checks that ask what the installation holds: other cases, registers, addresses, documents."""

from __future__ import annotations

import base64
import uuid
from datetime import date
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from agenthub.jobs import lifecycle
from agenthub.models import AddressEntry, AddressList, AgentJob, SubjectMark
from checks import samples
from checks.attested import facts
from tests.factories import make_hub

pytestmark = pytest.mark.django_db

PERSON = {
    "first_name": "Marguerite",
    "last_name": "Oyelaran",
    "date_of_birth": "1988-04-17",
}
HIGH_STREET = {
    "street_1": "100 High Street", "city": "Leith", "postal_code": "EH6 5AB", "country_code": "GB",
}  # fmt: skip
BUSINESS = {
    "business_name": "Quillfeather Maritime Holdings Limited",
    "business_registration_number": "SC441902", "address_of_incorporation": HIGH_STREET,
}  # fmt: skip
PERSONS, BUSINESSES = "kyc.duplicate_subject", "kyb.duplicate_business"


@pytest.fixture
def hub() -> dict[str, Any]:
    return make_hub()


def run(hub, check_id: str, attested: dict[str, Any], case: str = "c1", *more: str):
    kind = check_id.partition(".")[0]
    job, _ = lifecycle.create(
        agent=hub[kind], job_id=uuid.uuid4(), check_ids=[check_id, *more],
        input_payload={f"{kind}_schema": {"id": case, "self_attested_data": attested}},
    )  # fmt: skip
    lifecycle.advance(job)
    job.refresh_from_db()
    assert job.status == "COMPLETE"
    return job.check_runs.get(check_id=check_id).result


def card(**values: str) -> dict[str, Any]:
    return {"government_id_verification_data": {"id_data": values}}


def links(result) -> list[dict[str, Any]]:
    value: list[dict[str, Any]] = result["payload"]["duplicates"]["links"]
    return value


class TestPersons:
    def test_the_first_case_has_no_other_and_its_reruns_are_none(self, hub):
        assert run(hub, PERSONS, PERSON)["verdict"] == "pass"
        assert run(hub, PERSONS, PERSON)["verdict"] == "pass"
        assert run(hub, PERSONS, PERSON, "c2")["verdict"] == "review"

    def test_a_name_that_is_alike_with_the_same_birth_date_is_linked(self, hub):
        run(hub, PERSONS, PERSON, "c1")
        run(
            hub, PERSONS, PERSON | {"first_name": "Ngozi", "last_name": "Adeyemi"}, "c2"
        )
        result = run(hub, PERSONS, PERSON | {"first_name": "Margerite"}, "c3")
        assert (result["verdict"], result["passed"]) == ("review", False)
        [link] = links(result)
        assert (link["case_id"], link["name"]) == ("c1", "Marguerite Oyelaran")
        assert {one["field"] for one in link["shared"]} == {"born", "name"}
        assert (
            run(hub, PERSONS, PERSON | {"date_of_birth": "1988-04-18"}, "c4")["verdict"]
            == "pass"
        )

    def test_one_number_under_two_names_fails(self, hub):
        first = card(document_number="XK 1234567", issuing_country="GB")
        run(hub, PERSONS, PERSON | first, "c1")
        other = {"first_name": "Teodor", "last_name": "Korbutski"}
        second = card(document_number="xk1234567", issuing_country="GB")
        result = run(hub, PERSONS, other | second, "c2")
        assert result["verdict"] == "fail"
        assert "another name" in result["explanation"]
        elsewhere = card(document_number="XK1234567", issuing_country="FR")
        assert run(hub, PERSONS, other | elsewhere, "c3")["verdict"] == "pass"

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            (
                {"phone": "+44 7400 123456"},
                {"phone": "07400 123456", "country_of_residence": "GB"},
            ),
            ({"email": "M.O@example.org"}, {"email": "m.o@example.org"}),
        ],
    )
    def test_a_shared_way_to_reach_them_is_linked(self, hub, one, other):
        run(hub, PERSONS, PERSON | one, "c1")
        someone = {"first_name": "Teodor", "last_name": "Korbutski"}
        assert run(hub, PERSONS, someone | other, "c2")["verdict"] == "review"

    def test_an_account_is_told_of_its_own_cases_alone(self, hub):
        run(make_hub(), PERSONS, PERSON, "theirs")
        assert run(hub, PERSONS, PERSON, "ours")["verdict"] == "pass"

    def test_nothing_to_go_by_is_not_a_pass(self, hub):
        result = run(hub, PERSONS, {"first_name": "Marguerite"})
        assert (result["verdict"], result["passed"]) == ("not_applicable", None)

    def test_what_is_kept_tells_nothing(self, hub):
        data = PERSON | {"email": "m.o@example.org"}
        run(hub, PERSONS, data)
        text = " ".join(SubjectMark.objects.values_list("value", flat=True))
        assert text
        assert "1988" not in text
        assert "example" not in text
        # Nor to whoever tries each date of birth, or each telephone number.
        assert not {fact.mark for fact in facts.of_person(data)} & set(text.split())
        run(hub, PERSONS, data)
        assert SubjectMark.objects.count() == 2 * len(text.split())


class TestBusinesses:
    @pytest.mark.parametrize(
        "changes",
        [
            {},
            {
                "business_name": "Quilfeather Maritime Holdings Ltd",
                "business_registration_number": "1",
            },
            {"business_name": "Acorn Ltd"},  # the same number
        ],
    )
    def test_the_same_business_is_linked(self, hub, changes):
        run(hub, BUSINESSES, BUSINESS, "c1")
        result = run(hub, BUSINESSES, BUSINESS | changes, "c2")
        assert result["verdict"] == "review"
        assert [link["case_id"] for link in links(result)] == ["c1"]

    @pytest.mark.parametrize(
        "other",
        [
            # Neighbours; a name of another country; webmail that thousands have.
            BUSINESS
            | {"business_name": "Acorn Ltd", "business_registration_number": "SC1199"},
            {
                "business_name": "Quillfeather Maritime Holdings Limited",
                "address_of_incorporation": {"country_code": "NZ"},
            },
            {"business_name": "Acorn Ltd", "website": "https://gmail.com"},
        ],
    )
    def test_another_business_is_not(self, hub, other):
        run(hub, BUSINESSES, BUSINESS | {"website": "https://gmail.com"}, "c1")
        assert run(hub, BUSINESSES, other, "c2")["verdict"] == "pass"

    def test_a_flood_of_numbers_is_cut(self, hub):
        many = BUSINESS | {
            "business_registration_number": [f"SC{n:06}" for n in range(5000)]
        }
        assert run(hub, BUSINESSES, many, "c1")["verdict"] == "pass"
        assert SubjectMark.objects.count() <= 60
        assert run(hub, BUSINESSES, many, "c2")["verdict"] == "review"


class TestAddresses:
    FILE = (
        "name,kind,street,city,postcode,country\n"
        "Leith Formations,virtual_office,100 High St,Leith,EH6 5AB,United Kingdom\n"
        "Other,registered agent,9 Dock Road,Leith,EH6 5AB,GB\n"
    )

    @pytest.fixture
    def load(self, tmp_path):
        def load(content: str = self.FILE, **values):
            (tmp_path / "agents.csv").write_text(content)
            call_command(
                "load_addresses", "agents", str(tmp_path / "agents.csv"), **values
            )

        return load

    def test_an_address_of_a_list_shows_its_row(self, hub, load):
        load(title="Agents")
        result = run(hub, "kyb.address_type", BUSINESS)
        assert result["verdict"] == "review"
        content = result["payload"]["address_type"]
        assert content["flags"] == ["listed"]
        assert content["rows"][0]["listed"]["name"] == "Leith Formations"
        next_door = {
            "address_of_operation": HIGH_STREET | {"street_1": "102 High Street"}
        }
        assert run(hub, "kyb.address_type", next_door)["verdict"] == "pass"

    def test_without_a_list_the_result_says_so(self, hub):
        result = run(hub, "kyb.address_type", BUSINESS)
        assert result["verdict"] == "pass"
        assert "were not checked" in result["explanation"]

    @pytest.mark.parametrize(
        "street", ["PO Box 12", "P.O. Box 12", "Postfach 10", "BP 55"]
    )
    def test_a_box_is_for_a_person_to_see(self, hub, street):
        boxed = {"address_of_operation": HIGH_STREET | {"street_1": street}}
        assert run(hub, "kyb.address_type", boxed)["verdict"] == "review"

    def test_an_address_of_many_businesses_shows(self, hub):
        names = ["Acorn", "Birch", "Cedar", "Dogwood", "Elder"]
        for number, name in enumerate(names):
            data = {"business_name": f"{name} Ltd", "address_of_operation": HIGH_STREET}
            assert run(hub, "kyb.address_type", data, f"c{number}")["verdict"] == "pass"
        result = run(hub, "kyb.address_type", BUSINESS, "c9")
        assert (result["verdict"], result["payload"]["address_type"]["flags"]) == (
            "review", ["shared"],
        )  # fmt: skip

    def test_a_load_takes_the_place_of_the_one_before_or_of_nothing(self, load):
        load()
        for bad, text in (
            ("name\nx\n", "no column"),
            ("street,country\n", "no address"),
            ("street,country,postcode\nNowhere,GB,1\n", "no address"),
            (self.FILE.rsplit("\n", 2)[0] + "\n", "--force"),
        ):
            with pytest.raises(CommandError, match=text):
                load(bad)
        assert (
            AddressEntry.objects.count() == AddressList.objects.get().address_count == 2
        )
        load(self.FILE.rsplit("\n", 2)[0] + "\n", force=True)
        assert AddressEntry.objects.count() == 1


class TestEnrichment:
    CHECK = "kyb.enrichment_comparison"
    REGISTER = (
        "name,country,number,street,city,postcode,status\n"
        "Quillfeather Maritime Holdings Limited,GB,SC441902,100 High Street,Leith,EH6 5AB,Active\n"
    )

    @pytest.fixture
    def register(self, tmp_path):
        (tmp_path / "own.csv").write_text(self.REGISTER)
        call_command(
            "load_registry", "own", str(tmp_path / "own.csv"), title="Our register"
        )

    def test_what_the_register_says_too_passes(self, hub, register):
        result = run(
            hub, self.CHECK, BUSINESS | {"business_registration_number": "441902"}
        )
        assert result["verdict"] == "pass", result["explanation"]
        assert result["payload"]["enrichment_comparison"]["source"] == "Our register"

    @pytest.mark.parametrize(
        ("changes", "label"),
        [
            ({"business_registration_number": "SC441903"}, "Registration number"),
            ({"business_registration_number": "NI441902"}, "Registration number"),
            (
                {"address_of_incorporation": HIGH_STREET | {"street_1": "7 Sea Lane", "postal_code": "G1 1AA"}},
                "Address",
            ),
        ],
    )  # fmt: skip
    def test_what_differs_is_shown_on_both_sides(self, hub, register, changes, label):
        result = run(hub, self.CHECK, BUSINESS | changes)
        assert result["verdict"] == "review"
        assert result["payload"]["enrichment_comparison"]["diffs"] == [label]

    def test_nobody_who_knows_it_is_not_a_pass(self, hub, register):
        data = {"business_name": "Acorn Bakery"}
        assert run(hub, self.CHECK, data)["verdict"] == "inconclusive"

    def test_the_own_cases_back_nothing(self, hub):
        run(hub, self.CHECK, BUSINESS, "c1")
        result = run(hub, self.CHECK, BUSINESS, "c2")
        assert (result["verdict"], result["passed"]) == ("not_applicable", None)

    def test_a_vendor_that_does_not_answer_is_not_a_pass(self, hub, settings):
        settings.ENRICHMENT_PROVIDER = "agenthub.enrichment.vendor.HttpVendor"
        settings.ENRICHMENT_URL = "http://127.0.0.1:9"
        result = run(hub, self.CHECK, BUSINESS)
        assert result["verdict"] == "inconclusive"
        assert "could not answer" in result["explanation"]


class TestAddressesOfAPerson:
    CHECK, PROOF = "kyc.address_consistency", "kyc.proof_of_address_verification"

    def test_the_proof_of_address_of_the_same_job_counts(self, hub):
        sample = samples.utility_bill(dated=date.today())  # noqa: DTZ011
        address = next(v for k, v in sample.attested.items() if k.startswith("address"))
        file = {
            "b64_document": base64.b64encode(sample.content).decode(), "file_name": "bill.pdf",
        }  # fmt: skip
        payload = {
            "address": address,
            "first_name": "A",
            "proof_of_address_documents": [file],
        }
        result = run(hub, self.CHECK, payload, "c1", self.PROOF)
        content = result["payload"]["address_consistency"]
        assert [row["label"] for row in content["rows"]] == ["Proof of address"]
        assert result["verdict"] == "pass", result["explanation"]
        assert content["rows"][0]["scores"]["postal_code"] == "same"
        # Run again alone, it rests on what was read before of this very document.
        assert run(hub, self.CHECK, payload, "c1")["verdict"] == "pass"
        another = payload | {
            "proof_of_address_documents": [file | {"file_name": "other.pdf"}]
        }
        for data, case in ((payload, "c2"), (another, "c1")):
            alone = run(hub, self.CHECK, data, case)
            assert (alone["verdict"], alone["passed"]) == ("inconclusive", False)

    @pytest.mark.parametrize(
        ("on_id", "verdict"),
        [
            ({}, "pass"),
            ({"street_1": "100 High St."}, "pass"),
            ({"street_1": "102 High Street"}, "review"),
            ({"postal_code": "EH6 5AC"}, "review"),
            (
                {"street_1": "7 Sea Lane", "city": "Oban", "postal_code": "PA34 4AA"},
                "review",
            ),
        ],
    )
    def test_the_address_on_the_id_is_held_against_it(self, hub, on_id, verdict):
        data = {"address": HIGH_STREET} | card(address=HIGH_STREET | on_id)
        assert run(hub, self.CHECK, data)["verdict"] == verdict

    def test_one_source_alone_is_not_a_pass(self, hub):
        assert (
            run(hub, self.CHECK, {"address": HIGH_STREET})["verdict"]
            == "not_applicable"
        )
        assert run(hub, self.CHECK, {})["verdict"] == "not_applicable"


def test_an_agent_that_names_no_checks_visits_nothing_unless_it_may(hub, settings):
    agent = hub["kyb"]
    agent.checks = []
    agent.save()
    data = BUSINESS | {"website": "https://quillfeather.example"}
    for may in (False, True):
        settings.WEBSITE_VISITS = may
        job, _ = lifecycle.create(
            agent=agent, job_id=uuid.uuid4(),
            input_payload={"kyb_schema": {"id": f"c{may}", "self_attested_data": data}},
        )  # fmt: skip
        lifecycle.advance(job)
        ran = set(
            AgentJob.objects.get(pk=job.pk).check_runs.values_list(
                "check_id", flat=True
            )
        )
        assert ("kyb.web_presence_check" in ran) is may
        assert {
            "kyb.duplicate_business",
            "kyb.address_type",
            "kyb.enrichment_comparison",
        } <= ran


class TestEarlierCases:
    """Those that were made before there were marks, or by an agent that did not run the check."""

    def add_cases(self, hub, count: int) -> None:
        for number in range(count):
            run(hub, PERSONS, PERSON, f"c{number}")
        SubjectMark.objects.all().delete()

    def test_an_earlier_case_is_found_once_it_is_marked(self, hub, capsys):
        self.add_cases(hub, 1)
        assert run(hub, PERSONS, PERSON, "new")["verdict"] == "pass"
        call_command("mark_subjects")
        assert "Cases marked: 1. None is left." in capsys.readouterr().out
        names = {link["case_id"] for link in links(run(hub, PERSONS, PERSON, "newer"))}
        assert names == {"c0", "new"}

    def test_it_is_bounded_and_goes_on_where_it_stopped(self, hub, capsys):
        self.add_cases(hub, 5)
        reached = []
        for _ in range(3):
            call_command("mark_subjects", "--limit", "2")
            reached.append(SubjectMark.objects.values("case_id").distinct().count())
        assert reached == [2, 4, 5]
        call_command("mark_subjects", "--after", "0")
        assert "Cases marked: 0. None is left." in capsys.readouterr().out

    def test_the_latest_job_of_a_case_alone_is_marked(self, hub):
        run(hub, PERSONS, PERSON | {"email": "old@example.com"}, "c1")
        run(hub, PERSONS, PERSON, "c1")
        SubjectMark.objects.all().delete()
        call_command("mark_subjects")
        latest = AgentJob.objects.order_by("-pk")[0]
        assert {row.job_id for row in SubjectMark.objects.all()} == {latest.pk}

    def test_cases_of_an_agent_without_the_check_stay_unmarked(self, hub):
        run(hub, "kyc.email_check", PERSON, "c1")
        call_command("mark_subjects")
        assert not SubjectMark.objects.exists()
