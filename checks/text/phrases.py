"""Patterns of the words of documents."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TypeAlias


class Phrase:
    """A pattern in which a space matches any white space, including line ends.

    “ ?” (an optional space) also matches any white space, or none. It is compiled when it is first
    used: to compile all of them took a twelfth of the start of each process, and most processes
    read no documents.
    """

    def __init__(self, pattern: str, flags: re.RegexFlag = re.IGNORECASE) -> None:
        self.pattern = pattern
        self.flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        spaced = self.pattern.replace(" ?", r"\s*").replace(" ", r"\s+")
        return re.compile(spaced, self.flags)

    def search(
        self, text: str, start: int = 0, end: int = sys.maxsize
    ) -> re.Match[str] | None:
        return self.compiled.search(text, start, end)

    def match(
        self, text: str, start: int = 0, end: int = sys.maxsize
    ) -> re.Match[str] | None:
        return self.compiled.match(text, start, end)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self.compiled.fullmatch(text)

    def finditer(
        self, text: str, start: int = 0, end: int = sys.maxsize
    ) -> Iterator[re.Match[str]]:
        return self.compiled.finditer(text, start, end)

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str) -> str:
        return self.compiled.sub(replacement, text)


# Tables of patterns hold both: some must tell a space from the end of a line.
Pattern: TypeAlias = Phrase | re.Pattern[str]
