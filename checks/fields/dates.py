"""Dates as documents write them: in digits, with month names, and in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Literal

from checks.fields import tunables
from checks.fields.calendars import persian, thai
from checks.fields.calendars.days import make_date
from checks.text.words import Span

DateOrder = Literal["DMY", "MDY", "YMD", ""]
DayOf = Callable[[re.Match[str]], date | None]

ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ORDINALS = [
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
]
VALUES = (
    {word: value for value, word in enumerate(ONES)}
    | {word: value for value, word in enumerate(ORDINALS)}
    | {word: 20 + 10 * index for index, word in enumerate(TENS)}
    | {"twentieth": 20, "thirtieth": 30}
)
MONTH_NAMES = (
    "january jan janvier januar jänner enero gennaio janeiro januari"
    " stycznia ledna ianuarie ocak tammikuuta"
    " januára janvāris janvārī sausio ιανουαρίου януари января január siječnja jaanuar januarja"
    " січня ιανουάριος јануара јануари gener janar janúar ionawr januarie ינואר يناير"
    " студзеня јануар"
    " जनवरी كانون_الثاني جانفي جنوری ژانویه հունվարի იანვარი იანვრის қаңтар yanvar জানুয়ারি",
    "february feb février fevrier februar feber febrero febbraio fevereiro februari"
    " lutego února unora februarie şubat helmikuuta"
    " februára februārī vasario φεβρουαρίου февруари февраля február veljače veebruar"
    " лютого φεβρουάριος фебруара фебруари febrer shkurt chwefror פברואר فبراير"
    " лютага фебруар febrúar"
    " फरवरी फ़रवरी شباط فيفري فروری فوریه փետրվարի თებერვალი თებერვლის ақпан fevral ফেব্রুয়ারি",
    "march mar mars märz marz marzo março maart"
    " marca března brezna marts martie mart maaliskuuta"
    " martā kovo μαρτίου март марта március ožujka märts mac maret"
    " березня μάρτιος març mawrth machi מרץ مارس"
    " сакавіка marec"
    " मार्च آذار اذار مارچ մարտի მარტი მარტის наурыз মার্চ",
    "april apr avril abril aprile kwietnia dubna aprilie nisan huhtikuuta"
    " apríla aprīlī balandžio απριλίου април апреля április travnja aprill"
    " квітня απρίλιος априла prill apríl ebrill aprili אפריל أبريل"
    " красавіка"
    " अप्रैल نيسان ابريل أفريل اپریل آوریل ապրիլի აპრილი აპრილის сәуір aprel এপ্রিল",
    "may mai mayo maggio maio mei maja května kvetna maj may\u0131s toukokuuta"
    " mája maijā gegužės μαΐου май мая május svibnja"
    " травня μάιος маја мај maig maí maie מאי مايو"
    " मई أيار ايار ماي مئی մայիսի მაისი მაისის мамыр",
    "june jun juin juni junio giugno junho czerwca června iunie haziran kesäkuuta"
    " júna jūnijā birželio ιουνίου юни июня június lipnja juuni"
    " червня ιούνιος јуна јуни juny qershor júní mehefin junie יוני يونيو"
    " чэрвеня јун"
    " जून حزيران جوان يونيه جون ژوئن հունիսի ივნისი ივნისის маусым iyun জুন",
    "july jul juillet juli julio luglio julho lipca července iulie temmuz heinäkuuta"
    " júla jūlijā liepos ιουλίου юли июля július srpnja juuli julai"
    " липня ιούλιος јула јули juliol korrik júlí gorffennaf julie julija יולי يوليو"
    " ліпеня јул"
    " जुलाई تموز جويلية يوليوز يوليه جولائی ژوئیه հուլիսի ივლისი ივლისის шілде iyul জুলাই",
    "august aug août aout agosto augustus sierpnia srpna augusti ağustos elokuuta"
    " augusta augustā rugpjūčio αυγούστου август августа augusztus kolovoza ogos agustus"
    " серпня αύγουστος agost gusht ágúst awst avgusta agosti אוגוסט أغسطس"
    " жніўня avgust"
    " अगस्त آب اب اغسطس أوت غشت اگست օգոստոսի აგვისტო აგვისტოს тамыз avqust avgust আগস্ট",
    "september sept sep septembre septiembre settembre setembro"
    " września září septembrie eylül syyskuuta"
    " septembra septembrī rugsėjo σεπτεμβρίου септември сентября szeptember rujna"
    " вересня σεπτέμβριος септембра setembre shtator medi septemba ספטמבר سبتمبر"
    " верасня септембар septembar setiembre"
    " सितंबर सितम्बर أيلول ايلول شتنبر ستمبر سپتامبر սեպտեմբերի სექტემბერი სექტემბრის қыркүйек sentyabr সেপ্টেম্বর",
    "october oct octobre oktober octubre ottobre outubro"
    " października října octombrie ekim lokakuuta"
    " októbra oktobrī spalio οκτωβρίου октомври октября október oktoober"
    " жовтня οκτώβριος октобра tetor hydref oktoba אוקטובר أكتوبر"
    " кастрычніка октобар oktobar"
    " अक्टूबर अक्तूबर تشرين_الأول تشرين_الاول اكتوبر اکتوبر اکتبر հոկտեմբերի ოქტომბერი ოქტომბრის қазан oktyabr অক্টোবর",
    "november nov novembre noviembre novembro"
    " listopada listopadu noiembrie kas\u0131m marraskuuta"
    " novembra novembrī lapkričio νοεμβρίου ноември ноября studenoga"
    " листопада νοέμβριος новембра nëntor nóvember tachwedd novemba נובמבר نوفمبر"
    " studenog лістапада новембар novembar"
    " नवंबर नवम्बर تشرين_الثاني نونبر نومبر նոյեմբերի ნოემბერი ნოემბრის қараша noyabr নভেম্বর",
    "december dec décembre decembre dezember diciembre dicembre dezembro"
    " grudnia prosince decembrie desember aral\u0131k joulukuuta"
    " decembra decembrī gruodžio δεκεμβρίου декември декабря prosinca detsember disember"
    " грудня δεκέμβριος децембра desembre dhjetor rhagfyr desemba דצמבר ديسمبر"
    " снежня децембар decembar"
    " दिसंबर दिसम्बर كانون_الأول كانون_الاول دجنبر دسمبر دسامبر դեկտեմբերի დეკემბერი დეკემბრის желтоқсан dekabr ডিসেম্বর",
)
# Greek capitals have no accents.
GREEK_ACCENTS = str.maketrans("άέήίόύώΐ", "αεηιουωι")


def _month_spellings() -> dict[str, int]:
    """Return the names of months in all spellings. A low line stands for the space within a name."""
    spellings: dict[str, int] = {}
    for number, names in enumerate(MONTH_NAMES, 1):
        for written in names.split():
            name = written.replace("_", " ")
            spellings[name] = number
            spellings[name.translate(GREEK_ACCENTS)] = number
            if HEBREW.match(name):
                # “6 בספטמבר 2026”: the letter before it means “in”.
                spellings[f"ב{name}"] = number
    return spellings


HEBREW = re.compile("[\u05d0-\u05ea]")
MONTHS = _month_spellings()

# Short forms that are words of other languages, too: they are months only within a whole date. Those that mean
# different months in two languages, such as “lis” in Polish and in Croatian, are left out.
SHORT_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "janv ene gen ian jän sty led oca",
            "fév févr fev lut úno şub",
            "mär mrt bře",
            "avr abr kwi dub nis",
            "mag kvě",
            "giu iun cze čvn haz",
            "juil lug iul čvc tem",
            "ago sie ağu",
            "set wrz zář eyl",
            "okt ott out paź říj eki",
            "noi kas",
            "déc dez dic des gru ara",
        ),
        1,
    )
    for name in names.split()
}

# The longest word first: "seven" must not be read out of "seventeen".
WORD = "|".join(sorted(VALUES, key=len, reverse=True))
MONTH = rf"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})"
ANY_MONTH = (
    rf"(?P<month>{'|'.join(sorted([*MONTHS, *SHORT_MONTHS], key=len, reverse=True))})"
)
# OCR reads the first of a French month as “ler”. Russian and Ukrainian papers quote the day: «05» марта 2024.
DAY = r"(?P<day>\d{1,2}|[lI](?=er\b))[»”\"]?(?: ?(?:st|nd|rd|th|er|η|º|°|\.))?"
# “05 MAR/MARS 2024”: the month in the second language of the paper.
SECOND_NAME = r"(?:\.? ?/ ?[^\W\d_]{3,10}\.?)?"
WRITTEN_DAY = rf"(?P<day>\b(?:{WORD})(?:[- ]{{1,2}}(?:{WORD}))?)"
WRITTEN_YEAR = rf"(?:{WORD}|thousand|hundred|and)(?:[- ,]+(?:{WORD}|thousand|hundred|and)\b){{1,6}}"
ERA = r"(?:(?:in|of) the year (?:of our lord )?)?(?:a\.? ?d\.?,? )?"
# Words between the two days of a period.
TO = "to|till|until|au|al|a|bis|tot|do|до|по"
FLAGS = re.IGNORECASE


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(" ", r"\s"), FLAGS)


DAY_MONTH_YEAR = _compile(
    rf"(?<![\d/.-]){DAY},? ?(?:day )?(?:of |de |d')?(?:the )?{MONTH}(?!\w){SECOND_NAME}\.?,? ?(?:de |del )?{ERA}"
    rf"(?P<year>\d{{4}}|{WRITTEN_YEAR})\b"
)
# “MAYO 20 DE 2019” is how chambers of commerce in Colombia write it.
MONTH_DAY_YEAR = _compile(
    rf"\b{MONTH}\.? {DAY},? ?(?:de |del )?{ERA}(?P<year>\d{{4}})\b"
)
IN_WORDS = _compile(
    rf"{WRITTEN_DAY} day of {MONTH},? ?{ERA}(?P<year>\d{{4}}|{WRITTEN_YEAR})\b"
)
ABBREVIATED = _compile(
    rf"\b(?P<day>\d{{1,2}})(?P<mark>[-/]){ANY_MONTH}(?P=mark)(?P<year>\d{{4}}|\d{{2}})(?![\w/-]|[.,]\d)"
)
# “12 out 2026”, “5. dez. 2024”, “3 de ene. de 2025”
SHORT = _compile(
    rf"(?<![\d/.-])(?P<day>\d{{1,2}})\.? (?:de )?(?P<month>{'|'.join(SHORT_MONTHS)}){SECOND_NAME}\.? (?:de )?(?P<year>\d{{4}})\b"
)
# “18 JUL 26 - 17 SEP 26”, “05 MAR/MARS 24”. A word behind the number makes it a count of something.
SHORT_YEAR = _compile(
    rf"(?<![\d/.,:-])\b(?P<day>\d{{1,2}}) {ANY_MONTH}{SECOND_NAME}\.? (?P<year>\d{{2}})(?![\w:%]|[.,/-]\d| ?%| (?!(?:{TO})\b)[^\W\d_]| \d)"
)
# “05OCT2026”
JOINED = _compile(
    r"(?<![\w/.-])(?P<day>\d{2})(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?P<year>\d{4})\b"
)
ISO = re.compile(
    r"(?<![\d/.-])(?P<year>[12]\d{3})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?![\d-])"
)
# “5. 3. 2024” in Czech, Slovak and Slovene, “2024. 03. 05.” in Hungarian and Korean
SPACED = re.compile(
    r"(?<![\d/.-])(?<!\d\.\s)(?P<day>\d{1,2})\.\s(?P<month>\d{1,2})\.\s(?P<year>(?:19|20)\d{2})(?![\d/-]|\.\s?\d)"
)
SPACED_YEAR_FIRST = re.compile(
    r"(?<![\d/.-])(?P<year>(?:19|20)\d{2})\.\s(?P<month>\d{1,2})\.\s(?P<day>\d{1,2})(?:\.(?!\s?\d)|(?![\d.]))"
)
# “5.III.2024” and “5 III 2024” in Poland and Hungary. A single letter between spaces may mean something else.
ROMAN = re.compile(
    r"(?<![\d/.-])(?P<day>\d{1,2})(?:(?P<mark>[-./]) ?(?P<month>[IVX]{1,4})(?P=mark) ?|\.? (?P<spaced>[IVX]{2,4}) )(?P<year>(?:19|20)\d{2})(?![\d/-])"
)
ROMAN_MONTHS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")  # fmt: skip
DAY_WITH_STOP = re.compile(r"\d{1,2}\s?\.")
# “二〇二六年十月五日”
KANJI_DIGITS = "〇一二三四五六七八九"
KANJI_YEAR = rf"\d{{4}}|[{KANJI_DIGITS}]{{4}}"
KANJI_NUMBER = rf"\d{{1,2}}|[{KANJI_DIGITS}十]{{1,3}}"
KANJI_ONLY = re.compile(rf"[{KANJI_DIGITS}十]+")
KANJI = re.compile(
    rf"(?P<year>{KANJI_YEAR})\s*[年년]\s*(?P<month>{KANJI_NUMBER})\s*[月월]\s*(?P<day>{KANJI_NUMBER})\s*[日일]"
)
# “2015. augusztus 28.”, “2016 m. lapkričio 9 d.”
YEAR_FIRST = _compile(
    rf"(?<!\d)(?P<year>(?:19|20)\d{{2}})(?:\.| m\.)? {MONTH} (?P<day>\d{{1,2}})(?!\d)"
)
# “2024. gada 5. martā”
YEAR_DAY_MONTH = _compile(
    rf"(?<!\d)(?P<year>(?:19|20)\d{{2}})\. gada (?P<day>\d{{1,2}})\. {MONTH}\b"
)
# “ngày 15 tháng 08 năm 2017”
VIETNAMESE = _compile(
    r"(?:ngày )?(?P<day>\d{1,2}) tháng (?P<month>\d{1,2})(?: năm|,) (?P<year>\d{4})"
)
# “平成25年7月16日”: Japanese extracts count years by the reign of an emperor, those of Taiwan from the republic.
REIGN = re.compile(
    rf"(?P<reign>明治|大正|昭和|平成|令和|民國|民国|(?<![A-Za-z])[MTSHR])\s*(?P<year>\d{{1,3}}|元|[{KANJI_DIGITS}十]{{1,3}})\s*年\s*(?P<month>{KANJI_NUMBER})\s*月\s*(?P<day>{KANJI_NUMBER})\s*日"
)
# The year before year 1 of each reign, so that reign + number gives the year of our calendar.
REIGNS = {
    "明治": 1867,
    "大正": 1911,
    "昭和": 1925,
    "平成": 1988,
    "令和": 2018,
    "民國": 1911,
    "民国": 1911,
    "M": 1867,
    "T": 1911,
    "S": 1925,
    "H": 1988,
    "R": 2018,
}
# The Portuguese register numbers its entries by day: “AP. 2/20230619”.
ENTRY = re.compile(
    r"\bAP\.? ?\d{1,3}/(?P<year>(?:19|20)\d{2})(?P<month>\d{2})(?P<day>\d{2})\b"
)
NUMERIC = re.compile(
    r"(?<![\d/.-])(?P<first>\d{1,2})(?P<mark>[-/.])(?P<second>\d{1,2})(?P=mark)"
    r"(?P<year>\d{4}|\d{2})(?![\d/-])"
)
NAMED = (
    DAY_MONTH_YEAR,
    MONTH_DAY_YEAR,
    IN_WORDS,
    ABBREVIATED,
    SHORT,
    SHORT_YEAR,
    JOINED,
    ISO,
    KANJI,
    SPACED,
    SPACED_YEAR_FIRST,
    ROMAN,
    YEAR_FIRST,
    YEAR_DAY_MONTH,
    VIETNAMESE,
    REIGN,
    ENTRY,
)


WITH_SHORT_YEAR = (ABBREVIATED, SHORT_YEAR)

# Without this a date such as “issued on Monday, 3 May” would not be recognised as a date of issue.
WEEKDAY = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day,?(?: the)?\s*$", FLAGS
)


@dataclass(frozen=True, slots=True)
class FoundDate:
    """One date of a text. `value` is None where the order of day and month is ambiguous."""

    value: date | None
    span: Span
    text: str


def find_dates(
    text: str, order: DateOrder = "", latest: date | None = None
) -> list[FoundDate]:
    """Return every date of a text, in the order of the text.

    `order` decides how an ambiguous date such as 03/04/2020 is read. Without an order such a date
    has the value None. `latest` is the last possible day: behind it, a year of two digits is of the
    century before.
    """
    dates: dict[int, FoundDate] = {}
    for pattern, day_of in (*((each, _in_words) for each in NAMED), *_of_eras(text)):
        for match in pattern.finditer(text):
            day = day_of(match)
            # The year of a reign has two digits, too.
            is_short = pattern in WITH_SHORT_YEAR and len(match["year"]) == 2
            if latest is not None and is_short:
                day = _until(latest, day)
            _keep(dates, match, day)
    # Digits alone come last: they must not be read again out of a date that a pattern with a month
    # or a fixed order has matched.
    for match in NUMERIC.finditer(text):
        if not _is_within(match.start(), dates.values()):
            days = _numeric(match, order)
            if latest is not None and len(match["year"]) == 2:
                days = tuple(_until(latest, day) for day in days)
            _keep(dates, match, *days)
    return [dates[start] for start in sorted(dates)]


def _of_eras(text: str) -> list[tuple[re.Pattern[str], DayOf]]:
    """Return the forms of dates of the calendars that the letters of the text tell."""
    eras: list[tuple[re.Pattern[str], DayOf]] = []
    if thai.LETTER.search(text):
        eras += [(thai.NAMED, thai.thai_date), (thai.DIGITS, thai.thai_date)]
    if persian.LETTER.search(text):
        eras.append((persian.DIGITS, persian.persian_date))
        eras.append((persian.NAMED, persian.persian_date))
    return eras


def order_within(text: str) -> DateOrder:
    """Return the order of day and month that all clear dates of the text have: 21/10/2025 has the day first."""
    orders: set[DateOrder] = set()
    for match in NUMERIC.finditer(text):
        first = int(match["first"])
        second = int(match["second"])
        # Dots mean that the day is first, and say nothing about dates with other marks.
        if match["mark"] == ".":
            continue
        if first > tunables.MONTHS >= second:
            orders.add("DMY")
        elif second > tunables.MONTHS >= first:
            orders.add("MDY")
    return orders.pop() if len(orders) == 1 else ""


def _is_within(start: int, dates: Iterable[FoundDate]) -> bool:
    for fact in dates:
        if fact.span.start <= start < fact.span.end:
            return True
    return False


def words_before(text: str, start: int, limit: int) -> str:
    """Return up to `limit` characters before a date, without a weekday at their end.

    The callers read the meaning of the date from these words; a weekday says nothing about it.
    """
    return WEEKDAY.sub("", text[max(0, start - limit) : start])


def _keep(
    dates: dict[int, FoundDate],
    match: re.Match[str],
    value: date | None,
    *rest: date | None,
) -> None:
    """Add the date of a match, unless no possible value of it is a real date."""
    candidates = {value, *rest} - {None}
    if not candidates:
        return
    # The two orders may give the same day, as in 05/05/2020. Only two different days are ambiguous.
    single = None
    if len(candidates) == 1:
        single = candidates.pop()
    start, end = match.span()
    text = " ".join(match[0].split())
    # The first pattern wins: those of NAMED are tried in the order of their certainty.
    dates.setdefault(start, FoundDate(single, Span(start, end), text))


def _in_words(match: re.Match[str]) -> date | None:
    month_number = _month(match)
    reign = match.groupdict().get("reign")
    if reign:
        year = REIGNS[reign] + _number(match["year"].replace("元", "1"))
    else:
        year = _whole_year(_number(match["year"]))
    day = 1 if match["day"] in {"l", "I"} else _number(match["day"])
    return make_date(year, month_number, day)


def _month(match: re.Match[str]) -> int:
    if match.re is ROMAN:
        numeral = match["month"] or match["spaced"]
        return ROMAN_MONTHS.index(numeral) + 1 if numeral in ROMAN_MONTHS else 0
    month = _folded(match["month"])
    if month.isdecimal() or KANJI_ONLY.fullmatch(month):
        return _number(month)
    # Listopad is November in Polish, and October in Croatian, which has a full stop behind the day.
    if month == "listopada" and DAY_WITH_STOP.match(match[0]):
        return 10
    return _FOLDED_MONTHS[month]


def month_named(name: str) -> int | None:
    """Return the number of a month by its name or short form in any language; None if it is none."""
    return _FOLDED_MONTHS.get(_folded(name))


def _folded(month: str) -> str:
    """The month without differences that a pattern ignores: a dotted capital I, a long s."""
    name = " ".join(month.split())
    return name.casefold().replace("\u0307", "").replace("\u0131", "i")


_FOLDED_MONTHS = {
    _folded(month): number for month, number in (SHORT_MONTHS | MONTHS).items()
}


def _kanji_number(text: str) -> int:
    """`二〇二六` is 2026, `十` is 10, and `二十五` is 25."""
    if "十" not in text:
        return int("".join(str(KANJI_DIGITS.index(digit)) for digit in text))
    tens, _, ones = text.partition("十")
    return 10 * _kanji_number(tens or KANJI_DIGITS[1]) + _kanji_number(
        ones or KANJI_DIGITS[0]
    )


def _number(text: str) -> int:
    if text.isdigit() and text.isdecimal():
        return int(text)
    if KANJI_ONLY.fullmatch(text):
        return _kanji_number(text)
    return number_in_words(text)


def _numeric(match: re.Match[str], order: DateOrder) -> tuple[date | None, ...]:
    first = int(match["first"])
    second = int(match["second"])
    year = _whole_year(int(match["year"]))
    day_first = make_date(year, second, first)
    month_first = make_date(year, first, second)
    # Dots are used by countries that write the day first. If that order gives no real date, try the
    # other one.
    if match["mark"] == "." or order == "DMY":
        return (day_first or month_first,)
    if order == "MDY":
        return (month_first or day_first,)
    return day_first, month_first


def _whole_year(year: int) -> int:
    """Years of two digits: 70 to 99 mean 1970 to 1999, and 00 to 69 mean 2000 to 2069."""
    if year < 70:
        return year + 2000
    if year < 100:
        return year + 1900
    return year


def _until(latest: date, day: date | None) -> date | None:
    """Return the day, or the one a century before if this one is too late."""
    if day is None or day <= latest:
        return day
    return make_date(day.year - 100, day.month, day.day)


def number_in_words(words: str) -> int:
    """`two thousand twenty-three` and `twenty twenty-three` are 2023, `twenty-ninth` is 29."""
    # `current` is the number that is being built, `total` the part before the last “thousand”.
    total, current = 0, 0
    for word in re.findall(r"[a-z]+", words.lower()):
        if word == "thousand":
            total = total + (current or 1) * 1000
            current = 0
        elif word == "hundred":
            current = (current or 1) * 100
        elif word in VALUES:
            value = VALUES[word]
            # "Nineteen eighty-four" and "twenty twenty": a second pair of digits begins.
            if value >= 10 and 10 <= current < 100:
                current *= 100
            current += value
    return total + current
