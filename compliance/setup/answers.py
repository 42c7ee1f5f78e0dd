"""What the set-up page asks for, without anything that a side that is off would lack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import models
from django.utils.translation import gettext_lazy


class ServiceChoice(models.TextChoices):
    """Which service examines the cases of the desk."""

    HUB = "hub", gettext_lazy("The embedded hub")
    ELSEWHERE = "elsewhere", gettext_lazy("A service elsewhere")
    LATER = "later", gettext_lazy("Choose later")


@dataclass(frozen=True)
class ExternalService:
    """A service elsewhere, as its operator describes it. The last three may be empty."""

    name: str
    address: str
    api_key: str
    webhook_secret: str
    business_agent: str
    person_agent: str


@dataclass(frozen=True)
class Answers:
    """The answers of the set-up page. `lists` are slugs of well-known lists."""

    username: str
    full_name: str
    email: str
    password: str
    organisation: str
    reviews_cases: bool
    connects_hub: bool
    external_service: ExternalService | None
    sample_cases: bool
    lists: Sequence[str]
