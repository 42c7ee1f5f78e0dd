"""The check of the barcode on the back of a government ID."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from importlib import import_module

from checks import readers
from checks.base import Check, Evidence, Examined, Outcome, Tool, Verdict
from checks.data_check import (
    State,
    concluded,
    difference,
    id_data,
    issuing_country,
    text,
    verdict_of,
)
from checks.driving_licence.front import alike, front_of
from checks.fields.addresses.comparison import compare_addresses
from checks.fields.addresses.postal import address_from_wire
from checks.identity_barcode import aamva
from checks.subject_data.identity import agreement, attested_forms, forms
from checks.subject_data.tunables import ANOTHER, SAME
from checks.text.characters import only_letters_and_digits
from checks.wire import JsonObject, Wire
from papers import sexes
from papers.errors import UnreadableError

MEMBER = "government_id_verification_data"
# The resolution must be high: on a card copied onto a sheet of paper, the stripes are thin.
DPI, MAX_PAGES = 300, 2
NORTH_AMERICA = {"US", "CA"}
KINDS = {"DL": "driver's licence", "ID": "identity card"}
NO_RECORD = (
    "A barcode was read, and it holds no record of a driver's licence or identity card."
)


class BarcodeComparison(Tool):
    """Reads the PDF417 barcode (AAMVA) and holds it against the front and the attested data.

    `fields` are what the barcode says; each row is one field on both sides.
    """

    id = "kyc.government_id_barcode"
    payload_key = "barcode_check"

    def run(self, evidence: Evidence) -> Outcome:
        if evidence.problem:
            return self._undecided(
                "inconclusive", evidence.problem.explanation, evidence
            )
        contents = _barcodes(evidence)
        records = []
        for content in contents:
            record = aamva.read(content)
            if record:
                records.append(record)
        if records:
            return self._compared(records[0], evidence)
        if contents:
            return self._undecided("inconclusive", NO_RECORD, evidence)
        if _bears_barcode(id_data(evidence.attested)):
            explanation = "No barcode could be read on the picture of the back."
            return self._undecided("inconclusive", explanation, evidence)
        explanation = (
            "No barcode was read. Documents of this kind and country need not have one."
        )
        return self._undecided("not_applicable", explanation, evidence)

    def _undecided(
        self, verdict: Verdict, explanation: str, evidence: Evidence
    ) -> Outcome:
        payload = {
            self.payload_key: {"rows": []},
            "document": evidence.document_reference,
        }
        return Outcome(None, verdict, explanation, payload)

    def _compared(self, record: aamva.Record, evidence: Evidence) -> Outcome:
        rows = [
            *_compare(record, evidence.attested),
            *_compare_front(record, evidence.beside),
            *_judge(record, evidence.today),
        ]
        # Without any comparison the check must not pass.
        if not any(row["against"] and row["state"] != "info" for row in rows):
            how = "Nothing was attested that could be compared with the barcode."
            rows.append(difference("Compared", "", "", "unknown", how))
        verdict, explanation, alerts = verdict_of(rows, passed=_agreement(rows))
        passed: bool | None = verdict == "pass"
        if verdict == "inconclusive":
            passed = None
        return Outcome(
            passed=passed,
            verdict=verdict,
            explanation=explanation,
            payload={
                self.payload_key: {
                    "rows": rows,
                    "fields": _fields(record),
                    "sides": ["Attested", "Barcode"],
                    "versions": {"aamva": record.version},
                },
                "document": evidence.document_reference,
            },
            answer=record.name,
            alerts=alerts,
        )


class GovernmentIdBarcode(Check):
    """Does the barcode on the back of the ID agree with its front and with the applicant?

    Reads the PDF417 of driver's licences and identity cards of the United States and Canada (the
    AAMVA standard, versions 1 to 10) on `back_image_url` of the government ID; where there is no
    back, on the front.

    - another date of birth, number of the document, or expiry than attested or on the front, another
      country, or another name (score under 0.70); expired; issued before birth or in the future: fail;
    - a name that is only near (under 0.88), another address or sex, mandatory elements that lack or
      contradict each other, another name, date or number than is printed on the front: review;
    - a licence of those countries whose barcode could not be read, a barcode that holds something
      else, or nothing to compare it with: inconclusive;
    - no picture, or a document that need not bear such a barcode: not applicable.

    A barcode is easily printed: that it agrees does not prove the card genuine.
    """

    id = "kyc.government_id_barcode"
    title = "Barcode of the ID"
    documents = MEMBER
    tools = (BarcodeComparison(),)

    def documents_of(self, attested: JsonObject) -> Sequence[JsonObject]:
        card = id_data(attested)
        url = text(card.get("back_image_url")) or text(card.get("front_image_url"))
        if url:
            return [{"type": "Document", "url": url, "file_name": None}]
        return []

    def beside(self, document: JsonObject, attested: JsonObject) -> JsonObject | None:
        """Return the front, if the barcode is on another picture."""
        url = text(id_data(attested).get("front_image_url"))
        if not url or url == document.get("url"):
            return None
        return {"type": "Document", "url": url, "file_name": None}

    def conclude(self, examined: Sequence[Examined], attested: JsonObject) -> Outcome:
        if not examined:
            return Outcome(
                None, "not_applicable", "No picture of a government ID was given."
            )
        return concluded(examined[0], self.id)


def _agreement(rows: Sequence[JsonObject]) -> str:
    """Return a sentence that names the fields that agree."""
    compared = []
    for row in rows:
        if row["against"] and row["state"] == "pass":
            compared.append(str(row["label"]).lower())
    return f"The barcode agrees: {', '.join(compared)}."


def _barcodes(evidence: Evidence) -> list[bytes]:
    # Imported here with its libraries, only in the process that opens a picture.
    codes = import_module("checks.vision.codes")
    contents: list[bytes] = []
    for number in range(1, min(evidence.page_count, MAX_PAGES) + 1):
        try:
            pixels = readers.draw_page(evidence.file, number, dpi=DPI)
        except UnreadableError:
            continue
        contents += codes.find_records(pixels)
    return contents


def _bears_barcode(card: JsonObject) -> bool:
    kind = text(card.get("document_type")).casefold()
    country = issuing_country(card)
    return country in NORTH_AMERICA and "passport" not in kind


def _compare(record: aamva.Record, attested: JsonObject) -> list[Wire]:
    card = id_data(attested)
    rows: list[Wire] = []
    sides = (("Attested", attested, "middle_name"), ("Front", card, "middle_names"))
    for source, facts, middle_key in sides:
        names = attested_forms(facts, middle_key)
        if names and record.name:
            rows.append(_name(source, names, record))
        for label, key, read in (
            ("date of birth", "date_of_birth", record.birth_date),
            ("expiry", "expiration_date", record.expiry_date),
            ("number", "document_number", record.number),
        ):
            if (value := text(facts.get(key))) and read:
                rows.append(_exact(f"{source} {label}", value, str(read)))
        rows += _address(source, facts.get("address"), record)
    issuer = issuing_country(card)
    if issuer and record.country:
        rows.append(_exact("Front country", issuer, record.country))
    sex = sexes.letter(text(attested.get("sex"))).upper()
    if sex and record.sex:
        rows.append(_sex(sex, record.sex))
    return rows


def _compare_front(record: aamva.Record, beside: Evidence | None) -> list[Wire]:
    """Compare the barcode with the printed front.

    Either may be misread, so a difference goes to manual review.
    """
    if beside is None or beside.problem:
        return []
    front = beside.once(front_of)
    if front is None:
        return []
    rows: list[Wire] = []
    for label, printed, read, numbers in (
        ("name", front.name, record.name, ("1", "2")),
        ("date of birth", front.born, record.birth_date, ("3",)),
        ("expiry", front.expires, record.expiry_date, ("4b",)),
        ("number", front.number, record.number, (front.number_field,)),
    ):
        if not printed or not read or not front.is_sure(*numbers):
            continue
        row = _printed(f"Printed {label}", str(printed), str(read))
        rows.append(row)
    return rows


def _printed(label: str, printed: str, read: str) -> Wire:
    if sorted(map(_packed, printed.split())) == sorted(map(_packed, read.split())):
        return difference(label, printed, read, "pass")
    if alike(printed) == alike(read):
        return difference(label, printed, read, "pass")
    how = f"{label}: {printed}; the barcode says {read}."
    return difference(label, printed, read, "review", how)


def _sex(attested: str, read: str) -> Wire:
    if attested == read:
        return difference("Attested sex", attested, read, "pass")
    how = f"The barcode says {read}, attested was {attested}."
    return difference("Attested sex", attested, read, "review", how)


def _name(source: str, names: list[str], record: aamva.Record) -> Wire:
    score = agreement(names, forms(record.given_names, "", record.family_name))
    state: State = "fail"
    if score >= SAME:
        state = "pass"
    # A truncated name differs by design, so it never fails.
    elif score >= ANOTHER or record.is_truncated:
        state = "review"
    name = names[0]
    how = f"{source} “{name}”, barcode “{record.name}”: similarity {score:.2f}."
    if record.is_truncated:
        how += " The barcode marks the name as cut."
    return difference(f"{source} name", name, record.name, state, how)


def _exact(label: str, value: str, read: str) -> Wire:
    if _packed(value) == _packed(read):
        return difference(label, value, read, "pass")
    how = f"{label}: {value}; the barcode says {read}."
    return difference(label, value, read, "fail", how)


def _address(source: str, value: object, record: aamva.Record) -> list[Wire]:
    attested = address_from_wire(value)
    read = address_from_wire(record.address)
    if attested is None or read is None:
        return []
    state, how = compare_addresses(attested, read)
    label = f"{source} address"
    if state in {"equal", "close"}:
        return [difference(label, str(attested), str(read), "pass", how)]
    how = f"The barcode has another address ({how})."
    return [difference(label, str(attested), str(read), "review", how)]


def _judge(record: aamva.Record, today: date) -> list[Wire]:
    """Return the findings about the barcode itself."""
    kind = KINDS[record.kind]
    description = f"{kind}, AAMVA version {record.version}, issuer {record.issuer}"
    rows = [difference("Record", "", description, "info")]
    expires = record.expiry_date
    issued = record.issue_date
    born = record.birth_date
    if expires and expires < today:
        how = f"The document expired on {expires}, says its barcode."
        rows.append(difference("Expires", "", str(expires), "fail", how))
    if issued and issued > today:
        how = "The document was issued in the future, says its barcode."
        rows.append(difference("Issued", "", str(issued), "fail", how))
    elif issued and born and issued < born:
        how = "The document was issued before the date of birth, says its barcode."
        rows.append(difference("Issued", "", str(issued), "fail", how))
    if record.missing:
        how = f"The barcode lacks {', '.join(record.missing)}, which the standard requires."
        rows.append(difference("Complete", "", "no", "review", how))
    if record.contradicted:
        how = f"The barcode has different values of {', '.join(record.contradicted)}."
        rows.append(difference("Contradiction", "", "yes", "review", how))
    return rows


def _fields(record: aamva.Record) -> dict[str, object]:
    return {
        "first_name": record.given_names,
        "last_name": record.family_name,
        "document_number": record.number,
        "sex": record.sex,
        "country": record.country,
        "address": record.address,
        "kind": record.kind,
        "issuer": record.issuer,
        "date_of_birth": str(record.birth_date or ""),
        "expiration_date": str(record.expiry_date or ""),
        "issue_date": str(record.issue_date or ""),
    }


def _packed(value: str) -> str:
    return only_letters_and_digits(value).upper()
