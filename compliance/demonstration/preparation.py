"""Demonstration data: users, an account of the hub, a connection to it, and sample cases."""

from __future__ import annotations

import json
import secrets
import tempfile
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import time_machine
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.files.base import ContentFile
from django.db import transaction
from django.utils.timezone import now

from agenthub.accounts.permissions import HUB_ADMINISTRATOR
from agenthub.screening import catalogue, loading, sample_lists
from checks import samples
from compliance.demonstration import history
from compliance.demonstration.customers import Customer, Trait
from compliance.setup import embedded
from compliance.storage import atomic_files
from compliance.work import queues
from reviews.access import roles
from reviews.decisions.automatic import trials as policy_trials
from reviews.decisions.policies import versions as policy_versions
from reviews.intake import cases, sample_cases
from reviews.models import (
    Agent,
    Case,
    Connection,
    Document,
    Kind,
)
from reviews.procedures import checklists, versions
from reviews.procedures.content import Content, FieldSpec, Item

USERS = {
    "ana": roles.ANALYST,
    "sven": roles.SENIOR,
    "ada": roles.ADMINISTRATOR,
    "runa": roles.RULE_OWNER,
    "otto": roles.AUDITOR,
    "hana": HUB_ADMINISTRATOR,
}
# Django's admin asks for staff status. The accounts of the hub have their pages there.
STAFF = {roles.ADMINISTRATOR, HUB_ADMINISTRATOR}
# Colleagues who decided cases in the past. They have no password, so nobody can sign in as them.
COLLEAGUES = ("mara", "tomas")
# How long ago the installation was set up, and when its first customer came.
SET_UP, FIRST_CUSTOMER = timedelta(days=201), timedelta(days=200)


def prepare(days: int) -> str:
    """Create the demonstration data once, and write demo.json. Returns a text for the terminal.

    `days`: the number of days before today that have decided cases.
    """
    path = settings.VAR_DIR / "demo.json"
    if path.exists():
        demo = json.loads(path.read_text())
    else:
        demo = _make(days)
    _set_addresses(demo)
    _write(path, demo)
    return _text(demo, path)


def add(count: int) -> None:
    """Add `count` cases, to show a long queue."""
    sample_cases.create(count)


@transaction.atomic
def _make(days: int) -> dict[str, object]:
    """Create all data. The past comes first, so that the audit trail is in the order of time."""
    present = now()
    with time_machine.travel(present - SET_UP):
        users = [_user(name, role) for name, role in USERS.items()]
        service = embedded.connect("Demo")
        _lists()
        _procedure(User.objects.get(username="ada"))
    agents = service.agents
    _history(agents[Kind.KYC], present, days)
    _cases(User.objects.get(username="ana"), agents)
    _decision_policy(User.objects.get(username="ada"))
    _begin_now(present)
    return {
        "users": users,
        "account": {
            "api_key": service.api_key,
            "webhook_secret": service.webhook_secret,
            "agents": {kind.value: agent.agent_key for kind, agent in agents.items()},
        },
        "connection": {"slug": service.connection.slug},
    }


def _begin_now(present: datetime) -> None:
    """Make the work that the past left due from now on: /health/ready would call it late."""
    for queue in queues.registered().values():
        rows = queue.model._default_manager.filter(due_at__lt=present)
        rows.update(due_at=present)


def _history(agent: Agent, present: datetime, days: int) -> None:
    """Create the decided cases.

    They are an old customer whose passport has expired since, people who are or seem to be on the
    lists of the demonstration, and the customers of the last `days` days.
    """
    analysts = [User.objects.get(username="ana")]
    for name in COLLEAGUES:
        colleague = User.objects.create_user(name)
        colleague.groups.set(Group.objects.filter(name=roles.ANALYST))
        analysts.append(colleague)
    senior = User.objects.get(username="sven")
    past = history.History(history.Desk(agent, analysts, senior))
    expired_on = present.date() - timedelta(days=1)
    card = {
        "document_type": "passport",
        "issuing_country": "NO",
        "expiration_date": expired_on.isoformat(),
    }
    data = {**_CUSTOMER, "government_id_verification_data": {"id_data": card}}
    past.add(present - FIRST_CUSTOMER, Customer(data, "plain"))
    for number, (data, reason) in enumerate(_SCREENED):
        day = present.date() - timedelta(days=26 - 3 * number)
        trait: Trait = "namesake" if reason else "listed"
        past.add(past.moment_on(day), Customer(data, trait, reason))
    past.add_days(present, days)
    past.make(present)


def _user(name: str, role: str) -> dict[str, str]:
    password = secrets.token_urlsafe(12)
    is_administrator = role == roles.ADMINISTRATOR
    user = User.objects.create_user(name, password=password, is_staff=role in STAFF)
    groups = {role}
    if is_administrator:
        # One person manages everything in the demo. She makes no decisions, and what needs a second rule
        # owner waits for runa.
        groups |= {roles.RULE_OWNER, HUB_ADMINISTRATOR}
    user.groups.set(Group.objects.filter(name__in=groups))
    return {"username": name, "password": password, "role": role}


