"""How much somebody may send: requests of an address, large bodies, and what one brings in a day."""

from __future__ import annotations

import base64
import json
import uuid

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from agenthub.accounts import api_keys
from agenthub.models import Account
from compliance.http.limits import quotas
from reviews.access import api_tokens
from reviews.intake import information_requests
from reviews.models import ApiToken, Case
from tests.compliance.http.test_edges import status_of
from tests.factories import make_agent, make_case, make_connection, make_user
from tests.reviews.applicant_links import open_link

MOMENT = 1_800_000_000
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(MOMENT, tick=False) as travelling:
        yield travelling


class TestAddress:
    @pytest.fixture(autouse=True)
    def rate(self, settings):
        settings.ADDRESS_RATE = 5

    @pytest.mark.parametrize(
        ("method", "path", "headers"),
        [
            ("GET", "/login/", {}),
            ("GET", "/requests/1:wrong/", {}),
            ("GET", "/nothing/", {}),
            ("GET", "/documents/00000000-0000-0000-0000-000000000000/file/x/", {}),
            ("GET", "/api/desk/v1/me", {"Authorization": "Bearer desk_wrong"}),
            ("GET", "/api/v1/getJobBatches", {"Authorization": "Bearer ck_live_wrong"}),
            ("GET", "/api/v1/batches/wrong", {}),
            ("GET", "/scim/v2/Users", {"Authorization": "Bearer scim_wrong"}),
            ("POST", "/webhooks/hub/", {}),
            ("POST", "/webhooks/none/", {}),
            ("POST", "/csp-reports/", {}),
            ("GET", "/account/password/reset/key/1-abc-def/", {}),
        ],
    )
    def test_who_proves_nothing_is_refused_before_anything_is_asked(
        self, client, clock, method, path, headers, django_assert_num_queries
    ):
        make_connection()
        for _ in range(5):
            answer = client.generic(method, path, headers=headers)
            assert answer.status_code != 429, answer.content
        with django_assert_num_queries(0):
            answer = client.generic(method, path, headers=headers)
        assert answer.status_code == 429
        assert answer["Retry-After"] == "21" or int(answer["Retry-After"]) <= 61
        assert "Too many requests" in answer.json()["message"]
        # Health is asked for all the time, and others are not concerned.
        assert client.get("/health/live").status_code == 200
        other = client.generic(method, path, headers=headers, REMOTE_ADDR="203.0.113.9")
        assert other.status_code != 429
        clock.shift(61)
        assert client.generic(method, path, headers=headers).status_code != 429

    def test_who_is_known_is_not_counted(self, client):
        user = make_user()
        client.force_login(user)
        _, raw = api_tokens.create(
            actor=user, user=user, name="x", scopes=["cases:read"]
        )
        header = {"Authorization": f"Bearer {raw}"}
        for _ in range(10):
            assert client.get("/").status_code == 200
            assert Client(headers=header).get("/api/desk/v1/me").status_code == 200
            assert Client(headers=header).get("/api/desk/v1/cases/0").status_code == 404

    def test_a_claim_of_another_address_counts_for_the_sender(self, client):
        make_user()
        statuses = []
        for number in range(7):
            headers = {"X-Forwarded-For": f"198.51.100.{number}"}
            statuses.append(client.get("/login/", headers=headers).status_code)
        assert statuses == [200] * 5 + [429] * 2

    def test_behind_a_declared_proxy_each_caller_counts_alone(self, client, settings):
        make_user()
        settings.TRUSTED_PROXIES = ["127.0.0.0/8"]
        for number in range(7):
            headers = {"X-Forwarded-For": f"198.51.100.{number}"}
            assert client.get("/login/", headers=headers).status_code == 200


LARGE = b"x" * 70_000


