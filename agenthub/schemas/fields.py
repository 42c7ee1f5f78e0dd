"""Fields of requests. They are stricter than REST framework's, which convert other types."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any, TypedDict, Unpack

from rest_framework import serializers
from rest_framework.exceptions import NotFound

from compliance.http import numbers, outbound, references

# Characters. Names in registers have some hundred at most; a name of megabytes would keep a worker busy
# for minutes.
LONGEST_LINE = 1_000
# Of what a business does, in its own words.
LONGEST_PROSE = 20_000
MOST_ENTRIES = 1_000  # of a list
LONGEST_URL = 2048
# Signed links to documents are longer than URLs that people choose.
LONGEST_DOCUMENT_URL = 8192

_UUID = re.compile(
    r"[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE
)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
_COUNTRY = re.compile(r"[A-Za-z]{2}")
_FLAGS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


class Options(TypedDict, total=False):
    """Options that each kind of field accepts."""

    required: bool
    allow_null: bool


class TextOptions(Options, total=False):
    allow_blank: bool
    # None: no limit but that of the body.
    max_length: int | None
    trim_whitespace: bool


class Text(serializers.CharField):
    """A string, stored unchanged. At most LONGEST_LINE characters, unless the field says otherwise."""

    def __init__(self, **options: Unpack[TextOptions]) -> None:
        options.setdefault("trim_whitespace", False)
        options.setdefault("max_length", LONGEST_LINE)
        super().__init__(**options)

    def to_internal_value(self, data: object) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return data


class Name(Text):
    """A string that is not only whitespace."""

    def __init__(self, **options: Unpack[TextOptions]) -> None:
        options["trim_whitespace"] = True
        super().__init__(**options)


class CaseId(Text):
    """The reference of a new case."""

    default_error_messages = {"not_a_reference": "{refusal}"}

    def __init__(self, **options: Unpack[TextOptions]) -> None:
        options.setdefault("max_length", references.LONGEST)
        super().__init__(**options)

    def to_internal_value(self, data: object) -> str:
        text = super().to_internal_value(data)
        if not references.fits(text) and len(text) <= references.LONGEST:
            self.fail("not_a_reference", refusal=references.REFUSAL)
        return text


class Uuid(serializers.Field[uuid.UUID, object, object, object]):
    """A UUID with or without dashes, in any case of letters."""

    default_error_messages = {"not_a_uuid": "Not a UUID."}

    def to_internal_value(self, data: object) -> uuid.UUID:
        if not isinstance(data, str) or not _UUID.fullmatch(data):
            self.fail("not_a_uuid")
        return uuid.UUID(data)


class JobId(serializers.Field[uuid.UUID, object, object, object]):
    """The id of an existing job. A text that is no UUID answers 404, like any unknown id."""

    default_error_messages = {"invalid": "Not a valid string."}

    def to_internal_value(self, data: object) -> uuid.UUID:
        if not isinstance(data, str) or not data:
            self.fail("invalid")
        if not _UUID.fullmatch(data):
            raise NotFound("Job not found.")
        return uuid.UUID(data)


class Date(Text):
    default_error_messages = {"not_a_date": "Not a date of the form YYYY-MM-DD."}

    def to_internal_value(self, data: object) -> str:
        text = super().to_internal_value(data)
        # date.fromisoformat() alone also accepts other forms of ISO 8601.
        if not _DATE.fullmatch(text):
            self.fail("not_a_date")
        try:
            date.fromisoformat(text)
        except ValueError:
            self.fail("not_a_date")
        return text


class Email(Text):
    """An e-mail address by its form. Whether it exists is not checked."""

    default_error_messages = {"not_an_email": "Not an e-mail address."}

    def to_internal_value(self, data: object) -> str:
        text = super().to_internal_value(data)
        if not _EMAIL.fullmatch(text):
            self.fail("not_an_email")
        return text


class Country(Text):
    default_error_messages = {"not_a_country": "Not a two-letter country code."}

    def to_internal_value(self, data: object) -> str:
        text = super().to_internal_value(data)
        if not _COUNTRY.fullmatch(text):
            self.fail("not_a_country")
        return text


class Url(Text):
    """A URL for outgoing requests. Whether its address is allowed is checked when sending."""

    default_error_messages = {"not_a_url": "Not an http or https URL with a host."}

    def __init__(self, **options: Unpack[TextOptions]) -> None:
        options.setdefault("max_length", LONGEST_URL)
        super().__init__(**options)

    def to_internal_value(self, data: object) -> str:
        text = super().to_internal_value(data)
        if not _is_url(text):
            self.fail("not_a_url")
        return text


class Constant(Text):
    """A member with one possible value."""

    default_error_messages = {"not_the_constant": "Must be {value}."}

    def __init__(self, value: str, **options: Unpack[TextOptions]) -> None:
        super().__init__(**options)
        self.value = value

    def to_internal_value(self, data: object) -> str:
        if data != self.value:
            self.fail("not_the_constant", value=self.value)
        return self.value


class Flag(serializers.Field[bool, object, object, object]):
    """A JSON boolean."""

    default_error_messages = {"invalid": "Not a boolean."}

    def to_internal_value(self, data: object) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid")
        return data


class QueryFlag(serializers.Field[bool, object, object, object]):
    """A boolean in a query: true, false, 1, 0, yes, no, in any case of letters."""

    default_error_messages = {"not_a_boolean": "Not a boolean: true or false."}

    def __init__(self, *, default: bool = False) -> None:
        super().__init__(default=default)

    def to_internal_value(self, data: object) -> bool:
        flag = _FLAGS.get(str(data).lower())
        if flag is None:
            self.fail("not_a_boolean")
        return flag


class QueryNumber(serializers.Field[int, object, object, object]):
    """A whole number in a query, in digits."""

    default_error_messages = {
        "not_a_number": "Not a whole number from {least} to {most}."
    }

    def __init__(self, *, least: int, most: int, default: int | None = None) -> None:
        if default is None:
            super().__init__(required=False)
        else:
            super().__init__(default=default)
        self.least = least
        self.most = most

    def to_internal_value(self, data: object) -> int:
        number = numbers.parse(str(data))
        if number is None or not self.least <= number <= self.most:
            self.fail("not_a_number", least=self.least, most=self.most)
        return number


class Choice(Text):
    """One of several words in any case of letters; the value is the word as declared."""

    default_error_messages = {"not_a_choice": "Must be one of: {choices}."}

    def __init__(self, choices: Sequence[str], **options: Unpack[TextOptions]) -> None:
        options.setdefault("required", False)
        super().__init__(**options)
        self.choices = tuple(choices)

    def to_internal_value(self, data: object) -> str:
        text = super().to_internal_value(data)
        by_lower_case = {}
        for word in self.choices:
            by_lower_case[word.lower()] = word
        choice = by_lower_case.get(text.lower())
        if choice is None:
            self.fail("not_a_choice", choices=", ".join(self.choices))
        return choice


class Choices(serializers.Field[list[str], object, object, object]):
    """A selection of words in any of their spellings: a list, or one text separated by commas.

    The value is the distinct words as declared; empty if none is given."""

    default_error_messages = {"not_a_choice": "Must be one of: {choices}."}

    def __init__(
        self,
        choices: Sequence[str],
        spellings: Mapping[str, str] | None = None,
        **options: Unpack[Options],
    ) -> None:
        options.setdefault("required", False)
        super().__init__(**options)
        self.choices = tuple(choices)
        self._words = {word: word for word in choices} | dict(spellings or {})

    @property
    def words(self) -> list[str]:
        """All accepted words."""
        return list(self._words)

    def to_internal_value(self, data: object) -> list[str]:
        if isinstance(data, list):
            texts = data
        else:
            texts = [data]
        # A dict for its keys: each choice once, in the order of the request.
        choices: dict[str, None] = {}
        for word in ",".join(map(str, texts)).split(","):
            name = word.strip().lower()
            if not name:
                continue
            if name not in self._words:
                self.fail("not_a_choice", choices=", ".join(self.choices))
            choices[self._words[name]] = None
        return list(choices)


class List(serializers.ListField):
    """A list of at most MOST_ENTRIES entries. It is counted before its entries are looked at."""

    default_error_messages = {"max_length": "At most {most} entries."}

    def to_internal_value(self, data: list[Any]) -> list[object]:
        value: object = data
        if isinstance(value, list) and len(value) > MOST_ENTRIES:
            self.fail("max_length", most=MOST_ENTRIES)
        entries: list[object] = super().to_internal_value(data)
        return entries


class TextOrTexts(serializers.Field[object, object, object, object]):
    default_error_messages = {
        "invalid": "Neither a string nor a list of strings.",
        "max_length": "At most {most} entries, each of at most {longest} characters.",
    }

    def to_internal_value(self, data: object) -> object:
        if isinstance(data, list):
            texts = data
        else:
            texts = [data]
        if not all(isinstance(text, str) for text in texts):
            self.fail("invalid")
        is_long = any(len(text) > LONGEST_URL for text in texts)
        if is_long or len(texts) > MOST_ENTRIES:
            self.fail("max_length", most=MOST_ENTRIES, longest=LONGEST_URL)
        return data


def _is_url(text: str) -> bool:
    # The same checks as in outbound.request(): an error now is better than at the first delivery.
    if any(char <= " " or char in "\\\x7f" for char in text):
        return False
    try:
        outbound.origin(text)
    except outbound.BlockedError:
        return False
    return "@" not in text.partition("://")[2].partition("/")[0]


# Optional members may be absent or null. Free text may also be empty.
text = partial(Text, required=False, allow_null=True, allow_blank=True)
day = partial(Date, required=False, allow_null=True)
country = partial(Country, required=False, allow_null=True)
url = partial(Url, required=False, allow_null=True)
prose = partial(text, max_length=LONGEST_PROSE)
