"""Decides which document of the case a result is about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from compliance.storage.file_types import shown_name
from reviews.models import Document
from reviews.results.reading import obj, string

# Payload keys that only the examination of a document sends.
OF_DOCUMENTS = frozenset(
    {"extraction_data", "visual_inspection", "fraud_verification_data"}
)
# A check's name shows that it examines documents if one of these words follows the kind of
# document. "kyb.incorporation_date" has none of them.
_EXAMINATIONS = ("document", "verification", "extract")


@lru_cache(maxsize=1024)
def kind_of(origin: str) -> str:
    """The kind of documents that a check or tool with this id examines, or "".

    "kyb.ein_document_verification" gives "ein_documents".
    """
    words = origin.casefold().replace(".", "_")
    words = f"_{words}_"
    for kind in Document.Kind.values:
        name = kind.removesuffix("_documents")
        for examination in _EXAMINATIONS:
            if f"_{name}_{examination}" in words:
                return kind
    return ""


class Documents:
    """The documents of a case, to be found by what a payload says about one of them."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents

    def find(
        self,
        reference: object,
        *,
        origin: str = "",
        keys: Iterable[str] = (),
    ) -> str:
        """The hex id of the document that `reference`, a Document object of a payload, names;
        else "".

        The URL is tried first, then the file name, then the kind. `origin` is the id of the check
        or tool, whose name may contain the kind of document. `keys` are the payload keys of the
        result: if one of them can only be about a document and the case has a single document,
        that document is the answer.
        """
        members = obj(reference)
        url = string(members.get("url"))
        # The id in the URL is certain, so it is tried first.
        match = self._by_url(url)
        if match:
            return match
        # Compared as the desk stores names.
        file_name = shown_name(string(members.get("file_name")))
        match = self._by_name(file_name)
        if match:
            return match
        match = _only(self._of_kind(origin))
        if match:
            return match
        # With a single document, it must be the one.
        is_of_document = not OF_DOCUMENTS.isdisjoint(keys)
        if is_of_document or "document" in origin.casefold():
            return _only(self._documents)
        return ""

    def of_check(self, check_id: str) -> tuple[str, ...]:
        """The documents that a check with this id examines, judged by its name."""
        return tuple(document.pk.hex for document in self._of_kind(check_id))

    def _by_url(self, url: str) -> str:
        if not url:
            return ""
        # URLs contain the ids with or without hyphens.
        letters = url.replace("-", "").casefold()
        for key, source_url in self._addresses:
            if key in letters or url == source_url:
                return key
        return ""

    @cached_property
    def _addresses(self) -> list[tuple[str, str]]:
        """Pairs of hex id and source URL, read once.

        Every result is compared with all documents, and decrypting a field costs more than the
        comparison.
        """
        addresses: list[tuple[str, str]] = []
        for document in self._documents:
            addresses.append((document.pk.hex, document.source_url))
        return addresses

    def _by_name(self, name: str) -> str:
        if not name:
            return ""
        return _only(
            [document for document in self._documents if document.file_name == name]
        )

    def _of_kind(self, origin: str) -> list[Document]:
        kind = kind_of(origin)
        if not kind:
            return []
        return [document for document in self._documents if document.kind == kind]


def _only(documents: Sequence[Document]) -> str:
    """The hex id if there is exactly one document; "" otherwise, because it would be a guess."""
    if len(documents) != 1:
        return ""
    return documents[0].pk.hex
