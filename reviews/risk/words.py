"""The words of the rating engine in the language of the reader.

The engine is plain Python and stores English text. Pages translate it with these tables, which
repeat the exact words of the engine: a test compares them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reviews.parties import share_words
from reviews.results.sentences import labelled
from reviews.results.words import CHECKS, country_name, translated
from reviews.results.words import LABELS as MEMBERS
from reviews.risk.engine.factors import FACTORS
from reviews.risk.engine.policy import Policy
from reviews.wire import JsonObject

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

GROUPS: Mapping[str, StrOrPromise] = {
    "customer": _("Customer"),
    "geography": _("Geography"),
    "product": _("Product"),
    "channel": _("Channel"),
    "findings": _("Findings"),
}
TITLES: Mapping[str, StrOrPromise] = {
    "pep": _("Political exposure"),
    "structure": _("Structure"),
    "age": _("Age of the company"),
    "ownership": _("Listed owners"),
    "geography": _("Countries"),
    "product": _("Product and line of business"),
    "channel": _("Channel"),
    "sanctions": _("Sanctions screening"),
    "adverse": _("Adverse lists"),
    "documents": _("Documents"),
    "checks": _("Other checks"),
}
# The words of the engine's labels. Labels that a policy adds are data and not translated.
LABELS: Mapping[str, StrOrPromise] = {
    "unknown": _("unknown"),
    "no hit": _("no hit"),
    "hits that people cleared": _("hits that people cleared"),
    "a possible hit that nobody cleared": _("a possible hit that nobody cleared"),
    "a strong hit that nobody cleared": _("a strong hit that nobody cleared"),
    "a match that a person confirmed": _("a match that a person confirmed"),
    "owned by people who are named": _("owned by people who are named"),
    "owned through other companies": _("owned through other companies"),
    "trust, foundation, nominees or bearer shares": _(
        "trust, foundation, nominees or bearer shares"
    ),
    "no owner has a hit on a list of sanctions": _(
        "no owner has a hit on a list of sanctions"
    ),
    "owners with a hit hold less than half": _("owners with a hit hold less than half"),
    "owners with a hit that nobody confirmed hold half or more": _(
        "owners with a hit that nobody confirmed hold half or more"
    ),
    "listed owners may hold half or more: their shares are not known": _(
        "listed owners may hold half or more: their shares are not known"
    ),
    "listed owners control it": _("listed owners control it"),
    "listed owners hold half or more": _("listed owners hold half or more"),
    "older than three years": _("older than three years"),
    "younger than three years": _("younger than three years"),
    "younger than one year": _("younger than one year"),
    "on no list of the policy": _("on no list of the policy"),
    "submitted by a person at the desk": _("submitted by a person at the desk"),
    "sent by another system": _("sent by another system"),
    "examined, without a RISK indicator": _("examined, without a RISK indicator"),
    "not all could be examined": _("not all could be examined"),
    "a RISK indicator that nobody dismissed": _(
        "a RISK indicator that nobody dismissed"
    ),
    "a document of high risk": _("a document of high risk"),
    "a document that people rejected as forged": _(
        "a document that people rejected as forged"
    ),
    "all passed, or people reviewed them": _("all passed, or people reviewed them"),
    "one came to no verdict": _("one came to no verdict"),
    "one asks for a review": _("one asks for a review"),
    "one failed": _("one failed"),
}
# The merchant category codes of the first policy. A code alone tells its reader nothing.
PRODUCTS: Mapping[str, StrOrPromise] = {
    "4829": _("money transfer"),
    "5094": _("precious stones and metals"),
    "5933": _("pawnshops"),
    "5993": _("tobacco"),
    "6051": _("quasi-cash and crypto-assets"),
    "6211": _("brokers of securities"),
    "7273": _("dating and escort services"),
    "7995": _("gambling"),
}
# The lists of countries of the first policy.
LISTS: Mapping[str, StrOrPromise] = {
    "FATF, call for action": _("FATF, call for action"),
    "FATF, increased monitoring": _("FATF, increased monitoring"),
    "EU, high-risk third countries": _("EU, high-risk third countries"),
}
# Where a value comes from, where it is no member of the attested data.
SOURCES: Mapping[str, StrOrPromise] = {
    "the case": _("the case"),
    "attested": _("attested"),
    "proved by a document": _("proved by a document"),
    "no person submitted it": _("no person submitted it"),
    "submitted by a person": _("submitted by a person"),
    "submitted by a system": _("submitted by a system"),
}
_BY_SMALL_LETTERS = {label.lower(): label for label in MEMBERS}
_CODE = re.compile(r"\b[A-Z]{2}\b(?= \()")
# Before the member of an owner, and once more before that of the owner of an owner.
_OF_OWNERS = "owners "
_SOURCE = re.compile(r"\(([^()]+)\)")


def title(factor: str) -> str:
    return str(TITLES.get(factor, factor))


def title_of(english: str) -> str:
    """The translated title of a factor, found by its English title."""
    for factor in FACTORS.values():
        if factor.title == english:
            return title(factor.name)
    return english


def label(policy: Policy, factor: str, name: str) -> str:
    """The words of a label: of the engine, or the title of a list of countries."""
    return _shown(factor, policy.words(factor, name))


def _shown(factor: str, english: str) -> str:
    if factor == "product" and english in PRODUCTS:
        return f"{english} ({PRODUCTS[english]})"
    return str(LABELS.get(english) or LISTS.get(english, english))


def _details(factor: str, text: str, names: Mapping[int, str]) -> str:
    """What stands behind the words of a label: “: IR (nationality)”."""
    if factor == "ownership":
        return share_words.of_owners(text, names)
    if factor == "geography":
        text = _CODE.sub(lambda match: country_name(match[0]), text)
    return _SOURCE.sub(lambda match: f"({_source(match[1])})", text)


def _source(words: str) -> str:
    """Where a value comes from: in words of our own, or the name of a member."""
    if words in SOURCES:
        return str(SOURCES[words])
    check, colon, name = words.partition(": ")
    if colon and check in CHECKS:
        return labelled(translated(check), name)
    if colon and check == "rejected":
        return labelled(gettext("Rejected"), translated(name))
    member = words
    while member.startswith(_OF_OWNERS):
        member = member.removeprefix(_OF_OWNERS)
    name = _name_of(member)
    if member != words:
        return gettext("%(member)s of an owner") % {"member": name}
    return name


def _name_of(member: str) -> str:
    """The name of a member, or of a member of another one: “address country code”."""
    whole = _capital(member)
    if whole in MEMBERS:
        return translated(whole)
    parts = member.split()
    for place in range(len(parts) - 1, 0, -1):
        outer = _capital(" ".join(parts[:place]))
        inner = _capital(" ".join(parts[place:]))
        if outer in MEMBERS and inner in MEMBERS:
            return labelled(translated(outer), translated(inner))
    return translated(whole)


def _capital(words: str) -> str:
    """The words as a label has them: “mcc code” is stored for “MCC code”."""
    return _BY_SMALL_LETTERS.get(words, words[:1].upper() + words[1:])


def contribution(row: JsonObject, names: Mapping[int, str] | None = None) -> JsonObject:
    """A stored contribution in the language of the reader.

    Only the words of the label are translated: what follows them is data. `names`: those of the
    parties that it names by number.
    """
    factor = FACTORS.get(row["factor"])
    if factor is None:
        return dict(row)
    english = factor.words(row["label"])
    words = str(row["words"])
    # The words of a list of countries are its title, which the label does not tell.
    if factor.name == "geography" and not words.startswith(english):
        english = words.partition(": ")[0]
    if words.startswith(english):
        rest = _details(factor.name, words.removeprefix(english), names or {})
        words = f"{_shown(factor.name, english)}{rest}"
    return {**row, "title": title(factor.name), "words": words}
