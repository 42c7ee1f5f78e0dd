"""Which document of the case a result speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from compliance.storage.file_types import shown_name
from reviews.models import Document
from reviews.results.reading import obj, string

# The parts that an examination of a document brings.
OF_DOCUMENTS = frozenset({"extraction_data", "visual_inspection", "fraud_verification_data"})
# What follows the kind in the name of a check of such documents: kyb.incorporation_date is none.
_EXAMINING = ("document", "verification", "extract")


@lru_cache(maxsize=1024)
def kind_of(origin: str) -> str:
    """The kind of documents that a check or tool of this id examines, or "".

    kyb.ein_document_verification → ein_documents.
    """
    words = f"_{origin.casefold().replace('.', '_')}_"
    for kind in Document.Kind.values:
        name = kind.removesuffix("_documents")
        if any(f"_{name}_{word}" in words for word in _EXAMINING):
            return kind
    return ""


class Documents:
    """The documents of a case, to be found by what a payload says of one."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._all = documents
        self._keys = [(document.pk.hex, document.source_url) for document in documents]

    def find(
        self, said: Any, *, subject: str = "", origin: str = "", keys: Iterable[str] = ()
    ) -> str:
        """The hex id of the document that the wire's Document `said` names, or "".

        `subject` is what the row was filed under (a URL or a file name), `origin` the id of the
        check or tool, whose name tells the kind of its documents. `keys` are those of what it
        brought: what can only be of a document is of the one that there is.
        """
        members = obj(said)
        for url in (string(members.get("url")), subject):
            if url and (found := self._by_url(url)):
                return found
        for name in (shown_name(string(members.get("file_name"))), subject):
            if name and (found := self._only([d for d in self._all if d.file_name == name])):
                return found
        if of_kind := self._only(self._of_kind(origin)):
            return of_kind
        is_of_one = "document" in origin.casefold() or not OF_DOCUMENTS.isdisjoint(keys)
        return self._only(self._all) if is_of_one else ""

    def of_check(self, check_id: str) -> tuple[str, ...]:
        """The documents that a check of this id examines, told by its name."""
        return tuple(document.pk.hex for document in self._of_kind(check_id))

    def _by_url(self, url: str) -> str:
        folded = url.replace("-", "").casefold()
        named = (key for key, source in self._keys if key in folded or url == source)
        return next(named, "")

    def _of_kind(self, origin: str) -> list[Document]:
        kind = kind_of(origin)
        return [document for document in self._all if document.kind == kind] if kind else []

    @staticmethod
    def _only(found: Sequence[Document]) -> str:
        return found[0].pk.hex if len(found) == 1 else ""
