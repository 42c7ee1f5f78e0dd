"""Classification of a document by its words. Words in the title count more."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from checks.data import table
from checks.fields import tunables
from checks.fields.extracted import ExtractedValue
from checks.fields.places.registers import words_of_register
from checks.fields.tax_offices import find_tax_office
from checks.text.phrases import Pattern, Phrase
from checks.text.words import (
    Span,
    Text,
)

FLAGS = re.IGNORECASE | re.MULTILINE


@dataclass(frozen=True, slots=True)
class DocumentType:
    code: str
    name: str
    keywords: tuple[tuple[Pattern, int], ...]


def _type(code: str, name: str, *keywords: tuple[str, int]) -> DocumentType:
    return DocumentType(
        code, name, tuple((Phrase(words, FLAGS), weight) for words, weight in keywords)
    )


TYPES = (
    _type(
        "certificate_of_incorporation",
        "a certificate of incorporation",
        (
            r"certificat(?:e|ion) of (?:incorporation|formation|organi[sz]ation|registration of (?:a )?(?:company|corporation)|filing|limited partnership|existence|status|good standing|fact)",
            5,
        ),
        (r"hereby certif(?:y|ies)|do hereby (?:certify|issue)|this is to certify", 2),
        (
            r"registrar (?:general|of (?:companies|corporations|corporate affairs))|secretary of (?:the )?state",
            2,
        ),
        (
            r"(?:is|was|has been)(?: this day| duly) (?:incorporated|organi[sz]ed|formed)",
            4,
        ),
        (r"(?:is|was|has been) (?:incorporated|organi[sz]ed|formed)", 2),
        (
            r"registration certificate|certificate (?:confirming|of confirmation of) incorporation",
            5,
        ),
        (
            r"certificate of (?:registered office|(?:business |commercial |company )?registration of|incumbency|compliance|continuance|amalgamation)"
            r"|short form standing|certificate of (?:domestic |foreign )?company registration|commercial registration(?: certificate)?|trade licen[cs]e|commercial licen[cs]e|business licen[cs]e|filing receipt",
            5,
        ),
        (
            r"certificado de (?:vigencia|persona jur[íi]dica|cumplimiento|existencia|inscripci[óo]n|constituci[óo]n|registro)|certidão (?:simplificada|de registro|de constituição)"
            r"|certificat (?:de constitution|d['\u2019]immatriculation|d['\u2019]incorporation|de conformité)|certificat de înregistrare"
            r"|r[ée]c[ée]piss[ée] de d[ée]claration|certificaci[óo]n de personer[íi]a|patente de comercio|certificado de registro mercantil|certificato di iscrizione|registre du commerce et du cr[ée]dit|perakuan pemerbadanan|gi[ấa]y ch[ứư]ng nh[ậa]n đăng ký|nomor induk berusaha|营\s*业\s*执\s*照|tasdiknamesi|akta kelahiran perusahaan",
            5,
        ),
    ),
    _type(
        "register_extract",
        "an extract of a register of companies",
        (
            r"extrait kbis|extrait du registre|handelsregister|registro mercantil|business register(?: extract)?"
            r"|registry card|^business profile\b|visura (?:camerale|ordinaria)|uittreksel",
            5,
        ),
        (
            r"^(?:[\w' ]{0,40}\b)?(?:company|corporate|entity|current|historical) (?:extract|profile|search|record)s?\b"
            r"|business profile \(company\)|extract (?:of|from) the (?:commercial |companies |trade |business )?regist(?:er|ry)"
            r"|certificate of all (?:historical|current) matters|履歴事項全部証明書|現在事項全部証明書|등기사항전부증명서",
            5,
        ),
        (
            r"registreringsbevis|firmaattest|kaupparekisteriote|handelsregistrets|fuldstændig rapport|sammenskrivning|registrikaart|väljatrükk"
            r"|\bodpis(?:owi)? (?:aktualn|pełn)|výpis\b[^\n]{0,20}(?:\n[^\n]{0,10})?z (?:obchodní|veřejn|obchodného)|cégkivonat|cégmásolat|izziņa|išrašas"
            r"|certidão permanente|notice of articles|corporate registration system|situation au repertoire sirene|situation au répertoire sirene|vereinsregister|izvadak|izvod o|витяг|nota (?:simple )?informativa|état de renseignements|firmenbuch|handelsregister-?auszug|\bextrait\b[^\n]{0,40}\bregistre"
            r"|registre de commerce|registro imprese|удостоверение|извлечение из|выписка из|витяг з|sudskog registra|izpis iz|γενικό πιστοποιητικό|\u03b3\.ε\.μη",
            5,
        ),
    ),
    _type(
        "articles_of_incorporation",
        "articles of incorporation",
        (
            r"(?:articles?|memorandum) of (?:incorporation|organi[sz]ation|association|amendment)|\bconstitution of|定\s*款"
            r"|^(?:gesellschaftsvertrag|satzung|statuts|estatutos(?: sociales)?|statuto|statuten|contrato social|pacto social|bolagsordning|vedtægter)\b",
            4,
        ),
        (
            r"registered agent|incorporators?\b|subscribers?\b|agent for service of process",
            2,
        ),
        (r"\barticle (?:i|ii|1|one)\b", 2),
    ),
    _type("bylaws", "bylaws", (r"\bby-?laws\b", 3), (r"operating agreement", 4)),
    _type(
        "ein_letter",
        "an EIN letter of the IRS",
        (r"employer identification number", 3),
        (r"\bemployer id number\b", 3),
        (r"cp ?575|147c|form:? ?ss-4", 5),
        (r"we assigned you", 3),
    ),
    _type(
        "irs_determination_letter",
        "a determination letter of the IRS",
        (r"exempt (?:from federal income tax|status)", 3),
        (r"letter 947|501\(c\) ?\(3\)", 2),
        (r"dear applicant", 3),
    ),
    _type(
        "tax_registration",
        "a tax registration",
        (
            r"vat registration number|goods and services tax|tax registration (?:certificate|number)|certificate of registration for value added tax"
            r"|udyam registration|form no\.? ?10ac|order for (?:provisional )?(?:registration|approval)|permanent account number card"
            r"|taxpayer registration|tax identification number certificate|certificate of (?:tax|vat|gst|tin) registration"
            r"|cadastro nacional da pessoa jurídica|comprovante de inscrição e de situação cadastral|constancia de situación fiscal"
            r"|cédula de identificación fiscal|registro único tributario|ficha ruc|constancia de inscripci[óo]n|cédula jurídica"
            r"|certificato di attribuzione|avis de situation au répertoire sirene|attestation d['\u2019]immatriculation fiscale"
            r"|bescheinigung über die (?:eintragung|erfassung) als steuerpflichtiger|australian business register|abn registration",
            4,
        ),
        (
            r"vat certificate|form gst reg|registration certificate form gst|income-? ?tax rules|central board of (?:direct|indirect) taxes"
            r"|servicio de administración tributaria|receita federal|revenue authority|bureau of internal revenue|federal tax authority"
            r"|income tax department|agenzia delle entrate|agencia tributaria|ministry of (?:micro|msme)",
            4,
        ),
    ),
    _type(
        "bank_statement",
        "a bank statement",
        (
            r"account statement|bank statement|statement of account|kontoauszug|relevé (?:de compte|bancaire)|extracto (?:de cuenta|bancario)|estratto conto|rekeningafschrift|statement period|(?:beginning|opening|closing|ending) (?:account )?balance",
            4,
        ),
        (
            r"checking account|current account|savings account|withdrawals|deposits|sort code|\biban\b",
            2,
        ),
    ),
    _type(
        "credit_card_statement",
        "a statement of a credit card",
        (r"(?:credit )?card statement|credit card account", 5),
        (
            r"minimum payment|credit limit|available credit|annual percentage rate|cash advances",
            3,
        ),
    ),
    _type(
        "mortgage_statement",
        "a statement of a mortgage",
        (r"mortgage (?:loan )?statement|mortgage account", 6),
        (
            r"escrow (?:balance|account)|principal balance|outstanding principal|mortgagor",
            3,
        ),
    ),
    _type(
        "utility_bill",
        "a utility bill",
        (
            r"billing statement|utility bill|service address|supply address|meter (?:reading|number|no)|\bkwh\b|water service"
            r"|(?:electricity|gas|water|energy|broadband|telephone|internet) (?:bill|statement|account|charges)"
            r"|(?:strom|gas|wasser)rechnung|facture d['\u2019](?:électricité|énergie|eau)|factura de (?:luz|electricidad|gas|agua)|bolletta|energienota",
            3,
        ),
        (
            r"due date|amount due|service period|billing (?:date|period)|standing charge|sewer",
            2,
        ),
    ),
    _type(
        "tenancy_agreement",
        "a lease",
        (
            r"(?:tenancy|lease|rental) agreement|agreement of lease|assured shorthold tenancy|residential lease|commercial lease",
            6,
        ),
        (
            r"\b(?:landlord|lessor)\b|\b(?:tenant|lessee)\b|\bpremises\b|monthly rent|security deposit",
            2,
        ),
    ),
    _type(
        "insurance_policy",
        "an insurance policy",
        (
            r"(?:certificate|schedule|evidence) of (?:[a-z]+ )?insurance|insurance (?:policy|certificate|schedule)|policy (?:schedule|declarations?)|declarations page",
            5,
        ),
        (
            r"policy ?(?:number|no|holder)|named insured|premium|insured (?:property|location|address)",
            2,
        ),
    ),
    _type(
        "tax_document",
        "a tax document",
        (
            r"council tax|property tax (?:bill|statement)|tax (?:assessment|return|demand|calculation|bill)|notice of assessment|self assessment",
            5,
        ),
        (
            r"tax (?:year|period)|taxpayer|hm revenue|revenue (?:service|commissioners|agency)",
            2,
        ),
    ),
    _type(
        "driver_license",
        "a driving licence",
        (
            r"driver'?s? licen[cs]e|driving licen[cs]e|permis de conduire|f[üu]hrerschein",
            6,
        ),
    ),
    _type(
        "ownership_document",
        "a document of ownership",
        (
            r"register of (?:members|shareholders|beneficial owners)|(?:share|stock)(?:holders?)? (?:register|ledger)|cap(?:italization|italisation)? table"
            r"|(?:ownership|shareholding) (?:structure|chart|schedule|certificate)|beneficial owner(?:ship)?(?: declaration)?|list of (?:shareholders|members)"
            r"|schedule of members|statement of capital",
            5,
        ),
        (
            r"(?:percentage|%) (?:of )?(?:ownership|shares|shareholding|interest)|number of shares|membership interests?|shareholders?\b",
            2,
        ),
    ),
    _type(
        "payslip",
        "a payslip",
        (
            r"pay ?slip|earnings statement|pay ?stub|salary (?:slip|statement)|pay statement",
            6,
        ),
        (r"gross pay|net pay|employee (?:id|number|name)|year to date|deductions", 2),
    ),
    _type(
        "sale_agreement",
        "an agreement of sale",
        (
            r"(?:sale and purchase|purchase and sale|asset purchase|share purchase|stock purchase|sales?) agreement|contract of sale|completion statement|closing disclosure",
            6,
        ),
        (r"purchase price|\bseller\b|\bbuyer\b|\bpurchaser\b|\bvendor\b", 2),
    ),
    _type(
        "loan_agreement",
        "an agreement of a loan",
        (r"loan agreement|promissory note|facility agreement|credit agreement", 6),
        (r"\bborrower\b|\blender\b|principal amount|interest rate", 2),
    ),
    _type(
        "investment_agreement",
        "an agreement of an investment",
        (
            r"simple agreement for future equity|\bsafe\b agreement|subscription agreement|investment agreement|convertible (?:promissory )?note",
            6,
        ),
        (r"\binvestors?\b|purchase amount|valuation cap|subscri(?:ber|ption)", 2),
    ),
    _type(
        "inheritance_document",
        "a document of an inheritance",
        (
            r"grant of probate|last will and testament|letters of administration|estate of|inheritance",
            5,
        ),
        (r"\bexecutors?\b|\bbeneficiar(?:y|ies)\b|deceased|testator", 2),
    ),
    _type(
        "financial_statements",
        "accounts",
        (
            r"financial statements|balance sheet|income statement|profit and loss|statement of cash flows|dividend (?:voucher|certificate|statement)",
            5,
        ),
        (r"retained earnings|total assets|net income|auditors?'? report|turnover", 2),
    ),
    _type(
        "invoice",
        "an invoice",
        (r"\binvoice (?:number|no|date)|tax invoice|vat invoice", 5),
        (r"total (?:due|amount)", 2),
    ),
    _type(
        "identity_document",
        "an identity document",
        (r"[A-Z0-9]<{4,}", 6),
        (
            r"^(?:passport|passeport|national identity card|identity card|carte d.identit[eé]|personalausweis|reisepass|residence permit)\b.{0,30}$",
            4,
        ),
    ),
    _type(
        "business_licence",
        "a licence or registration of an activity",
        (
            # “BSD 2-Clause License”, and the heading of a manual above it, are of a program.
            r"(?<!clause\s)(?<!public\s)(?<!mit\s)(?<!apache\s)\blicen[cs]e\b(?!\s*(?:bsd|mit|gnu|l?gpl|lppl|apache|agreement)\b)|accredited|enrol?ment number|waste carrier",
            3,
        ),
        (r"certificate of registration", 3),
    ),
)
# Documents that a company register issues. They state the company, its number and since when it
# exists.
OF_REGISTER = frozenset({"certificate_of_incorporation", "register_extract"})
# Documents that a tax office or a similar authority issues. They state a number of the business,
# its name and its address.
TAX_REGISTRATIONS = frozenset({"tax_registration"})
INCORPORATION = OF_REGISTER | {"articles_of_incorporation"}
INVOICE = "invoice"


def classify(text: Text) -> ExtractedValue[DocumentType] | None:
    """Return the type with the highest weight, or None if no type reaches `KIND_WEIGHT`.

    Where none does, general words of registers may still tell an extract.
    """
    head = text.value[: tunables.KIND_HEAD]
    plain = _without_accents(head)
    scores = [_score(kind, head, plain) for kind in TYPES]
    office = find_tax_office(text)
    if office:
        scores = [_with_office(score, office.span) for score in scores]
    # The sort is stable: of several types with the same weight the first in the table wins.
    scores.sort(key=lambda score: score.weight, reverse=True)
    best, second, *_ = scores
    if best.weight < tunables.KIND_WEIGHT or best.span is None:
        return _of_register(text)
    lead = best.weight - second.weight
    # The confidence depends on the lead over the second type, not on the weight: two types with
    # many words each are still hard to tell apart.
    certainty = min(0.55 + 0.05 * lead, 0.97)
    how = "words of its title and text"
    return ExtractedValue(best.kind, best.span, how, certainty)


def _of_register(text: Text) -> ExtractedValue[DocumentType] | None:
    """Return an extract of a register, if general words of registers stand in the text."""
    span = words_of_register(text)
    if span is None:
        return None
    kind = next(kind for kind in TYPES if kind.code == "register_extract")
    how = "several words of registers"
    return ExtractedValue(kind, span, how, tunables.OF_GENERAL_WORDS)


def _with_office(score: Score, title: Span) -> Score:
    """Raise the weight of a tax registration if the name of a tax office stands beside its
    title.
    """
    if score.kind.code not in TAX_REGISTRATIONS:
        return score
    weight = score.weight + tunables.OFFICE_WEIGHT
    return Score(weight, score.kind, score.span or title)


class Score(NamedTuple):
    """The total weight of a type, and the first words that counted for it."""

    weight: int
    kind: DocumentType
    span: Span | None


@cache
def _words_of_languages(code: str) -> Phrase | None:
    """Return the words of one kind in languages other than English, from the table."""
    several = [row["words"] for row in table("paper_kinds") if row["kind"] == code]
    if not several:
        return None
    words = _without_accents("|".join(several))
    return Phrase(rf"(?<!\w)(?:{words})(?!\w)", FLAGS)


# Letters that Unicode does not decompose into a base letter and an accent.
NO_ACCENT = str.maketrans("łŁøØđĐı", "lLoOdDi")


def _without_accents(text: str) -> str:
    """Return the text with as many letters, without accents: OCR of one language does not read all."""
    letters = (unicodedata.normalize("NFD", letter)[0] for letter in text)
    return "".join(letters).translate(NO_ACCENT)


class Cues(NamedTuple):
    """What a pattern of a type found. `is_title`: the pattern holds titles."""

    matches: Sequence[re.Match[str]]
    weight: int
    is_title: bool


def _cues(kind: DocumentType, head: str, plain: str) -> Iterator[Cues]:
    """Yield what stands in the head; `plain` is the head without accents."""
    for index, (pattern, weight) in enumerate(kind.keywords):
        # The first pattern of a type holds its titles.
        yield Cues(list(pattern.finditer(head)), weight, index == 0)
    words = _words_of_languages(kind.code)
    if words:
        is_invoice = kind.code == INVOICE
        weight = tunables.OF_INVOICES if is_invoice else tunables.OF_LANGUAGES
        yield Cues(list(words.finditer(plain)), weight, True)  # noqa: FBT003


def _score(kind: DocumentType, head: str, plain: str) -> Score:
    total = 0
    span: Span | None = None
    is_in_title = False
    for matches, weight, is_title in _cues(kind, head, plain):
        if not matches:
            continue
        # A footer repeats its words on every page, so more than two matches add nothing.
        total += weight * min(len(matches), 2)
        start, end = matches[0].span()
        if span is None:
            span = Span(start, end)
        # Only a title near the start is that of the document.
        if is_title and start < tunables.TITLE:
            is_in_title = True
    if is_in_title:
        total += tunables.TITLE_BONUS
    return Score(total, kind, span)