@pytest.mark.django_db(transaction=True)
class TestBodies:
    def cookie(self, key: str, settings) -> list[tuple[bytes, bytes]]:
        return [(b"cookie", f"{settings.SESSION_COOKIE_NAME}={key}".encode())]

    def test_a_cookie_that_is_none_takes_no_large_body(self, settings, client):
        assert status_of("/cases/new/", LARGE, LARGE, headers=self.cookie("x" * 32, settings)) == 413  # fmt: skip
        client.force_login(make_user())
        key = client.session.session_key
        assert status_of("/cases/new/", LARGE, LARGE, headers=self.cookie(key, settings)) == 413  # fmt: skip
        cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
        assert status_of("/cases/new/", LARGE, LARGE, headers=self.cookie(cookie, settings)) == 200  # fmt: skip

    def test_nor_does_a_key_that_is_none(self):
        for path in ("/api/v1/startKYBAgentJob", "/api/desk/v1/cases"):
            wrong = [(b"authorization", b"Bearer ck_live_wrong")]
            assert status_of(path, LARGE, LARGE, headers=wrong) == 413
        _, raw = api_keys.create(Account.objects.create(name="a"))
        right = [(b"authorization", f"Bearer {raw}".encode())]
        assert status_of("/api/v1/startKYBAgentJob", LARGE, LARGE, headers=right) == 200

    def test_nor_does_a_link_that_is_none(self):
        assert status_of("/requests/1:wrong/", LARGE, LARGE) == 413
        case = make_case()
        row = information_requests.create(
            case, actor=make_user(), message="x", kinds=[]
        )
        browser = Client()
        path = open_link(browser, information_requests.address(row))
        [(name, morsel)] = browser.cookies.items()
        right = [(b"cookie", f"{name}={morsel.value}".encode())]
        assert status_of(path, LARGE, LARGE) == 413
        assert status_of("/requests/open/", LARGE, LARGE, headers=right) == 413
        assert status_of(path, LARGE, LARGE, headers=right) == 200
        information_requests.end(case, actor=row.made_by)
        assert status_of(path, LARGE, LARGE, headers=right) == 413

    def test_behind_a_proxy_the_same_rule_holds(self, client, settings):
        client.cookies[settings.SESSION_COOKIE_NAME] = "x" * 32
        file = SimpleUploadedFile("a.pdf", b"x" * 200_000)
        answer = client.post("/cases/new/", {"articles": file})
        assert answer.status_code == 413
        assert client.post("/nothing/", {"a": "x" * 100_000}).status_code == 413