def _lists() -> None:
    """Load fictional lists, in the same way as real ones."""
    sanctions = sample_lists.ofac_sdn_xml(now().date())
    political = sample_lists.political_csv()
    adverse = sample_lists.adverse_csv()
    lists = (
        ("demo_sanctions", "Demo sanctions", "ofac_sdn_xml", sanctions, "sanction"),
        ("demo_political", "Demo PEPs", "generic_csv", political, "role.pep"),
        ("demo_adverse", "Demo adverse", "generic_csv", adverse, "crime"),
    )
    with tempfile.TemporaryDirectory() as folder:
        for slug, title, form, content, topic in lists:
            path = Path(folder) / slug
            path.write_bytes(content)
            source = catalogue.source(
                slug, title=title, format=form, topics=[topic], max_age_days=3650
            )
            loading.load(source, path)


def _procedure(owner: User) -> None:
    """A procedure: questions and checklist in addition to the checks, for one kind of case."""
    version = versions.draft(
        actor=owner, kind=Kind.KYC, content=_PROCEDURE, note="The first version."
    )
    versions.make_live(version, actor=owner)


def _decision_policy(owner: User) -> None:
    """A draft policy, which a worker tries on existing decisions. It is not in effect."""
    draft = policy_versions.draft(
        actor=owner,
        content=_DECISIONS,
        note="Clean cases of low risk need nobody; high risk is for seniors.",
    )
    policy_trials.begin(draft, actor=owner)


def _begin_checklist(case: Case, analyst: User) -> None:
    """Start the checklist of one case. The other cases stay untouched."""
    checklists.mark(case, "purpose_known", actor=analyst, kind="ticked")
    checklists.mark(
        case,
        "adverse_media",
        actor=analyst,
        kind="explained",
        note="The lists were enough.",
    )
    values = {
        "purpose": "Salary account",
        "monthly_volume": 4200,
        "met_in_person": True,
    }
    checklists.fill(case, actor=analyst, values=values)


def _cases(analyst: User, agents: Mapping[Kind, Agent]) -> None:
    """Sample cases, submitted as by the form: their jobs are sent once the hub is running."""
    business = agents[Kind.KYB]
    person = agents[Kind.KYC]
    # Bills are accepted for three months, so this one is too old.
    too_old = now().date() - timedelta(days=200)
    documents = (
        (Document.Kind.INCORPORATION, samples.good_certificate()),
        (Document.Kind.INCORPORATION, samples.edited_certificate()),
        (Document.Kind.INCORPORATION, samples.scanned_certificate()),
        (Document.Kind.EIN, samples.ein_letter()),
        (Document.Kind.ADDRESS, samples.utility_bill(dated=too_old)),
        (Document.Kind.OWNERSHIP, samples.register_of_members()),
    )
    for kind, sample in documents:
        address = sample.attested.get("address_of_incorporation", {})
        file = ContentFile(sample.content, name=sample.file_name)
        country = address.get("country_code", "")
        _submit(
            analyst,
            business,
            sample.attested,
            country=country,
            documents=[(kind, file)],
        )
    people = [
        _submit(analyst, person, data, country=data["country_of_residence"])
        for data in _PEOPLE
    ]
    _begin_checklist(people[0], analyst)
    _submit(analyst, business, _LISTED_BUSINESS, country="AE")


def _submit(
    analyst: User,
    agent: Agent,
    data: dict[str, object],
    *,
    country: str,
    documents: Sequence[tuple[Document.Kind, ContentFile[bytes]]] = (),
) -> Case:
    return cases.submit(
        actor=analyst,
        agent=agent,
        subject=cases.subject_of(data),
        country=country,
        data=data,
        documents=documents,
    )


def _person(first: str, last: str, born: str, nation: str) -> dict[str, object]:
    return {
        "first_name": first,
        "last_name": last,
        "date_of_birth": born,
        "country_of_nationality": nation,
        "country_of_residence": nation,
    }


