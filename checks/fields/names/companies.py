"""Names of companies: where documents state them, and the legal form that each ends with."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice

from checks.data import table
from checks.fields import tunables
from checks.fields.extracted import ExtractedValue
from checks.fields.jurisdictions import by_code, states
from checks.fields.names.anchors import Anchor
from checks.fields.names.clauses import CLAUSES
from checks.fields.names.quotations import (
    MARKS,
    begins_within,
    end_of_quotation,
    is_open,
    strip_around,
)
from checks.text.characters import (
    count_letters,
    has_digit,
    only_letters_and_digits,
)
from checks.text.flow import flowing
from checks.text.folding import folded
from checks.text.phrases import Phrase
from checks.text.words import (
    Span,
    Text,
)

NAME = r"(?P<name>[^\n]{2,110}?(?:\n[^\n]{1,90}?)??)"
END_OF_NAME = (
    r"(?=,? \(|;|,? hereinafter|,? formerly|,? a (?:[a-z]|non)|,? an [a-z]|\.(?: |$)(?!inc|l|bhd|b\.v|n\.v|s\.a)"
    r"|, (?:which|whose|having|did|was|is|and that) "
    # The next paragraph begins: its number, its roman numeral, or the word for it.
    r"|\n(?:\(?(?:\d{1,2}|[ivx]{1,5}|[a-h])[.)]|\d{1,2}(?:st|nd|rd|th)\b|article\b|second\b|the |street address|address))"
)
QUOTED = r"[“\"\u2018'„«](?P<name>[^”\"\u2019»]{2,110}?),?[”\"\u2019»]"
LEGAL = (
    r"(?:inc(?:orporated)?|l\.?l\.?c|ltd|limited|corp(?:oration)?|l\.?l\.?p|l\.?p|plc|c\.?i\.?c|gmbh"
    r"|ag|s\.?a\.?(?:r\.?l|s)?|s\.?r\.?l|b\.?v|n\.?v|a\.?b|o[üu]|oy|association|foundation|society|company|trust)"
)
ENTITY = r"(?:corporation|company|association|limited liability company|limited partnership|organi[sz]ation|foundation|society|partnership|entity|trust)"
PAPER = r"(?:articles|certificate|memorandum and articles|memorandum|bylaws|by-laws|constitution)"
KIND = r"(?:incorporation|formation|organi[sz]ation|association|registration|filing|limited partnership|existence|good standing|status|fact|authority)"


def _anchor(pattern: str, confidence: float, how: str) -> Anchor:
    return Anchor(Phrase(pattern, re.IGNORECASE | re.MULTILINE), confidence, how)


ANCHORS = (
    _anchor(
        rf"^(?P<name>[^\n]{{2,100}}\b{LEGAL}\.?),? (?:is|was) (?:duly |hereby )?(?:incorporated|registered|formed|constituted) under ",
        0.94,
        "“… is incorporated under”",
    ),
    _anchor(
        rf"(?:articles|certificate) of {KIND} for (?P<name>[^\n]{{2,90}}\b{LEGAL}\.?)(?=$| ?\((?:file|company|entity) n)",
        0.9,
        "title of the document",
    ),
    _anchor(
        rf"(?:business|corporate) records (?:for|of) {NAME},?(?: and\b|$)",
        0.9,
        "“business records for”",
    ),
    _anchor(
        rf"(?:certificate|articles) of {KIND}(?: and by-?laws)? of:? {NAME}(?: [A-Z]{{0,3}}\d{{5,12}})?,? (?:was|were|is|has been|have been) (?:this day )?(?:duly )?(?:issued|filed|admitted|received|delivered|approved|registered)",
        0.93,
        "“certificate of … was issued”",
    ),
    _anchor(
        r"^(?P<name>[^\n]{2,90})\n(?:corporation|corporate|company) name(?: / [^\n]{3,30})?$",
        0.84,
        "line above its label",
    ),
    _anchor(
        rf"^(?:\d{{1,2}}[.)]? )?(?:the )?(?:domestic )?entity name (?:of|for) the {ENTITY} is:? (?P<name>[^\n]{{2,90}})$",
        0.93,
        "labelled field",
    ),
    _anchor(
        rf"(?:certificate|articles) of {KIND} of:? {QUOTED}",
        0.97,
        "title with the quoted name",
    ),
    _anchor(
        rf"name of (?:this|the|said|our) (?:[a-z-]+ ){{0,2}}{ENTITY}(?: currently)?(?: \([^)\n]{{0,40}}\))?,? (?:is|shall be|will be)(?: to be| (?:this day|hereby) changed (?:from [^\n]{{3,90}}? )?to)?:? [“\"\u2018]?{NAME}[”\"\u2019]?{END_OF_NAME}",
        0.96,
        "“the name of the company is”",
    ),
    _anchor(
        rf"(?:certif(?:y|ies|ied)|confirms?),?(?: under (?:the seal of my office|my hand)[^\n]{{0,20}}?)?(?: that)?[:,]?[-\u2013]? (?!(?-i:the) |(?:that|this|these|according|pursuant|under) ){NAME},? (?:is|was|has been|did|were)(?:,? (?:on and from|on) [^\n]{{4,50}}?,?)?(?: on this(?: day)?)? ?(?:this day|duly|taken to be)? ?(?:incorporated|registered|formed|organi[sz]ed|a (?:company|registered))",
        0.96,
        "“certifies that … is incorporated”",
    ),
    _anchor(
        rf"(?:certif(?:y|ies|ied)|confirms?),?(?: under (?:the seal of my office|my hand)[^\n]{{0,20}}?)?(?: that)?[:,]? (?!(?:the|that|this|these|under|according|from) ){NAME},? (?:an? |having |australian company number|\(?acn\b|was |is |did,? |filed |has |company number)",
        0.88,
        "“certifies that …”",
    ),
    _anchor(
        rf"^that (?!(?:the|said|this) ){NAME},? (?:is|was) (?:duly |validly )?(?:organi[sz]ed|incorporated|formed|registered)\b",
        0.93,
        "“certifies that … is incorporated”",
    ),
    _anchor(
        rf"certif(?:y|ies|ied)(?: that)?[:,]?\n(?P<name>[^\n]{{2,90}}\b{LEGAL}\.?)$",
        0.9,
        "the line under “certify that”",
    ),
    _anchor(
        r"^(?:\d+ )?a\) (?P<name>[^\n]{2,80}?\b(?:GmbH(?: & Co\. KG)?|AG|UG \(haftungsbeschränkt\)|OHG|KG|SE|eG|e\.K\.))(?= |$)",
        0.93,
        "the first entry of the Handelsregister",
    ),
    _anchor(
        rf"records (?:of|kept (?:by|at|in)) this (?:office|department|registry),? (?:that )?{NAME},? (?:is|was|an?|has|registered) ",
        0.94,
        "“according to the records of this office”",
    ),
    _anchor(
        rf"(?:do(?:es)? hereby certify|certifies|confirms?) (?:that )?{QUOTED},? (?:is|was)",
        0.95,
        "“certifies that” with the quoted name",
    ),
    _anchor(
        rf"complied with by {NAME},? an? (?:exempted|ordinary|limited|company)",
        0.95,
        "“complied with by”",
    ),
    _anchor(
        rf"having been complied with,? {NAME},? (?:is )?incorporated in",
        0.95,
        "“having been complied with”",
    ),
    _anchor(
        rf"(?:hereby )?issues? this (?:certificate of {KIND} )?(?:to|for):? {NAME}$",
        0.92,
        "“issues this certificate to”",
    ),
    _anchor(
        rf"^ ?(?:\(?\w{{1,3}}(?:[.)]| ?[-\u2013]) |article \w{{1,4}}[.:]? )?(?:full |exact )?(?:company|limited liability company|corporate|corporation|entity|business|legal|enterprise|firm|registered|statutory)(?: \(?(?:legal|full)\)?)? name(?: in full)?(?: of (?:the )?(?:business|{ENTITY}))?(?: / [^\n:]{{3,30}})?(?: ?[:.]){{0,2}} (?P<name>[^\n:]{{2,100}}(?:\n(?:limited|ltd|inc|llc)\b\.?)?)$",
        0.93,
        "labelled field",
    ),
    _anchor(
        rf"^ ?(?:\(?\w{{1,3}}[.)] )?(?:legal |exact )?name of (?:the )?(?:{ENTITY}|registered carrier|enterprise|business|llp)[:.]? (?!(?:is|shall|and) )(?P<name>[^\n:]{{2,100}}(?:\n(?:limited|ltd|inc|llc)\b\.?)?)$",
        0.92,
        "labelled field",
    ),
    _anchor(
        r"^ ?(?:firma|dénomination(?: ou raison)? sociale|raison sociale|raz[óo]n social|denominaci[óo]n(?: social)?|denominazione|statutaire naam|nome empresarial|raz[ãa]o social|ärinimi|företagsnamn|navn)[:.]? (?P<name>[^\n:]{2,100})$",
        0.88,
        "labelled field",
    ),
    _anchor(
        rf"^ ?(?:\(?[a-z]+\)? )?(?:amended and restated )?(?:{PAPER} of {KIND}|bylaws|by-laws|constitution)(?: and (?:articles|bylaws|memorandum)(?: of {KIND})?)? (?:of|for):? (?P<name>(?!an? |the [a-z]+ ?$)[^\n]{{2,100}}(?:\n[^\n]{{1,60}}\b{LEGAL}\.?)?)$",
        0.85,
        "title of the document",
    ),
    _anchor(
        rf"^ ?{PAPER} of {KIND}(?: \([^)\n]*\))? (?P<name>[^\n]{{2,90}}\b{LEGAL}\.?)$",
        0.8,
        "line under the title",
    ),
    _anchor(
        rf"name of (?:this|the|said|our) (?:[a-z-]+ ){{0,2}}(?:{ENTITY}|cooperative)(?: is| shall be)?:?\n(?P<name>[^\n]{{2,100}}\b{LEGAL}\.?)$",
        0.95,
        "“the name of the company is”, and the line below",
    ),
    _anchor(
        rf"\b{ENTITY}['\u2019]s name(?: is|:| shall be):? [“\"\u2018]?{NAME}[”\"\u2019]?{END_OF_NAME}",
        0.95,
        "“the company's name is”",
    ),
    _anchor(
        rf"\b(?:has|did)(?:,? (?:by (?:special )?resolution|on) ?[^\n.]{{0,60}}?,?)? changed? its name(?: from [^\n]{{3,100}}?)? to:? [“\"]?{NAME}[”\"]?(?:$|,? (?:and|on|with) )",
        0.985,
        "“has changed its name to”",
    ),
    _anchor(
        rf"is now (?:incorporated|registered|known)(?: under| by)? the name of:? {NAME}$",
        0.99,
        "“is now incorporated under the name of”",
    ),
    _anchor(
        r"\b(?:que )?la (?:sociedad|entidad|compañía|mercantil|empresa)(?: mercantil| denominada)? (?P<name>[A-ZÁÉÍÓÚÑ][^\n;:]{2,90}?),? (?:con|provista de|titular del?) (?:n\.?i\.?f|c\.?i\.?f|ruc|nit|rut)\b",
        0.9,
        "the company and its tax number",
    ),
    _anchor(r"当法人は、(?P<name>[^、\n]{2,60}?)と称する", 0.95, "“当法人は…と称する”"),
    _anchor(
        r"当会社は、(?P<name>[^、\n]{2,60}?)と称(?:する|し)",
        0.95,
        "“当会社は…と称する”",
    ),
    _anchor(
        rf"(?P<name>[A-Z][^\n“\"(]{{2,90}}\b{LEGAL}\.?),? \((?:hereinafter )?(?:the )?[“\"\u2018]?(?:company|corporation|llc)[”\"\u2019]?\)",
        0.82,
        "definition of “the Company”",
    ),
)
END_OF_FORM = re.compile(
    r"\b(?:llc|ltd|inc|llp|plc|limited|corporation|corp|gmbh)\b[.,]?(?P<end>\n)(?!liability)",
    re.IGNORECASE,
)
# OCR reads the I of “C.I.C.” as l, L or 1, and loses its full stop.
MISREAD_FORM = re.compile(r"\bC\.\s?[IlL1]\.?\s?C\b\.?$")
ABBREVIATED = re.compile(r"(?:\b(?:inc|ltd|corp|co|bhd)|\.\s?\w)$", re.IGNORECASE)
FULL_STOP_OF_FORM = re.compile(
    r"(?:\.\s?\w\.|\b(?:inc|ltd|corp|co|llc|lp|llp|bhd)\.)$", re.IGNORECASE
)
MARKS_AROUND = f" ,:;()[]|_-\u2013>*#{MARKS}"
QUOTES_AROUND = f" ,:;{MARKS}"
OTHER_NAME = re.compile(
    r",? (?:herein(?:after)?|hereafter|henceforth|formerly|doing business|d/?b/?a)\b"
    r"|,? (?:did|was|were|has|have|having),? (?:on|in|this|hereby|duly|been|file|filed)\b| ?\([“\"\u2018]?the\b"
    r"|,? (?:en adelante|en lo sucesivo|in seguito|di seguito|doravante|adiante|ci-après|en abrégé|in kurzform|kurz|hierna|afgekort"
    r"|verkort|nachfolgend|nachstehend|im folgenden|zwan[aey] dalej|nedan|en is gevestigd|en heeft|mit (?:dem )?sitz|avec siège|dont le siège|con sede|con domicilio|com sede|z siedzibą|located at|situated at|abreviad[ao]|abbreviated|known as|referred to)\b",
    re.IGNORECASE,
)
MESSRS = re.compile(r"^(?:m/s\.?|messrs\.?) ", re.IGNORECASE)
QUOTED_HEAD = re.compile(r"[“\"„«](?P<name>[^”\"“»\n]{3,100})[”\"“»](?=,? [a-z])")
VERB_BEFORE = re.compile(
    r"^(?:será|es|is|ist|lautet|è|é|est|sera)\s+(?=[“\"„«])", re.IGNORECASE
)
# “(English) Shwe Company Limited”: a note on the language of the name.
NOTE_BEFORE = re.compile(
    r"^\s*(?:\([A-Za-z ]{3,20}\) |(?:der|die|the|la) (?:firma|firm|denominación|denominazione) (?:of |de |di )?)(?=\S)",
    re.IGNORECASE,
)
# “2/1. Alfa Kft.”: the number of the entry in the register.
ENTRY_BEFORE = re.compile(r"^\d{1,3}(?:/\d{1,3})?\.\)? +(?=[^\W\d_])")
# “Alfa B.V. Zij heeft haar zetel te Joure”: the next sentence.
SENTENCE_BEHIND = re.compile(
    r"(?P<name>.*?(?:\b[BN]\.V\.|\bS\.[AL]\.|S\.r\.l\.|S\.p\.A\.| o\. ?o\.|\bLda\.|\bLtd\.|\bInc\.))"
    r"\s+[A-ZÀ-Þ][a-zà-ÿ]* [a-zà-ÿ]+ .*"
)
# “Les Salines. Son sigle est LS”: the next sentence, behind a name without a legal form.
SENTENCE_BEHIND_NAME = re.compile(
    r"(?P<name>.*?[^\W\d_]{4})\.\s+[A-ZÀ-Þ][a-zà-ÿ]* (?P<next>[a-zà-ÿ]{3,})\b.*"
)
# “Alfa Sdn. Bhd. 202301041884 (1518842-K)”
NUMBER_BEHIND = re.compile(r"(?P<name>.+?) \d[\dA-Z-]{5,}(?: \([^)]*\)?)?")
# “Alfa, Unipessoal Lda”: the legal form behind a comma, at which a clause may seem to end.
FORM_BEHIND = re.compile(r",\s+(?P<form>\S+(?: \S+){0,2})")
# “Alfa Oy (registered 4.6.2017)”, “Alfa AG (Alfa SA)”: a note behind the legal form.
NOTE_AFTER = re.compile(r"^(?P<name>.+?)\s*\((?P<note>[^()]{3,80})\)?$")
# Small words within names of persons and companies.
PARTICLE = re.compile(
    r"(?:and|of|the|for|und|der|die|das|von|zu|zum|zur|am|im|in|et|de|du|des|la|le|les|l|en|y|e|el|los|las|del|do|da|dos"
    r"|di|della|van|het|den|ter|ten|i|og|och|po|c|o|a|an)"
)
NUMBER_AFTER = Phrase(
    r",? \(?(?:(?:with|and|its|the|registered|australian|uk|irish) )?(?:company|registration|file) (?:number|no)\b.*$|, (?:number|no\.?|nr\.?) [A-Z]{0,3}\d{4,}.*$|,? \(?(?:acn|uen|arbn|abn|crn|roc)\b.*$"
    rf"|,? an? (?:[a-z-]+ ){{1,4}}{ENTITY}\b.*$"
)
FURNITURE = re.compile(
    r"___|\bpage \d|\bname of\b|^\d{1,2}[.)]|^that\b|\bcertif(?:y|ies) that\b|\b(?:above|under)[- ]?(?:named|mentioned)\b|\bsection \d|\bpursuant to\b|\bthe said\b"
    r"|^(?:forma (?:giuridica|jurídica|legal)|forme (?:juridique|légale)|rechtsform|rechtsvorm|natureza jurídica|legal (?:form|type)"
    r"|(?:entity|company|business) type|virksomhedsform|organisationsform|právní forma|oznaczenie formy|õiguslik vorm)\b"
    r"|\b(?:denominat[ao]|denominad[ao]|dénommée?|intitulée?|genaamd|namens|namn är|navn er)\b",
    re.IGNORECASE,
)
REFUSED = Phrase(
    r"^a (?:true|certified) copy\b|(?:registreringsbevis|registrierungsbescheinigung|firmaattest|handelsregisterauszug|uittreksel|izvadak|výpis|cégkivonat)\b|^(?:the |this |said |a |an |our |such )?(?:(?:above|attached|annexed|foregoing|following|secretary|registrar|"
    r"on (?:the )?\d\w*|in (?:terms|accordance|pursuance|respect|compliance)|by virtue|laws?|companies act|limited liability company|articles|certificate|memorandum|bylaws|not provided|none|n/?a|"
    r"as follows|of|is|(?-i:was|were|has|have|had)|shall|name|number|type|date|address|and|for)\b"
    r"|(?:same|state|commonwealth|republic|company|corporation|private|public|community interest)\b(?! of (?-i:[A-Z]))"
    # A French name may begin with “association”. The word alone, or as the subject of an English
    # sentence, is no name.
    r"|association(?:$| (?:is|was|has|had|shall|will|may|must|and|or|to|by|for|under|with|in|as)\b))"
)
# Words for a kind of body, in other languages. Alone they are no name.
BODY_ABROAD = (
    r"(?:verein|gesellschaft|stiftung|genossenschaft|société|fondation|asociación|sociedad|fundación|entidad|associazione"
    r"|società|fondazione|associação|sociedade|fundação|entidade|vereniging|stichting|vennootschap|compañía|empresa"
    r"|föreningen|foreningen|selskabet|selskapet|bolaget|spółka|stowarzyszenie|fundacja)"
)
REFUSED_WHOLE = Phrase(
    rf"^(?:(?:der |die |das |la |le |el |o |a |il |de |het |presente |präsente )*{BODY_ABROAD}$|(?:an? |the )?(?:domestic |private |public |limited |nonprofit |non-profit |stock |business |profit |by shares |one person )*(?:{ENTITY}|limited|company limited by shares|incorporation)s?|[\W\d_]+)$"
)


def find_names(text: Text) -> list[ExtractedValue[str]]:
    """Return the names that the document states, each once, the most trusted first."""
    names: dict[str, ExtractedValue[str]] = {}
    # A clause continues over line ends, so it is searched in text whose lines are joined. A
    # labelled value ends with its line. Both texts have the same length, so that spans fit both.
    joined = flowing(text)
    searches = [(anchor, text.value) for anchor in ANCHORS]
    searches += [(anchor, joined) for anchor in CLAUSES]
    for anchor, value in searches:
        matches = islice(anchor.pattern.finditer(value), tunables.MAX_MATCHES)
        for index, match in enumerate(matches):
            start, end = match.span("name")
            if _is_cut(anchor, joined, match.start()):
                continue
            span = _with_full_stop(text.value, Span(start, end))
            span = _with_quotation(joined, _with_form(joined, span))
            name = clean(text.value[span.start : span.end])
            if not is_plausible(name):
                continue
            # Documents state their own name before they mention others, so later matches of a rule
            # count less.
            confidence = anchor.confidence - 0.02 * index
            # The same name may be found by several rules. The highest confidence is kept.
            key = folded(name)
            if key not in names or names[key].confidence < confidence:
                names[key] = ExtractedValue(name, span, anchor.how, confidence)
    return sorted(names.values(), key=lambda name: (-name.confidence, name.span.start))


def _is_cut(anchor: Anchor, joined: str, start: int) -> bool:
    """A rule that begins with a line, where only the margin ended the line above: the name may begin there."""
    begins_line = anchor.pattern.pattern.startswith("^")
    return begins_line and start > 0 and joined[start - 1] not in "\n\f"


def _with_full_stop(value: str, span: Span) -> Span:
    """Extend the span by the full stop of an abbreviation such as `Inc.`

    Rules stop at the end of a sentence and cannot tell the two full stops apart.
    """
    abbreviated = ABBREVIATED.search(value[span.start : span.end])
    follows = value[span.end : span.end + 1] == "."
    if abbreviated and follows:
        return Span(span.start, span.end + 1)
    return span


def _with_form(joined: str, span: Span) -> Span:
    """Extend the span by a legal form behind its comma."""
    name = joined[span.start : span.end]
    behind = FORM_BEHIND.match(joined, span.end)
    if behind is None or split_legal_form(clean(name))[1]:
        return span
    words = behind["form"].split(" ")
    for count in range(len(words), 0, -1):
        form = " ".join(words[:count])
        is_form = split_legal_form(f"x {form.rstrip('.,;')}")[0] in {
            "x",
            "x unipessoal",
        }
        if is_form:
            end = behind.start("form") + len(form.rstrip(",;"))
            return Span(span.start, end)
    return span


def _with_quotation(joined: str, span: Span) -> Span:
    """Extend the span to both marks of a quotation, where a rule stopped within it or took a mark for one of its own."""
    start, end = span.start, span.end
    name = joined[start:end]
    if start and begins_within(name) and joined[start - 1] in MARKS:
        start -= 1
    if is_open(name):
        behind, _, _ = joined[end : end + tunables.REST_OF_QUOTATION].partition("\n")
        end += end_of_quotation(name, behind) or 0
    return Span(start, end)


def clean(text: str) -> str:
    """Return the name alone, without a number, further names, and marks at its ends."""
    text = _within_quotes(VERB_BEFORE.sub("", NOTE_BEFORE.sub("", text)))
    # A line that ends with a legal form ends the name.
    # A rule may have read one line too many, as where the address follows the name.
    form = END_OF_FORM.search(text)
    if form:
        before, behind = text[: form.start("end")], text[form.start("end") :]
        first, _, _ = behind.strip().partition("\n")
        has_rest = bool(first) and is_rest_of_form(before, first)
        text = f"{before} {first}" if has_rest else before
    name = strip_around(re.sub(r"\s+", " ", text), MARKS_AROUND)
    name = ENTRY_BEFORE.sub("", name)
    name = SENTENCE_BEHIND.sub(r"\g<name>", name)
    name = _before_number(_before_next_sentence(name))
    name = NUMBER_AFTER.sub("", name)
    name = MISREAD_FORM.sub("C.I.C.", name)
    name = OTHER_NAME.split(name)[0]
    name = strip_around(MESSRS.sub("", name), QUOTES_AROUND)
    name = _without_note(_without_initials(name))
    if not FULL_STOP_OF_FORM.search(name):
        name = name.rstrip(".")
    return name


def is_rest_of_form(name: str, line: str) -> bool:
    """Whether the line below a name has only the end of its legal form: “… LİMİTED” and “ŞİRKETİ”."""
    base, form = split_legal_form(name)
    whole_base, whole_form = split_legal_form(f"{name} {line}")
    return form != whole_form and base == whole_base


def _before_next_sentence(name: str) -> str:
    """Remove the sentence behind a name. “Gebr. van der Berg” has none."""
    match = SENTENCE_BEHIND_NAME.fullmatch(name)
    if match is None or PARTICLE.fullmatch(match["next"]):
        return name
    return match["name"]


def _before_number(name: str) -> str:
    """Remove the number of the company behind its legal form."""
    match = NUMBER_BEHIND.fullmatch(name)
    if match is None or not split_legal_form(match["name"])[1]:
        return name
    return match["name"]


def _within_quotes(text: str) -> str:
    """Return the text within quotation marks if the match begins with it: `“X” located at …`."""
    match = QUOTED_HEAD.match(text)
    return match["name"] if match else text


def _without_initials(name: str) -> str:
    """Remove an abbreviation in brackets behind the name: “Kite Flyers Club (KFC)”.

    The bracket of “Acme (UK)” belongs to the name and stays.
    """
    before, bracket, behind = name.rpartition("(")
    if not bracket or ")" in behind:
        return name
    # The caller stripped the closing bracket, because it strips such marks around a name.
    letters = iter(folded(word)[:1] for word in before.split())
    short = only_letters_and_digits(folded(behind))
    # An abbreviation has the first letters of the words, in their order. It may skip small words.
    # `in` consumes the iterator up to the match, so that the order counts.
    is_short = len(short) > 1 and all(letter in letters for letter in short)
    return before.rstrip() if is_short else f"{name})"


def _without_note(name: str) -> str:
    """Remove a number, a day or a translation that stands in brackets behind the legal form."""
    match = NOTE_AFTER.match(name)
    if match is None or not split_legal_form(match["name"])[1]:
        return name
    is_number = has_digit(match["note"])
    is_translation = " " in match["note"] and split_legal_form(match["note"])[1]
    return match["name"] if is_number or is_translation else name


def is_plausible(name: str) -> bool:
    """Whether the text can be a name, and is not part of a form, a sentence or the name of
    a place.
    """
    letters = count_letters(name)
    if not 2 <= len(name) <= tunables.MAX_LENGTH:
        return False
    # Mostly digits and marks: a number, a date or a line of dots.
    if letters < 2 or letters < len(name) / 3:
        return False
    if REFUSED.match(name) or REFUSED_WHOLE.match(name) or FURNITURE.search(name):
        return False
    if _is_of_a_sentence(name):
        return False
    lower = name.lower()
    # “Delaware” alone is the state of a form, not a company.
    return lower not in states() and lower not in _places()


def is_sentence(line: str) -> bool:
    """A line of a letter with several words in small letters, as no name has beside its particles."""
    words = []
    for word in line.split():
        if word[:1].isalpha():
            words.append(word)
    small = [word for word in words if word[0].islower()]
    meaning = [word for word in small if not PARTICLE.fullmatch(folded(word))]
    return len(meaning) >= tunables.SENTENCE_WORDS


def _is_of_a_sentence(name: str) -> bool:
    """Whether the text is part of a sentence or a misreading, because it has no capital letter.

    The name of a company has capitals in every script that has them. Scripts without capitals, such
    as Chinese, are not affected.
    """
    if name == name.upper() or name != name.lower():
        return False
    return " " in name or len(name) < tunables.SHORTEST_IN_SMALL_LETTERS


@cache
def _places() -> frozenset[str]:
    return frozenset(place.name.lower() for place in by_code().values())


@cache
def legal_forms() -> list[tuple[str, str]]:
    """Return the spellings of legal forms with their codes, the longest first.

    The order matters: “s.a.r.l.” must be found before “l.”.
    """
    pairs = []
    for row in table("legal_forms"):
        for spelling in row["spellings"].split("|"):
            pairs.append((folded(spelling), row["code"]))
    return sorted(pairs, key=lambda pair: -len(pair[0]))


def split_legal_form(name: str) -> tuple[str, str]:
    """Return the name without its legal form, and the code of the form: `("acme", "ltd")`.

    `Acme Ltd.` and `ACME LIMITED` give the same result. The code is empty for a name without a
    legal form.
    """
    words = folded(name).removeprefix("the ")
    for spelling, code in legal_forms():
        if words.endswith(f" {spelling}"):
            return words[: -len(spelling) - 1], code
    return words, ""