class TestQuotas:
    def test_jobs_of_an_account(self, client, settings):
        settings.QUOTAS = {**settings.QUOTAS, ("account", "jobs"): 2}
        account = Account.objects.create(name="a")
        _, raw = api_keys.create(account)
        account.agents.create(kind="kyb", key="k", name="k")
        browser = Client(headers={"Authorization": f"Bearer {raw}"})

        def start():
            body = {
                "agent_key": "k",
                "job_id": str(uuid.uuid4()),
                "kyb_schema": {
                    "id": str(uuid.uuid4()),
                    "self_attested_data": {"business_name": "Northwind Ltd"},
                },
            }
            return browser.post(
                "/api/v1/startKYBAgentJob", json.dumps(body), "application/json"
            )

        answers = [start() for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 429, 429]
        assert "2 jobs a day" in answers[-1].json()["message"]
        assert int(answers[-1]["Retry-After"]) > 0
        assert quotas.used(quotas.ACCOUNT, account.pk)["jobs"] == (2, 2)

    def test_what_is_refused_counts_nothing(self, client):
        account = Account.objects.create(name="a")
        _, raw = api_keys.create(account)
        account.agents.create(kind="kyb", key="k", name="k")
        browser = Client(headers={"Authorization": f"Bearer {raw}"})
        schema = {"id": "c", "self_attested_data": {"business_name": "Northwind Ltd"}}

        def status(endpoint, **body):
            content = json.dumps({"agent_key": "k", **body})
            path = f"/api/v1/{endpoint}"
            return browser.post(path, content, "application/json").status_code

        assert status("startKYBAgentJob", kyb_schema=schema, check_ids=["kyb.no"]) == 400  # fmt: skip
        encoded = base64.b64encode(b"MZ no document").decode()
        assert status("uploadB64Document", b64_document=encoded) == 400
        assert quotas.used(quotas.ACCOUNT, account.pk)["jobs"][0] == 0
        assert quotas.used(quotas.ACCOUNT, account.pk)["files"][0] == 0
        batch = {"kyb_schemas": [schema], "batch_id": str(uuid.uuid4())}
        assert status("enqueueKybSchemas", **batch) == 200
        assert status("enqueueKybSchemas", **batch) == 409
        assert quotas.used(quotas.ACCOUNT, account.pk)["jobs"][0] == 1

    def test_a_run_that_does_not_begin_counts_nothing(self, client):
        user = make_user()
        client.force_login(user)
        agent = make_agent(make_connection())
        case = make_case(
            agent.connection, agent=agent, submitted_by=user, status="to_review"
        )
        for _ in range(3):
            client.post(f"/cases/{case.pk}/run-again/")
        assert Case.objects.get().jobs.count() == 1
        assert quotas.used(quotas.USER, user.pk)["jobs"][0] == 1

    @pytest.mark.parametrize("endpoint", ["enqueueKybSchemas", "enqueueFromCSV"])
    def test_a_batch_counts_its_jobs_and_nothing_else(self, client, settings, endpoint):
        settings.QUOTAS = {**settings.QUOTAS, ("account", "jobs"): 3}
        account = Account.objects.create(name="a")
        _, raw = api_keys.create(account)
        account.agents.create(kind="kyb", key="k", name="k")
        browser = Client(headers={"Authorization": f"Bearer {raw}"})
        names = ["One Ltd", "Two Ltd", "Three Ltd"]
        schemas = []
        for number, name in enumerate(names):
            data = {"business_name": name}
            schemas.append({"id": f"c-{number}", "self_attested_data": data})
        body = {"agent_key": "k", "kyb_schemas": schemas}
        if endpoint == "enqueueFromCSV":
            lines = ["id,business_name"]
            lines += [f"c-{number},{name}" for number, name in enumerate(names)]
            body = {"agent_key": "k", "csv": "\n".join(lines)}

        def send():
            content = json.dumps(body)
            return browser.post(f"/api/v1/{endpoint}", content, "application/json")

        assert send().status_code == 200
        assert account.jobs.count() == 3
        assert quotas.used(quotas.ACCOUNT, account.pk)["jobs"] == (3, 3)
        # Nothing is left: no row is refused for good, the whole is sent again tomorrow.
        assert send().status_code == 429

    def test_jobs_of_a_person_on_pages(self, client, settings):
        settings.QUOTAS = {**settings.QUOTAS, ("user", "jobs"): 0 + 1}
        user = make_user()
        client.force_login(user)
        agent = make_agent(make_connection())
        case = make_case(
            agent.connection, agent=agent, submitted_by=user, status="to_review"
        )
        quotas.take(quotas.USER, user.pk, jobs=1)
        answer = client.post(f"/cases/{case.pk}/run-again/")
        assert answer.status_code == 429
        assert "1 jobs a day" in answer.content.decode()
        assert int(answer["Retry-After"]) > 0
        assert Case.objects.get().jobs.count() == 0

    def test_a_token_has_limits_of_its_own(self, settings):
        settings.QUOTAS = {**settings.QUOTAS, ("token", "jobs"): 1}
        user = make_user()
        agent = make_agent(make_connection())
        case = make_case(agent.connection, agent=agent, submitted_by=user)
        statuses = []
        for _ in range(2):
            _, raw = api_tokens.create(
                actor=user, user=user, name="x", scopes=["cases:submit"]
            )
            browser = Client(headers={"Authorization": f"Bearer {raw}"})
            # The second is refused because a job is under way: it takes nothing of the limit.
            for is_free in (True, False, True):
                if is_free:
                    case.jobs.update(status="complete")
                    Case.objects.update(status="to_review")
                answer = browser.post(
                    f"/api/desk/v1/cases/{case.pk}/jobs", b"{}", "application/json"
                )
                statuses.append(answer.status_code)
                if len(statuses) in {2, 5}:
                    [token] = ApiToken.objects.filter(name="x").order_by("-pk")[:1]
                    assert quotas.used(quotas.TOKEN, token.pk)["jobs"] == (1, 1)
        assert statuses == [201, 409, 429] * 2
        # What was refused at the limit was not begun.
        assert case.jobs.count() == 2

    @pytest.mark.parametrize("owner", ["token", "user"])
    def test_a_repeated_submission_is_found_at_the_limit(self, settings, owner):
        settings.QUOTAS = {**settings.QUOTAS, (owner, "jobs"): 1}
        user = make_user()
        agent = make_agent(make_connection())
        _, raw = api_tokens.create(
            actor=user, user=user, name="x", scopes=["cases:submit", "cases:read"]
        )
        browser = Client(headers={"Authorization": f"Bearer {raw}"})

        def submit(submission, **members):
            draft = {
                "agent": agent.pk,
                "submission": submission,
                "self_attested_data": {"business_name": "Northwind Ltd"},
                **members,
            }
            content = json.dumps(draft)
            return browser.post("/api/desk/v1/cases", content, "application/json")

        # A reference that is taken opens no case, and takes nothing of the limit.
        make_case(agent.connection, agent=agent, submitted_by=user, reference="taken")
        refused = submit(str(uuid.uuid4()), reference="taken")
        assert refused.status_code == 409, refused.content
        submission = str(uuid.uuid4())
        first = submit(submission)
        assert first.status_code == 201, first.content
        # The answer was lost, and the client sends the same again.
        second = submit(submission)
        assert second.status_code == 201, second.content
        assert second.json()["id"] == first.json()["id"]
        assert submit(str(uuid.uuid4())).status_code == 429
        assert Case.objects.count() == 2
        assert quotas.used(quotas.USER, user.pk)["jobs"][0] == 1
        token = ApiToken.objects.get()
        assert quotas.used(quotas.TOKEN, token.pk)["jobs"][0] == 1

    def test_bytes_of_a_person(self, client, settings):
        settings.QUOTAS = {**settings.QUOTAS, ("user", "bytes"): 3 << 20}
        client.force_login(make_user())
        file = b"%PDF-1.4" + b"x" * (2 << 20)
        statuses = []
        for _ in range(2):
            data = {"articles_of_incorporation": SimpleUploadedFile("a.pdf", file)}
            statuses.append(client.post("/cases/new/", data).status_code)
        assert statuses[0] != 429
        assert statuses[1] == 429

    def test_administrators_see_what_was_used(self, client):
        ada = make_user("ada", role="administrator", is_staff=True)
        quotas.take(quotas.USER, ada.pk, files=7)
        client.force_login(ada)
        page = client.get("/admin/auth/user/").content.decode()
        assert "7 of 20,000 files, 0 of 50,000 MiB, 0 of 20,000 jobs" in page
        account = Account.objects.create(name="a")
        quotas.take(quotas.ACCOUNT, account.pk, jobs=3)
        client.force_login(make_user("huber", role="hub administrator"))
        page = client.get(f"/hub/accounts/{account.pk}/").content.decode()
        assert "3 of 500,000 jobs" in page

    def test_nothing_is_counted_of_what_is_refused(self, settings):
        settings.QUOTAS = {
            **settings.QUOTAS,
            ("user", "files"): 10,
            ("user", "jobs"): 1,
        }
        with pytest.raises(quotas.QuotaError):
            quotas.take(quotas.USER, 1, files=5, jobs=2)
        assert quotas.used(quotas.USER, 1)["files"][0] == 0

    def test_uploads_at_a_time(self, settings):
        settings.UPLOADS_AT_A_TIME = 1
        with quotas.upload("a"):
            with pytest.raises(quotas.QuotaError), quotas.upload("a"):
                raise AssertionError
            with quotas.upload("b"):
                pass
        with quotas.upload("a"):
            pass

    def test_the_next_day_begins_with_nothing(self, settings, clock):
        settings.QUOTAS = {**settings.QUOTAS, ("user", "jobs"): 1}
        quotas.take(quotas.USER, 1, jobs=1)
        clock.shift(86_400)
        quotas.take(quotas.USER, 1, jobs=1)