# The mandatory item blocks each decision of a person's case, a rejection too, until somebody ticks
# or explains it. So it states what was done, and not how it came out.
_DECISIONS = {
    "rules": [
        {"band": "low", "automatic": "clean", "sample": 10},
        {"band": "high", "senior": ["approve"], "second": ["approve"], "sample": 20},
        {"band": "", "checklist": True, "sample": 5},
    ]
}
_PROCEDURE = Content(
    fields=(
        FieldSpec(
            "purpose",
            "Purpose of the account",
            "choice",
            choices=("Salary account", "Savings", "Self-employed business"),
        ),
        FieldSpec("monthly_volume", "Expected volume a month, EUR", "number"),
        FieldSpec("met_in_person", "Met in person", "yes_no"),
    ),
    items=(
        Item(
            "purpose_known",
            "The purpose of the account was looked at",
            required=True,
            help="Whether it fits the occupation and the expected volume.",
        ),
        Item("adverse_media", "Searched in the press of the country of residence"),
    ),
)
_CUSTOMER: dict[str, object] = {
    "first_name": "Ragnhild",
    "last_name": "Aasgaard",
    "date_of_birth": "1975-09-30",
    "country_of_nationality": "NO",
    "country_of_residence": "NO",
}
# (attested data, why the hit is another person; empty: the hit is the applicant).
_SCREENED: tuple[tuple[dict[str, object], str], ...] = (
    (_person("Teodor", "Korbutsky", "1961-03-14", "BY"), ""),
    (
        _person("Marisol", "Quintero", "1980-02-08", "ES"),
        "Born in another year, and no Venezuelan.",
    ),
    (
        _person("Olena", "Hnatyshchenko", "", "UA"),
        "No father's name, and another city of birth.",
    ),
    (_person("Рашид", "Аль-Тамани", "1974-09-02", "IQ"), ""),
    (_person("Henrik", "Moreau", "", "FR"), "A French baker, born in Lille in 1991."),
    (_person("رشيد عبد الكريم", "التماني", "1974-09-02", "IQ"), ""),
    (_person("Babrak", "Zadrani", "", "AF"), "The photograph shows a man of thirty."),
    (_person("Chol Nam", "Ryang", "1968-05-01", "KP"), ""),
)
# A person without hits; one with a possible hit; one listed: name, birth date, nationality agree.
_PEOPLE: tuple[dict[str, Any], ...] = (
    {
        "first_name": "Marguerite",
        "last_name": "Oyelaran",
        "date_of_birth": "1988-04-17",
        "country_of_nationality": "NG",
        "country_of_residence": "GB",
        "email": "marguerite.oyelaran@example.com",
        "government_id_verification_data": {
            "id_data": {
                "document_type": "passport",
                "issuing_country": "NG",
                "mrz": [
                    "P<NGAOYELARAN<<MARGUERITE<<<<<<<<<<<<<<<<<<<",
                    "A044178237NGA8804178F3406119<<<<<<<<<<<<<<00",
                ],
            }
        },
    },
    {
        "first_name": "Marisol",
        "last_name": "Quintero",
        "country_of_nationality": "ES",
        "country_of_residence": "ES",
        "date_of_birth": "1980-02-08",
    },
    {
        "first_name": "Teodor",
        "last_name": "Korbutski",
        "date_of_birth": "1961-03-14",
        "country_of_nationality": "BY",
        "country_of_residence": "CY",
    },
)
# The number belongs to a listed company with another name. The business has two levels of owners,
# and one of the owners behind its holding is listed, too.
_LISTED_BUSINESS: dict[str, object] = {
    "business_name": "Coral Tern Logistics FZE",
    "business_registration_number": "CN 4471902",
    "address_of_incorporation": {"city": "Sharjah", "country_code": "AE"},
    "owners": [
        {
            "business_name": "Tern Harbour Holdings Ltd",
            "registration_number": "HE 402117",
            "country_code": "CY",
            "ownership_percentage": 75,
            "owners": [
                {
                    "first_name": "Teodor",
                    "last_name": "Korbutski",
                    "date_of_birth": "1961-03-14",
                    "nationality": "BY",
                    "ownership_percentage": 80,
                },
                {
                    "first_name": "Annika",
                    "last_name": "Solbakken",
                    "date_of_birth": "1979-11-02",
                    "nationality": "NO",
                    "ownership_percentage": 20,
                },
            ],
        },
        {
            "first_name": "Rashid",
            "last_name": "Almarri",
            "date_of_birth": "1972-06-21",
            "nationality": "AE",
            "ownership_percentage": 25,
        },
    ],
}


def _set_addresses(demo: dict[str, Any]) -> None:
    """Update the URLs: the data may have been created with another port."""
    slug = demo["connection"]["slug"]
    demo["desk_url"] = settings.DESK_URL
    demo["hub_url"] = f"{settings.DESK_URL}/api/v1"
    demo["connection"]["webhook_url"] = f"{settings.DESK_URL}/webhooks/{slug}/"
    for connection in Connection.objects.filter(slug=slug):
        connection.base_url = f"{settings.CALLBACK_URL}/api/v1"
        connection.save(update_fields=["base_url"])


def _write(path: Path, demo: dict[str, object]) -> None:
    order = ("desk_url", "hub_url", "users", "account", "connection")
    content = json.dumps({key: demo[key] for key in order}, indent=1)
    # It contains passwords and keys, so only its owner may read it (mode 600).
    atomic_files.replace(path, [content.encode()])


def _text(demo: dict[str, Any], path: Path) -> str:
    users = ""
    for user in demo["users"]:
        users += f"  {user['role']:17} {user['username']:6} {user['password']}\n"
    account = demo["account"]
    return (
        f"\nDesk      {demo['desk_url']}/\n{users}"
        f"Admin     {demo['desk_url']}/admin/  (the administrator)\n"
        f"Hub       {demo['hub_url']}  with API key {account['api_key']}\n"
        f"          agents: {', '.join(account['agents'].values())}\n"
        f"Webhooks  {demo['connection']['webhook_url']}\n"
        f"          signed with {account['webhook_secret']}\n"
        f"Kept in   {path}\n"
        f"Cases     {Case.objects.count()}\n"
    )
