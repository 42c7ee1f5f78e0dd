"""Each text of pages is translated, and what Django loads is what the translators wrote."""

from __future__ import annotations

import re

import pytest

from tests.languages.catalogues import Message, compiled, messages

COMPLETE = ("ar", "de", "es", "fr")
LANGUAGES = ("ar", "de", "es", "fr")
PLACEHOLDER = re.compile(r"%\(\w+\)\d*[sd]|%%|\{\w+\}")
TAG = re.compile(r"</?\w+")


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request) -> str:
    return str(request.param)


def test_the_compiled_catalogue_is_what_the_text_says(language):
    """`make messages` compiles them: a machine without gettext has only what is committed."""
    expected = {}
    for message in messages(language):
        for number, form in enumerate(message.forms):
            if message.plural and message.forms[0]:
                expected[f"{message.key}[{number}]"] = form
            elif form:
                expected[message.key] = form

    assert compiled(language) == expected


@pytest.mark.parametrize("complete", COMPLETE)
def test_every_text_is_translated(complete):
    missing = [message.id for message in messages(complete) if not all(message.forms)]

    assert missing == []


def test_no_translation_is_a_guess(language):
    assert [message.id for message in messages(language) if message.is_fuzzy] == []


def test_all_languages_have_the_same_texts(language):
    keys = [message.key for message in messages(language)]

    assert keys == [message.key for message in messages("de")]


def test_a_translation_has_the_values_and_tags_of_the_text(language):
    wrong = [message.id for message in messages(language) if not fits(message)]

    assert wrong == []


def fits(message: Message) -> bool:
    """A form for few may say "one" in words; the last form has all values."""
    if not message.forms[-1]:
        return True
    source = message.plural or message.id
    values, tags = sorted(PLACEHOLDER.findall(source)), sorted(TAG.findall(source))
    *others, last = message.forms
    if sorted(PLACEHOLDER.findall(last)) != values:
        return False
    if any(set(PLACEHOLDER.findall(form)) - set(values) for form in others):
        return False
    return all(sorted(TAG.findall(form)) == tags for form in message.forms)
