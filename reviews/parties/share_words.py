"""Shares in the language of the reader: `ownership.shares` writes English."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ownership import shares
from ownership.shares import Interval

_NUMBER = r"[\d.]+ %"
_RANGE = re.compile(rf"({_NUMBER}) to ({_NUMBER})")
_ONE_END = re.compile(rf"(more than|less than|at most|at least) ({_NUMBER})")
_ENDS = {
    "more than": gettext_lazy("more than %(share)s"),
    "less than": gettext_lazy("less than %(share)s"),
    "at most": gettext_lazy("at most %(share)s"),
    "at least": gettext_lazy("at least %(share)s"),
}
_PARTY = re.compile(r"party (\d+)")
_LISTED = re.compile(r"; listed: [^;)]*")


def words(share: Interval) -> str:
    return in_words(shares.words(share))


def percent(share: Fraction) -> str:
    return in_words(shares.percent(share))


def in_words(text: str) -> str:
    """A text with shares, such as “25 % to 50 %” or “not known”."""
    # The single ends first: “less than 25 % to 50 %” is a range of both.
    text = _ONE_END.sub(_one_end, text)
    text = _RANGE.sub(_range, text)
    return text.replace("not known", _("not known"))


def _one_end(match: re.Match[str]) -> str:
    return str(_ENDS[match[1]]) % {"share": match[2]}


def _range(match: re.Match[str]) -> str:
    return _("%(low)s to %(high)s") % {"low": match[1], "high": match[2]}


def of_owners(text: str, names: Mapping[int, str]) -> str:
    """“party 7: 30 %, party 9: 25 %, together 55 %; listed: party 9”, with names for numbers."""
    listed = _LISTED.search(text)
    if listed:
        owners = text[: listed.start()]
        # If the owners themselves are on a list, the second part would repeat their names.
        if set(parties_in(owners)) == set(parties_in(listed[0])):
            text = owners + text[listed.end() :]
    text = in_words(text)
    text = text.replace("together ", _("together") + " ")
    text = text.replace("listed: ", _("listed") + ": ")

    def name(match: re.Match[str]) -> str:
        number = int(match[1])
        return names.get(number) or _("Party %(number)d") % {"number": number}

    return _PARTY.sub(name, text)


def parties_in(text: str) -> list[int]:
    """The numbers of the parties that such a text names, each once."""
    numbers = [int(match[1]) for match in _PARTY.finditer(text)]
    return list(dict.fromkeys(numbers))
