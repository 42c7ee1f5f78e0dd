"""Every word on a page is marked for translation, or is data.

The pages are asked for in a language that puts each text between two signs: what stands outside of
them is nobody's to translate.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.apps import apps
from django.db import models
from django.template.autoreload import reset_loaders
from django.utils.translation import trans_real

from compliance.models import LocalePreference
from compliance.templatetags import shell
from papers import countries
from reviews.access import roles
from reviews.results import words
from reviews.results.sentences import display
from reviews.templatetags import desk
from reviews.templatetags import reviews as desk_marks
from tests.permissions.routes import Route, routes
from tests.permissions.visits import Visits
from tests.permissions.world import ANONYMOUS, World

pytestmark = pytest.mark.django_db
OPEN, CLOSE = "⟦", "⟧"
WORD = re.compile(r"[A-Za-z][a-z]+")
HEXADECIMAL = re.compile("[a-f]+")
READ_ALOUD = {"aria-label", "title", "placeholder", "alt", "data-ask"}
# Lists of countries are data, too.
UNREAD = {"script", "style", "code", "pre", "kbd", "textarea", "svg", "option"}
# Names, and words of programs.
NAMES = frozenset(
    {"agent", "compliance", "csv", "desk", "heic", "hub", "json", "jpeg", "kyb", "kyc"}
    | {"mb", "pdf", "png", "sha", "tiff", "utc"}
)
# Words of encrypted rows of the tests, of reasons that are stored, and of errors of a service.
DATA = frozenset(
    [
        "another",
        "birth",
        "region",
        "answer",
        "batches",
        "born",
        "box",
        "business",
        "certificate",
        "certificates",
        "does",
        "editing",
        "ek",
        "error",
        "fine",
        "fit",
        "found",
        "from",
        "get",
        "hand",
        "hides",
        "indicators",
        "inspection",
        "jobs",
        "logo",
        "no",
        "overlay",
        "please",
        "proves",
        "reference",
        "sign",
        "this",
        "verification",
        "visual",
        "white",
        "wrongly",
    ]
)
# Pages that are no page of ours, or are English on purpose.
NOT_OURS = (
    "admin/",
    "api/",
    "scim/",
    "health/",
    "metrics",
    "account/",
    "hub/",
    "queues/",
)


class Marks(gettext.NullTranslations):
    """Puts each text between two signs."""

    def gettext(self, message: str) -> str:
        text = message.rpartition("\x04")[2]
        if text == "Yes,No":
            return f"{OPEN}Yes{CLOSE},{OPEN}No{CLOSE}"
        return f"{OPEN}{text}{CLOSE}" if text else ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def language(self) -> str:
        return "de"

    def to_language(self) -> str:
        return "de"


class Unmarked(HTMLParser):
    """Collects the words that stand outside of the signs."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: set[str] = set()
        self._unread: list[str] = []
        self._depth = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in UNREAD:
            self._unread.append(tag)
        for name, value in attrs:
            if name in READ_ALOUD and value and not self._unread:
                depth, self._depth = self._depth, 0
                self._take(value)
                self._depth = depth

    def handle_endtag(self, tag: str) -> None:
        if self._unread and self._unread[-1] == tag:
            self._unread.pop()

    def handle_data(self, data: str) -> None:
        if not self._unread:
            self._take(data)

    def _take(self, text: str) -> None:
        outside = ""
        for character in text:
            if character == OPEN:
                self._depth += 1
            elif character == CLOSE:
                self._depth -= 1
            elif self._depth <= 0:
                outside += character
        self.words.update(word.lower() for word in WORD.findall(outside))


@pytest.fixture
def world(db: None) -> World:
    return World()


@pytest.fixture
def marks(monkeypatch) -> Iterator[None]:
    monkeypatch.setitem(vars(trans_real)["_translations"], "de", Marks())
    _forget_translations()
    yield
    _forget_translations()


def _forget_translations() -> None:
    """Empty the caches whose keys are languages: German is another language here."""
    display.forget()
    # Templates keep their constant texts by language.
    reset_loaders()
    for module in (words, desk, desk_marks, shell):
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def pages() -> list[Route]:
    return [route for route in routes() if not route.path.startswith(NOT_OURS)]


def words_of_rows() -> set[str]:
    """Each word that a row of any table holds."""
    words = set(NAMES | DATA)
    # Names of countries come from the CLDR, not from the catalogue.
    for country in countries.NAMES:
        words.update(
            word.lower() for word in WORD.findall(countries.name_in(country, "de"))
        )
    for model in apps.get_models():
        fields = [field.name for field in model._meta.concrete_fields if is_text(field)]
        for row in model._default_manager.values_list(*fields) if fields else ():
            words.update(word.lower() for word in WORD.findall(str(row)))
    return words


def is_text(field: models.Field[Any, Any]) -> bool:
    return not isinstance(field, models.BinaryField)


def unmarked(world: World, visitor: str) -> Iterator[tuple[str, set[str]]]:
    visits = Visits(world, visitor)
    if visitor != ANONYMOUS:
        person = world.people[visitor]
        LocalePreference.objects.create(user=person, language="de")
    result = words_of_rows()
    for route in pages():
        visits.outcome(route, "GET")
        text = visits.content.decode("utf-8", "replace")
        if visits.status == 200 and "<html" in text[:400]:
            value = Unmarked(text).words - result
            words = {word for word in value if not HEXADECIMAL.fullmatch(word)}
            if words:
                yield f"{visitor} /{route.path}", words


@pytest.mark.sweep
@pytest.mark.parametrize("visitor", [roles.SENIOR, roles.ADMINISTRATOR])
def test_each_word_of_a_page_can_be_translated(world, marks, visitor):
    assert dict(unmarked(world, visitor)) == {}
