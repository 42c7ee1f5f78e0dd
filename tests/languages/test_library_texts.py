"""Texts of django-allauth in our own words: in German it says du, and our pages say Sie."""

from __future__ import annotations

from pathlib import Path

import allauth
import pytest
from django.urls import reverse
from django.utils import translation

from compliance.pages.library_texts import TEXTS


def test_each_text_is_one_of_the_library():
    with translation.override("en"):
        texts = [str(text) for text in TEXTS]
    folder = Path(allauth.__file__).parent
    sources = [path.read_text() for path in folder.rglob("*.html")]
    sources += [path.read_text() for path in folder.rglob("messages/*.txt")]
    sources += [path.read_text() for path in folder.rglob("*.py")]
    # A template may break a line of a text, and name a variable in another way.
    library = " ".join(" ".join(sources).split())
    library = library.replace("{{ user_display }}", "%(user_display)s")
    library = library.replace("{{email}}", "%(email)s")
    for name in ("provider.name", "email", "provider"):
        library = library.replace(f"{{{{ {name} }}}}", f"%({name.split('.')[0]})s")
    missing = [text for text in texts if text not in library]

    assert missing == []


@pytest.mark.django_db
def test_the_page_for_a_new_password_says_sie(client):
    page = client.get(reverse("account_reset_password"), HTTP_ACCEPT_LANGUAGE="de")

    text = page.content.decode()
    assert "Geben Sie" in text
    assert "deine" not in text.casefold().split()


@pytest.mark.parametrize(
    ("context", "text", "german"),
    [
        ("state", "Open", "Offen"),
        ("session", "Signed in", "Angemeldet"),
        ("verb", "Change", "Ändern"),
        ("kind of field", "Number", "Zahl"),
    ],
)
def test_a_word_with_two_meanings_has_two_translations(context, text, german):
    with translation.override("de"):
        assert translation.pgettext(context, text) == german
        assert translation.gettext(text) != german
