"""Which document of the case a result is about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from compliance.storage.file_types import shown_name
from reviews.models import Document
from reviews.results.reading import obj, string

# The parts that an examination of a document brings.
OF_DOCUMENTS = frozenset(
    {"extraction_data", "visual_inspection", "fraud_verification_data"}
)
# Words behind the kind in the name of a check of such documents: kyb.incorporation_date has none.
_EXAMINATIONS = ("document", "verification", "extract")


@lru_cache(maxsize=1024)
def kind_of(origin: str) -> str:
    """The kind of documents that a check or tool of this id examines, or "".

    kyb.ein_document_verification → ein_documents.
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
    """The documents of a case, to be looked up by what a payload says of one."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents

    def find(
        self,
        reference: object,
        *,
        subject: str = "",
        origin: str = "",
        keys: Iterable[str] = (),
    ) -> str:
        """The hex id of the document that the wire's Document `reference` names, or "".

        `subject` is what the row was filed under (a URL or a file name), `origin` the id of the
        check or tool: its name may contain the kind of its documents. `keys` are the parts of the
        result: where one of them can only be about a document, and the case has one document, it
        is that one.
        """
        members = obj(reference)
        url = string(members.get("url"))
        match = self._by_url(url) or self._by_url(subject)
        if match:
            return match
        file_name = shown_name(string(members.get("file_name")))
        match = self._by_name(file_name) or self._by_name(subject)
        if match:
            return match
        match = _only(self._of_kind(origin))
        if match:
            return match
        is_of_document = not OF_DOCUMENTS.isdisjoint(keys)
        if is_of_document or "document" in origin.casefold():
            return _only(self._documents)
        return ""

    def of_check(self, check_id: str) -> tuple[str, ...]:
        """The documents that a check of this id examines, by its name."""
        return tuple(document.pk.hex for document in self._of_kind(check_id))

    def _by_url(self, url: str) -> str:
        if not url:
            return ""
        # The ids stand in addresses with or without hyphens.
        letters = url.replace("-", "").casefold()
        for key, source_url in self._addresses:
            if key in letters or url == source_url:
                return key
        return ""

    @cached_property
    def _addresses(self) -> list[tuple[str, str]]:
        """The id of each document and where it came from, read once.

        Each result is compared with all documents, and reading an encrypted field costs more than
        the comparison.
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
    """The id of the document where there is exactly one."""
    if len(documents) != 1:
        return ""
    return documents[0].pk.hex
