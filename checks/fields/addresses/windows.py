"""The window of a letter: a block of short lines with a name, a street, and a postal code with a
town.

Letters and bills of all countries have such blocks. The sender may have one, too, or a single line.
The lines above and around a block tell whether it is that of the addressee.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from checks.data import table
from checks.fields import tunables
from checks.fields.addresses.postal import Address
from checks.fields.addresses.whole import address_of_lines
from checks.fields.extracted import ExtractedValue
from checks.fields.names.companies import is_sentence
from checks.fields.names.soundness import is_of_labels
from checks.text.characters import count_letters, has_digit
from checks.text.folding import folded
from checks.text.words import Span, Text

# The last line of an address: a postal code before or after its town.
TOWN = r"[^\W\d_][^\d,;:]{1,40}"
BEHIND = r"(?:[ ,(\u2013-]{1,3}[^\d;:]{1,40})?"
ENDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (country, re.compile(pattern))
    for country, pattern in (
        ("PT", rf"(?P<code>\d{{4}}-\d{{3}}) (?P<city>{TOWN})"),
        ("PL", rf"(?P<code>\d{{2}}-\d{{3}}) (?P<city>{TOWN})"),
        ("NL", r"(?P<code>\d{4} ?[A-Z]{2}) {1,2}(?P<city>['\u2019]?[^\W\d_][^\d,;:]{1,40})"),
        ("GB", r"(?:(?P<city>[^\d,;:]{2,40}),? )?(?P<code>[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2})"),
        ("IE", r"(?:(?P<city>[^\d;:]{2,40}),? )?(?P<code>[A-Z]\d[\dW] [A-Z\d]{4})"),
        ("CA", rf"(?P<city>{TOWN}),? \(?(?:[A-Z]{{2}}|[^\W\d_]{{4,20}})\)? (?P<code>[A-Z]\d[A-Z] ?\d[A-Z]\d)"),
        ("US", rf"(?P<city>{TOWN}),? (?P<state>[A-Z]{{2}}) {{1,2}}(?P<code>\d{{5}}(?:-\d{{4}})?)"),
        ("AU", rf"(?P<city>{TOWN}),? (?P<state>NSW|VIC|QLD|WA|SA|TAS|ACT|NT) (?P<code>\d{{4}})"),
        ("MX", rf"(?P<city>{TOWN}?)(?:,? (?P<state>[A-Z]{{2,4}}\.?))? C\.?P\.? ?(?P<code>\d{{5}})"),
        ("MX", rf"C\.?P\.? ?(?P<code>\d{{5}}),? (?P<city>{TOWN}){BEHIND}"),
        ("BR", r"(?:CEP:? )?(?P<code>\d{5}-\d{3})[ -]{1,3}(?P<city>[^\d;:]{2,50})"),
        ("BR", rf"(?P<city>{TOWN}?)[ ,/-]{{1,3}}(?P<state>[A-Z]{{2}})[ ,-]{{1,3}}(?:CEP:? )?(?P<code>\d{{5}}-\d{{3}})"),
        ("BR", r"CEP:? (?P<code>\d{5}-\d{3})"),
        ("RO", r"(?P<code>\d{6}) {1,2}(?P<city>[^\W\d_][^\d;:]{1,40})"),
        # The code behind the town, as in New Zealand and South Africa. A year is none.
        ("", r"(?P<city>[A-Z][^\d,;:]{2,40}),? (?P<code>(?!19|20)\d{4})"),
        ("", r"(?P<code>(?:[A-Z]{1,2}-)?\d{4,5}|\d{3} \d{2}) {1,2}(?P<city>[^\W\d_][^\d;:]{1,40})"),
        # A postal code alone, with the town on the line above.
        ("", r"(?P<code>\d{4,6})"),
        ("IN", r"(?P<city>[^\W\d_][^\d;:]{1,40}?)[ ,\u2013-]{1,3}(?P<code>\d{6}|\d{3} \d{3})"),
    )
)  # fmt: skip
BOXED = re.compile(
    r"(?P<box>P\.? ?O\.? ?Box:? \d{1,6}) ?[-\u2013,]{1,2} ?(?P<code>\d{5})(?:[ ,]{1,2}(?P<city>[^\d,;:]{2,30}))?",
    re.IGNORECASE,
)
# Forms of address, which introduce the addressee.
TITLE = re.compile(
    r"^(?:(?:an|to|à|a)\s+)?(?:mr|mrs|ms|miss|mx|dr|prof|m|mme|mlle|monsieur|madame|herrn?|frau|familie|sr|sra|srta|d|dª|dña|don|doña|señora?"
    r"|sig|sigg|sig\.ra|signora?|spett|spett\.le|gent|gent\.ma|egr|de heer|dhr|mevr|mevrouw|pan|pani|herr|fru|(?:dott(?:\.ssa)?|avv|ing|mag|rag|geom|arch|dipl|mgr|bc|judr|mudr|phdr)(?=\.))\b\.?(?: & mrs\.?| und frau)?(?=\s|$|\.)",
    re.IGNORECASE,
)
# Forms of address that only stand on letters, and that no name begins with: “Egr. Dott. Matteo Sanvitale”.
OF_HONOUR = re.compile(
    r"^(?:egr(?:egi[oa])?\.?|gent(?:\.? ?(?:m[oaie]|le|ilissim[oa]))?\.?|spett(?:\.? ?(?:le|abile))?\.?|ill\.? ?m[oa]\.?|preg\.? ?m[oa]\.?|chiar\.? ?m[oa]\.?"
    r"|ex\.? ?m[oa]s?\.?(?:\([as]\))?|il\.? ?m[oa]\.?|say[\u0131i]n) (?=\S)",
    re.IGNORECASE,
)
# A greeting to whoever pays. It is no name.
GREETING = re.compile(
    r"^(?:dear|gentile|egregi[oa]|caro|cara|estimad[oa]|querid[oa]|cher|chère|sehr geehrte[r]?|prezad[oa]|geachte|hej|kære|kjære) "
    r"(?:cliente?s?|customer|member|sir|madam|kund\w*|signor[ae]?|señor[ae]?s?|klant|damen)\b.{0,30}$",
    re.IGNORECASE,
)
# Lines with such a word alone, which are not part of the name.
SALUTATION = re.compile(
    r"^(?:(?:an )?(?:the |die |den |to the )?(?:directors?|company secretary|manager|management|owner|occupiers?|proprietor|geschäftsführung|geschäftsleitung"
    r"|vorstand|eheleute|ehepaar|eigentümer)|(?:à l['\u2019]attention de )?(?:le |la )?(?:gérant|direction|dirigeant)e?|(?:el |la )?(?:dirección|gerencia|administrador)"
    r"|an|herrn?|frau|familie|firma|monsieur|madame|señora?|signora?|say\u0131n|de heer|mevrouw|spett\.?(?:le)?|(?:gent\.?(?:ma|mo)?|egr\.?)?(?: ?sig\.?(?:ra|na)?)?"
    r"|datos del? (?:cliente|titular)|dati (?:del )?cliente|dados do cliente|vos coordonnées|(?:ihre|kunden)daten|klantgegevens|dane (?:klienta|nabywcy|odbiorcy)"
    r"|(?:customer|client|account|your|policyholder) details"
    r"|(?:ex\.? ?m[oa]s?\.? )?(?:senhor(?:a|es|as)?|sr\.?[aª]?s?\.?)|ex\.? ?m[oa]s?\.?"
    r"|państwo|sz\.? ?p(?:an|ani|\.)?|szanown[iya] (?:pan|pani|państwo)|vážen[ýáí] (?:pan|paní|pane)|tisztelt|domnul|doamna|d-?l|d-?na|gospodin|gospođa|g\.?|gđa|κος|κα|κ\.|härra|proua|ponia[si]?"
    r"|(?:rechnungs|faktura)(?:adresse|anschrift)|faktur(?:erings)?adress[e]?|fakturaadress|(?:billing|invoice) address|adresse de facturation|dirección de facturación|indirizzo di fatturazione|morada de fatura[çc]ão|factuuradres|laskutusosoite|fakturační adresa|fatura adresi|facturé à|bill(?:ed)? to|invoice to|ship to|cliente|client|kunde|nabywca|odbiorca|kund|customer|destinatario|destinataire|klant|factuur aan|rechnung an|fatturato a|faktura till|faktura til|sold to|to|aan|till?|para|komu|címzett)\s*:?\s*\.?$",
    re.IGNORECASE,
)
# A department or an office within the addressee, above or below its name.
DEPARTMENT = re.compile(
    r"^(?:(?:the |z\. ?hd\.? |t\.a\.v\. (?:de )?|attn:? |à l['\u2019]attention du |att\.? )?(?:(?:[a-z]+ )?(?:managers?|department)|accounts (?:payable|department|office)"
    r"|(?:kreditoren|finanz)?buchhaltung|rechnungswesen|(?:service )?comptabilité|service (?:achats|facturation)|crediteurenadministratie|administratie"
    r"|ufficio (?:contabilità|acquisti)|(?:departamento de )?contabilidad|contabilidade|dział księgowości|księgowość|ekonomiavdelningen|bogholderiet|bogholderi"
    r"|regnskap(?:savdelingen)?|účtárna|könyvelés))\s*$",
    re.IGNORECASE,
)
# Who opens the letter at the addressee, or receives it in place of the addressee.
FOR_ATTENTION = re.compile(
    r"^(?:(?:attn|att|attention|z\. ?hd|t\.a\.v)\b[.:]{0,2} |(?:c/o|p/a|care of|℅) ?)\S",
    re.IGNORECASE,
)
# The second line of two holders.
JOINING = re.compile(
    r"^(?:(?i:and|or|&|und|oder|et|ou|en|of|oraz|og|och|ja)|[yeoi]) (?=\S)"
)
# “Gent.le”, “Exmo.(s) Sr.(s)”: a form of address in any language, in abbreviations alone.
REAL_WORD = re.compile(r"(?<![^\s(])[^\W\d_]{2,}(?:['\u2019-][^\W\d_]+)*(?=[\s,;)]|$)")
# Words that make a form of address together: “Herrn und Frau”, “Mr and Mrs”.
OF_ADDRESSING = frozenset(
    {"herrn", "herr", "frau", "und", "mr", "mrs", "ms", "and", "monsieur", "madame", "et", "m", "mme", "señor", "señora", "y",
     "państwo", "sr", "sra", "signor", "signora", "senhor", "senhora", "exma", "exmo", "e", "pan", "pani", "i", "de", "heer", "mevrouw", "en", "eheleute", "an", "to", "za"}
)  # fmt: skip
# Degrees and offices of a person that stand beside a form of address, on a line above the name: “Frau Mag.”.
OF_DEGREES = frozenset(
    {"mag", "magª", "dr", "prof", "dipl", "ing", "dipl-ing", "di", "univ", "med", "phil", "iur", "dott", "dott.ssa", "avv", "rag", "geom", "arch", "mgr", "bc", "judr",
     "mudr", "phdr", "lic", "eng", "engª", "dra", "hon", "rev"}
)  # fmt: skip
# Goods may be shipped to another address than the bill.
SHIPPED = re.compile(r"^ship(?:ped)? to\b", re.IGNORECASE)
# Words for organisations that send letters and bills, and words that introduce their own address.
SENDER = re.compile(
    r"\b(?:\w*bank(?:en|a)?\b|banque|banco|banca|\w*kasse\b|försäkring|forsikring|suministradora|el[ée]ctric[ao]|building society|insurance|versicherung|assurances?|council|finanzamt|agencia|agenzia|belastingdienst"
    r"|direction|directorate|ministère|ministry|département|department|delegación|comune di|revenue|office|agency|agence|energ[iy]\w*|énergie|électricité"
    r"|elektri\w+|electric|water|wasserwerke?|stadtwerke|aguas|gazownia|luz d[aeo]|luce|telecom\w*|télécom\w*|mobile|broadband|hosting|service clients?|tsa"
    r"|customer services?|head office|sede legale|domicilio social|registered office|siège social|succ\.|cedex|siret|bic|iban)(?!\w)",
    re.IGNORECASE,
)
# Words that introduce the address of an office. They are searched in the address itself; SENDER is
# not, because a street may be named after a bank or the water.
OF_OFFICE = re.compile(
    r"\b(?:service clients?|tsa|customer services?|head office|sede legale|domicilio social|registered office|siège social|succ\.|cedex|siret|bic|iban)(?!\w)",
    re.IGNORECASE,
)
# The lines of a letterhead below its address. What is written to has none of them.
OF_LETTERHEAD = re.compile(
    r"^(?:kvk|iban|bic|tel|phone|telefon|téléphone|fax|www|e-?mail|web)\b",
    re.IGNORECASE,
)
BOX = re.compile(
    r"\b(?:p\.? ?o\.? box|postfach|postbus|boîte postale|b\.?p\.? \d|postboks|apartado|caixa postal|skr\. poczt)",
    re.IGNORECASE,
)
NO_NAME = re.compile(
    r"[#@]|:\s|:$|\d{3,}|\b(?:page|statement|invoice|notice|period|account|amount|balance|phone|tel|fax|email|www|factura|facture|rechnung|fattura|fatura"
    r"|extracto|estratto|relevé|kontoauszug|rekeningafschrift|datum|fecha|date)\b",
    re.IGNORECASE,
)

# A number with a label of its own, such as a telephone number, is no street.
NO_STREET = re.compile(
    # “CAD. NO: 44 D: 6” is a street in Turkey.
    r"[#@]|(?<!\bno)(?<!\bd)(?<!\bkat):\s|\d{7,}|\b(?:tel|fax|iban|bic|siret|vat)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Window:
    """A name above an address. The higher the `weight`, the likelier this is the addressee."""

    name: ExtractedValue[str] | None
    address: ExtractedValue[Address]
    weight: int
    # A further line above the name, which may be the addressee: a company above the person in charge.
    over: ExtractedValue[str] | None = None


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    start: int


def find_windows(text: Text) -> list[Window]:
    """Return the blocks of names and addresses, the likeliest addressee first."""
    windows = []
    start = 0
    for block in text.value.split("\f"):
        lines = list(_lines(block, start))
        for index, line in enumerate(lines):
            window = _window(text, lines, index, line)
            if window:
                windows.append(window)
        # The form feed that separates two blocks counts as one character.
        start += len(block) + 1
    return sorted(windows, key=lambda window: -window.weight)


def _lines(block: str, start: int) -> Iterator[_Line]:
    for line in block.split("\n"):
        yield _Line(line.strip(), start)
        start += len(line) + 1


def _window(
    text: Text, lines: Sequence[_Line], index: int, last: _Line
) -> Window | None:
    boxed = BOXED.fullmatch(last.text.rstrip(" ,."))
    if boxed:
        return _box_window(text, lines, index, boxed)
    end = _end(last.text)
    if end is None:
        return None
    country, match = end
    above = _street_lines(lines, index)
    if not above:
        return None
    is_bare = last.text.isdigit()
    if is_bare and _is_town_first(lines, index):
        return _town_first_window(text, lines, index)
    if is_bare and (above < 2 or not _is_town(lines[index - 1].text)):
        # A number alone is a postal code only if the line above is a town.
        return None
    first = lines[index - above]
    street, *rest = (line.text.strip(" ,") for line in lines[index - above : index])
    groups = match.groupdict()
    city = (groups.get("city") or "").strip(" ,-(")
    if not city and rest:
        city = rest.pop()
    address = Address(
        street,
        ", ".join(rest) or None,
        city,
        groups.get("state") or "",
        country,
        match["code"],
    )
    names = _names(text, lines, index - above)
    weight = _weight(lines, index - above, index, names)
    name = _joined(names)
    span = Span(first.start, last.start + len(last.text))
    how = "the lines above a postal code"
    place = ExtractedValue(address, span, how, 0.85)
    return Window(name, place, weight, _over(lines, names))


def _is_town_first(lines: Sequence[_Line], index: int) -> bool:
    """Whether town, street and postal code stand below each other in this order, as in Hungary.

    A name stands above the town, as otherwise the town may be the name.
    """
    if index < 3 or len(lines[index].text) != tunables.CODE_OF_HUNGARY:
        return False
    name = lines[index - 3].text
    town = lines[index - 2].text
    street = lines[index - 1].text
    if not name or has_digit(name) or not _is_town(town):
        return False
    if not has_digit(street) or NO_STREET.search(street):
        return False
    return count_letters(street) >= tunables.NAME_LETTERS


def _town_first_window(text: Text, lines: Sequence[_Line], index: int) -> Window:
    first = index - 2
    town, street, code = lines[first : index + 1]
    address = Address(
        street.text.strip(" ,"),
        None,
        town.text,
        "",
        "",
        code.text,
    )
    names = _names(text, lines, first)
    weight = _weight(lines, first, index, names)
    end = code.start + len(code.text)
    span = Span(town.start, end)
    how = "the lines above a postal code"
    place = ExtractedValue(address, span, how, 0.85)
    name = _joined(names)
    return Window(name, place, weight, _over(lines, names))


def _over(lines: Sequence[_Line], names: Sequence[_Line]) -> ExtractedValue[str] | None:
    """Return the line directly above the name, if that begins with a title and the line may be a name, too."""
    first = lines.index(names[0]) if names else 0
    if first < 1 or not TITLE.match(names[0].text):
        return None
    line = lines[first - 1]
    is_name = bool(line.text) and not NO_NAME.search(line.text)
    is_name = is_name and not (is_salutation(line.text) or is_sentence(line.text))
    if not is_name or has_digit(line.text) or SENDER.search(line.text):
        return None
    # The very first line of a letter is its letterhead.
    return _joined([line]) if line.start else None


def _box_window(
    text: Text, lines: Sequence[_Line], index: int, match: re.Match[str]
) -> Window | None:
    """Return a window with a post-office box and its code on one line, and the town behind or below
    it.
    """
    names = _names(text, lines, index)
    city = (match["city"] or "").strip()
    last = index
    if not city and index + 1 < len(lines):
        below = lines[index + 1].text
        if _is_town(below):
            city = below.partition(",")[0].strip()
            last = index + 1
    if not city:
        return None
    address = Address(match["box"].strip(), None, city, "", "", match["code"])
    start = lines[index].start
    last_line = lines[last]
    end = last_line.start + len(last_line.text)
    how = "a box with the code of its post office"
    value = ExtractedValue(address, Span(start, end), how, 0.8)
    weight = _weight(lines, index, last, names)
    return Window(_joined(names), value, weight)


def is_salutation(line: str) -> bool:
    """Whether the line only introduces whom a letter addresses, and names nobody."""
    if SALUTATION.match(line):
        return True
    words = {word.strip(".,") for word in line.lower().split()}
    if words and words <= OF_ADDRESSING | OF_DEGREES:
        return True
    return "." in line and not has_digit(line) and not REAL_WORD.search(line)


def _is_town(line: str) -> bool:
    """Whether the line is short and has only letters, as the town below a street does."""
    letters = line.replace(",", " ").replace("-", " ").replace(".", " ").split()
    return 0 < len(letters) <= tunables.TOWN_WORDS and all(map(str.isalpha, letters))


def _end(line: str) -> tuple[str, re.Match[str]] | None:
    """Return the country whose addresses end like this line, and the match with its parts."""
    for country, pattern in ENDS:
        match = pattern.fullmatch(line.rstrip(" ,."))
        if match:
            return country, match
    return None


def _street_lines(lines: Sequence[_Line], index: int) -> int:
    """Return how many lines above the town belong to the address, up to the topmost with a
    number.
    """
    count = 0
    for step in range(1, min(tunables.WINDOW_LINES, index) + 1):
        line = lines[index - step].text
        # “D. No. 40-5-19” is the number of a door: a title stands before letters alone.
        is_titled = bool(TITLE.match(line)) and not has_digit(line)
        if not line or is_titled or len(line) > tunables.WINDOW_LENGTH:
            break
        if has_digit(line) and not NO_STREET.search(line):
            count = step
        elif count and step > count:
            break
    if count:
        return count
    # A house with a name has no number: then the address is the lines below a person with a title.
    for step in range(2, min(tunables.WINDOW_LINES, index) + 1):
        if TITLE.match(lines[index - step].text):
            return step - 1
    return 0


def _names(text: Text, lines: Sequence[_Line], below: int) -> list[_Line]:
    """Return the lines of the name above the street, the topmost first."""
    names: list[_Line] = []
    for line in reversed(lines[max(0, below - tunables.MAX_LINES) : below]):
        if DEPARTMENT.match(line.text) or FOR_ATTENTION.match(line.text):
            continue
        if not _can_be_of_name(line.text):
            break
        if names and (SENDER.search(line.text) or TITLE.match(names[0].text)):
            break
        if names and (has_digit(line.text) or _is_larger(text, line, names[0])):
            break
        if names and JOINING.match(names[0].text):
            # “or Donald Stanhope”: the other holder of the account stands above.
            names[0] = line
            continue
        names.insert(0, line)
    # The very first line of a letter is its letterhead and not part of the name.
    # A single word below it is the end of its name: “Hill Prairie Electric” / “Cooperative”.
    if len(names) > 1 and names[0].start == 0 and " " in names[1].text:
        return names[1:]
    return names


def _is_larger(text: Text, line: _Line, below: _Line) -> bool:
    """Whether a line is in a much larger print than the one below it, as the mark of the sender is."""
    height = _height(text, line)
    return height > tunables.LARGER_PRINT * _height(text, below)


def _height(text: Text, line: _Line) -> float:
    words = text.words(Span.of(line.start, line.text))
    return max((word.box.height for word in words), default=0.0)


def _can_be_of_name(line: str) -> bool:
    if not line or is_salutation(line) or NO_NAME.search(line):
        return False
    if folded(line) in _labels_of_days():
        return False
    return not (is_sentence(line) or GREETING.match(line) or is_of_labels(line))


@cache
def _labels_of_days() -> frozenset[str]:
    """Return the labels of the day of a letter: “Dato” stands above the address of an office."""
    labels: set[str] = set(DATE_WORDS)
    for row in table("letter_words"):
        if row["kind"] in {"issued", "other_day", "wages"}:
            labels.update(map(folded, row["words"].split("|")))
    return frozenset(labels)


# “Date” alone, which is no label of the issue.
DATE_WORDS = frozenset({"date", "datum", "dato", "data", "fecha", "dags", "päivä", "paivays", "kuupäev", "tarih", "tanggal", "tarikh"})  # fmt: skip


def _joined(names: Sequence[_Line]) -> ExtractedValue[str] | None:
    if not names:
        return None
    top = names[0]
    name = OF_HONOUR.sub("", top.text.strip(" ,;*"))
    if count_letters(name) < tunables.NAME_LETTERS:
        return None
    span = Span.of(top.start, top.text)
    return ExtractedValue(name, span, "the lines above an address", 0.85)


def _weight(lines: Sequence[_Line], top: int, last: int, names: Sequence[_Line]) -> int:
    """Return the points for the addressee less the points for the sender."""
    weight = 0
    first = lines.index(names[0]) if names else top
    before = lines[first - 1].text if first else ""
    # Only people are addressed with a title, and labels such as “Bill to” stand above the addressee
    # only.
    if names and TITLE.match(names[0].text):
        weight += 4
    if before and is_salutation(before):
        weight += 2 if SHIPPED.match(before) else 4
    if any(SENDER.search(line.text) for line in names):
        weight -= 5
    if any(OF_LETTERHEAD.match(line.text) for line in lines[last + 1 : last + 3]):
        weight -= 2
    if any(map(_is_of_office, lines[top : last + 1])):
        weight -= 4
    return weight + (1 if names else -2)


def _is_of_office(line: _Line) -> bool:
    return bool(BOX.search(line.text) or OF_OFFICE.search(line.text))


# The number of the house is in the street; the code stands between it and the city.
STREET_CODE_CITY = re.compile(
    r"(?P<street>[^:]{3,80}?),? "
    r"(?P<code>\d{4} [A-Z]{2}(?= )|\d{3} \d{2}|\d{2}-\d{3}|\d{4}-\d{3}|\d{4,5}) "
    r"(?P<city>[^\d,;]{2,40})"
)


def address_on_line(text: str) -> Address | None:
    """Return the address on one line, in the format of any country."""
    match = STREET_CODE_CITY.match(text)
    if match is None or not has_digit(match["street"]):
        return address_of_lines(text, "")
    street = match["street"].strip(" ,-")
    city = match["city"].strip()
    return Address(street, None, city, "", "", match["code"])
