"""Tells a paper of a register from its general words, where no title of an office is known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from checks.data import table
from checks.fields import tunables
from checks.text.words import Span, Text
from papers import countries

# Without these three a paper is about something else.
NEEDED = frozenset({"paper", "register", "company"})
# “Art. 5”, “§ 3”: statutes have many of these, and an extract at most one.
ARTICLE = re.compile(
    r"^\W{0,3}(?:art\w{0,6}\.?|§|clan|bod|стат\w+) ?\d{1,2}\b", re.MULTILINE
)


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    patterns = {}
    for row in table("register_words"):
        words = "|".join(map(re.escape, row["words"].split("|")))
        patterns[row["group"]] = re.compile(rf"(?<!\w)(?:{words})")
    return patterns


def words_of_register(text: Text) -> Span | None:
    """Return the place of the first line, if the words of the text are those of a paper of a register.

    The title names the paper and its register. Several kinds of particulars of a company follow.
    """
    title = countries.sort_key(text.value[: tunables.TITLE])
    body = countries.sort_key(text.value[: tunables.KIND_HEAD])
    names_paper = _patterns()["paper"].search(title)
    names_register = _patterns()["register"].search(title)
    if not names_paper or not names_register:
        return None
    if len(ARTICLE.findall(body)) > 1:
        return None
    groups = set(_groups_in(body))
    if not groups >= NEEDED or len(groups) < tunables.REGISTER_GROUPS:
        return None
    line = text.value[: tunables.TITLE].find("\n")
    return Span(0, max(line, 1))


def _groups_in(body: str) -> Iterator[str]:
    for group, pattern in _patterns().items():
        if pattern.search(body):
            yield group
