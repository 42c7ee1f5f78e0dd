"""Phrases that texts of several rooms have in common, in the language of the request."""

from __future__ import annotations

from django.utils.functional import lazy
from django.utils.translation import get_language, ngettext


def and_more(words: str, count: int) -> str:
    """A list of words that was cut: "A, B and 3 more". Of none that were left out the words alone."""
    if count <= 0:
        return words
    sentence = ngettext(
        "%(words)s and %(count)d more", "%(words)s and %(count)d more", count
    )
    return sentence % {"words": words, "count": count}


def in_sentence(label: object) -> str:
    """A label within a sentence: in small letters, where the language writes nouns so."""
    text = str(label)
    if (get_language() or "").startswith("de"):
        return text
    return text.lower()


def _filled(sentence: object, **words: object) -> str:
    values = {}
    for name, word in words.items():
        values[name] = str(word)
    return str(sentence) % values


# A lazy sentence with its words, for forms that are made at import.
filled = lazy(_filled, str)
