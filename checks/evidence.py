"""Everything that a tool may examine. Facts are computed on first use and cached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any, Literal, TypeVar

from checks import readers
from checks.lookups import Lookups
from checks.text.words import Line, Page, Recognised, Text, Word, complete
from checks.wire import JsonObject, Wire
from papers.errors import EncryptedError, MalformedError, TooLargeError, UnreadableError
from papers.formats import Format, format_of
from papers.geometry import Box

T = TypeVar("T")
ProblemKind = Literal["empty", "not_a_document", "malformed", "encrypted", "too_large"]

MAX_PAGES = 50
MAX_BYTES = 25 * 1024 * 1024
# OCR takes about a second for each page, so a long scan is only read in part. The first pages show
# what it is; the last pages show who signed it and when. The visual inspection looks at the same
# pages.
FIRST_OCR_PAGES, LAST_OCR_PAGES = 8, 4
# The second engine takes several seconds for each page. Two are enough for a card or a receipt; a
# long scan is not read twice.
SECOND_LOOKS = 2
OCR_DPI = 200
NOT_READ = "not checked: no words could be read"
DAMAGED = "The file is damaged and cannot be read."


# `OF_THE_FILE`: facts that depend only on the file. `OF_OCR`: arguments that change the words.
# `OF_THE_WORDS`: facts that depend on these arguments.
OF_THE_FILE = ("kind", "_opened", "_read", "problem", "revisions")
OF_OCR = ("ocr", "ocr_languages")
OF_THE_WORDS = ("pages", "text")


@dataclass(frozen=True, slots=True)
class Problem:
    """The reason why a file cannot be examined as a document."""

    kind: ProblemKind
    explanation: str


@dataclass(frozen=True)
class Evidence:
    """A file and the data about it.

    `attested` is the self-attested data of the case, `document` the Document object of the
    interface, `arguments` those of the check. No attribute raises on a hostile file: `problem` then
    has the reason, and the other facts are empty.
    """

    file: bytes = b""
    file_name: str = ""
    attested: JsonObject = field(default_factory=dict)
    document: JsonObject = field(default_factory=dict)
    arguments: JsonObject = field(default_factory=dict)
    # Data of the installation; None if the caller has none, as in the process that reads a
    # document.
    lookups: Lookups | None = None
    # The other document that the check examines together with this one.
    beside: Evidence | None = None
    today: date = field(default_factory=lambda: datetime.now(UTC).date())
    _recognised: dict[int, Recognised] = field(
        default_factory=dict, repr=False, compare=False
    )
    _notes: list[str] = field(default_factory=list, repr=False, compare=False)
    _kept: dict[Callable[[Any], Any], Any] = field(
        default_factory=dict, repr=False, compare=False
    )

    def once(self, read: Callable[[Evidence], T]) -> T:
        """Return the result of `read` for this evidence.

        It is computed once and shared by all tools.
        """
        if read not in self._kept:
            self._kept[read] = read(self)
        value: T = self._kept[read]
        return value

    def for_another_check(
        self,
        *,
        file_name: str,
        document: JsonObject,
        arguments: JsonObject,
        beside: Evidence | None,
    ) -> Evidence:
        """Return the same file and case for another check.

        Facts that were already read are kept.
        """
        inputs = (file_name, document, arguments, beside)
        if inputs == (self.file_name, self.document, self.arguments, self.beside):
            return self
        other = replace(
            self,
            file_name=file_name,
            document=document,
            arguments=arguments,
            beside=beside,
            _kept={},
        )
        facts: tuple[str, ...] = OF_THE_FILE
        if all(self.arguments.get(name) == arguments.get(name) for name in OF_OCR):
            facts = (*OF_THE_FILE, *OF_THE_WORDS)
        else:
            other = replace(other, _recognised={}, _notes=[])
        other.__dict__.update(
            {name: self.__dict__[name] for name in facts if name in self.__dict__}
        )
        return other

    @cached_property
    def kind(self) -> Format:
        return format_of(self.file)

    @cached_property
    def problem(self) -> Problem | None:
        return self._read[2]

    @cached_property
    def pages(self) -> tuple[Page, ...]:
        """The pages with their words: those that the file states, and those of OCR for pictures."""
        pictures = [page.number for page in self._read[0] if page.is_picture]
        within = {*pictures[:FIRST_OCR_PAGES], *pictures[-LAST_OCR_PAGES:]}
        too_many = (
            f"not checked: of long scans the first {FIRST_OCR_PAGES} "
            f"and the last {LAST_OCR_PAGES} pages are read"
        )
        return tuple(
            self._with_words(page)
            if page.number in within
            else replace(page, unread=too_many)
            if page.is_picture
            else page
            for page in self._read[0]
        )

    @property
    def page_count(self) -> int:
        """The number of pages of the document. At most `MAX_PAGES` of them are read."""
        return self._read[1]

    @cached_property
    def text(self) -> Text:
        return Text(self.pages)

    @property
    def metadata(self) -> readers.Metadata:
        opened = self._opened
        if isinstance(opened, Problem):
            return readers.Metadata()
        return opened.metadata

    @property
    def structure(self) -> readers.Structure:
        """What a PDF has besides its pages; empty for any other file."""
        if isinstance(self._opened, readers.Structure):
            return self._opened
        return readers.Structure()

    @cached_property
    def revisions(self) -> list[readers.Revision]:
        """Earlier saved versions inside the file, oldest first, without the present one."""
        if self.kind == "pdf" and not self.problem:
            return readers.read_revisions(self.file)
        return []

    def recognised(self, number: int) -> Recognised:
        """Return what OCR reads on a page, whether or not the file states words there."""
        if number not in self._recognised:
            self._recognised[number] = self._recognise(number)
        return self._recognised[number]

    def read_again(self, words: Sequence[Word]) -> Iterator[str]:
        """Yield what OCR reads where these words of one line stand, in other sizes than before.

        Nothing if the page was not read by OCR, or the picture is not at hand.
        """
        page = words[0].box.page
        standing = None
        if page in self._recognised:
            standing = self._recognised[page].standing
        if standing is not None:
            yield from standing.read_again(words)

    @property
    def reading_notes(self) -> list[str]:
        """Notes about the second engine; empty if it was not used."""
        return list(dict.fromkeys(self._notes))

    def note(self, sentence: str) -> None:
        self._notes.append(sentence)

    @property
    def unread_pages(self) -> list[int]:
        """The numbers of pages that are pictures whose words could not be read."""
        return [page.number for page in self.pages if page.unread]

    @property
    def unread(self) -> str:
        """Which pages could not be read and why, in words; empty if all were read."""
        reasons: dict[str, list[int]] = {}
        for page in self.pages:
            if page.unread:
                reasons.setdefault(page.unread, []).append(page.number)
        return "; ".join(
            f"{name_pages(numbers)}: {why}" for why, numbers in reasons.items()
        )

    @property
    def signature_boxes(self) -> list[Box]:
        """Where signed digital signature fields are displayed."""
        boxes: list[Box] = []
        for widget in self.structure.widgets:
            if widget.signed and widget.page <= len(self.pages):
                boxes.append(
                    self.pages[widget.page - 1].transform.box(
                        widget.page, widget.rectangle
                    )
                )
        return boxes

    @property
    def available(self) -> Lookups:
        """The lookups of the caller; without any, lookups that have nothing."""
        return self.lookups or Lookups()

    @property
    def document_reference(self) -> Wire:
        """The document as payloads name it, without its content."""
        url = self.document.get("url")
        name = self.document.get("file_name") or self.file_name
        if not name and url:
            name = PurePosixPath(str(url).split("?", 1)[0]).name
        return {"type": "Document", "url": url, "file_name": name or None}

    @cached_property
    def _opened(self) -> readers.Structure | readers.Picture | Problem:
        """The file as its reader opened it, or the problem."""
        problem = self._refusal()
        if problem:
            return problem
        try:
            if self.kind == "pdf":
                return readers.read_structure(self.file, max_pages=MAX_PAGES)
            return readers.read_picture(self.file, max_pages=MAX_PAGES)
        except EncryptedError:
            return Problem("encrypted", "The file is locked with a password.")
        except TooLargeError:
            return Problem("too_large", "The picture is too large to be opened safely.")
        except readers.TooFarError as exc:
            return Problem("too_large", f"The file cannot be opened safely: {exc}.")
        except MalformedError:
            return Problem("malformed", DAMAGED)

    @cached_property
    def _read(self) -> tuple[tuple[Page, ...], int, Problem | None]:
        opened = self._opened
        if isinstance(opened, Problem):
            return (), 0, opened
        if isinstance(opened, readers.Picture):
            return opened.pages, opened.page_count, None
        try:
            pages, count = readers.read_pages(
                self.file, max_pages=MAX_PAGES, widgets=opened.widgets
            )
        except UnreadableError:
            return (), 0, Problem("malformed", DAMAGED)
        if not pages:
            return (), 0, Problem("malformed", "The file has no pages.")
        return (_with_form_data(pages[0], opened), *pages[1:]), count, None

    def _with_words(self, page: Page) -> Page:
        reading = self.recognised(page.number)
        if reading.unread:
            return replace(page, unread=reading.unread)
        return replace(page, lines=tuple(complete(reading.lines, page.lines)))

    def _recognise(self, number: int) -> Recognised:
        if self.arguments.get("ocr") == "off":
            return Recognised(unread="not checked: OCR is switched off")
        try:
            pixels = readers.draw_page(self.file, number, dpi=OCR_DPI)
            languages = str(self.arguments.get("ocr_languages") or "eng")
            again = (
                sum(bool(reading.note) for reading in self._recognised.values())
                < SECOND_LOOKS
            )
            reading = readers.recognise(
                pixels, page=number, languages=languages, again=again
            )
        except readers.OcrUnavailableError as exc:
            return Recognised(unread=f"not checked: {exc}")
        except UnreadableError:
            return Recognised(
                unread="not checked: the picture of the page cannot be drawn"
            )
        if reading.note:
            self.note(f"Page {number}: {reading.note}.")
        return reading

    def _refusal(self) -> Problem | None:
        """Return a problem that is known before a reader opens the file."""
        if not self.file:
            return Problem("empty", "The file is empty.")
        if len(self.file) > MAX_BYTES:
            return Problem("too_large", "The file is larger than 25 MB.")
        if self.kind == "other":
            looks = self.file[:512].lstrip().lower()
            kind = (
                "a web page"
                if looks.startswith((b"<!doctype", b"<html"))
                else "something else"
            )
            return Problem(
                "not_a_document",
                f"The file is {kind}, not a PDF, JPEG, PNG, TIFF or HEIC.",
            )
        return None


def name_pages(numbers: Sequence[int]) -> str:
    """Return page numbers in words: `page 3`, `pages 2, 3`, `pages 4 to 9`."""
    if len(numbers) == 1:
        return f"page {numbers[0]}"
    count = len(numbers)
    if count > 2 and numbers[-1] - numbers[0] == count - 1:
        return f"pages {numbers[0]} to {numbers[-1]}"
    return f"pages {', '.join(map(str, numbers))}"


def _with_form_data(page: Page, structure: readers.Structure) -> Page:
    """Return the first page with the values of an XFA form that no field of the page shows.

    These values have no place, so their boxes are empty.
    """
    visible = {widget.value for widget in structure.widgets}
    nowhere = Box(page.number, 0.0, 0.0, 0.0, 0.0)
    lines = tuple(
        Line(tuple(Word(text, nowhere, source="form value") for text in value.split()))
        for _, value in structure.form_data
        if value not in visible
    )
    if lines:
        return replace(page, lines=(*page.lines, *lines))
    return page
