"""Phrases that several pages share, in the language of the request."""

from __future__ import annotations

from django.utils.functional import lazy
from django.utils.translation import get_language, ngettext


def and_more(words: str, count: int) -> str:
    """A list that was cut: "A, B and 3 more". If `count` is 0, only the words."""
    if count <= 0:
        return words
    sentence = ngettext(
        "%(words)s and %(count)d more", "%(words)s and %(count)d more", count
    )
    return sentence % {"words": words, "count": count}


def in_sentence(label: object) -> str:
    """A label inside a sentence: in lower case, except in German, which capitalises nouns."""
    text = str(label)
    if (get_language() or "").startswith("de"):
        return text
    return text.lower()


def _filled(sentence: object, **words: object) -> str:
    values = {}
    for name, word in words.items():
        values[name] = str(word)
    return str(sentence) % values


# A lazily translated sentence with its values, for forms that are defined at import.
filled = lazy(_filled, str)
