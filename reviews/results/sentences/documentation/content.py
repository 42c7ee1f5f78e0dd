"""What the documentation of indicators says, of the content: dates, amounts, numbers, codes and officers."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

PARAGRAPHS = (
    _(
        "The day of the week that stands with a date is not that of the date, or the number of days of a period is not that from its first day to its last: whoever changes a date tends to forget what follows from it. A person has to look."
    ),
    _(
        "names of the days in 28 languages directly before a date, or behind it in brackets; and a number of days directly behind two dates. A period may count its first and last day or not, have months of 30 days, or count working days alone. Dates with a year of two digits are left out, and where the order of day and month is not sure, both count."
    ),
    _(
        "a slip of whoever wrote the date. Where OCR read it, it is an INFO: a digit may have been read wrongly."
    ),
    _("The file was changed a month or more after the day that the document bears."),
    _(
        "the date of the last change in the Info dictionary, against the date in the text."
    ),
    _(
        "printing to a file, signing, or saving in a reader. One of eight genuine files has it, so that alone it says little."
    ),
    _(
        "Its date of creation lies before the day on which the document says it was given."
    ),
    _("the date of creation in the Info dictionary, against the date in the text."),
    _(
        "a register that fills in a template keeps the date of the template, by years in one case. A wrong clock."
    ),
    _(
        "The document, or the record of the file's creation or last change, bears a day to come."
    ),
    _(
        "the date in the text and those in the Info dictionary, against today, with two days of grace for the zones of the world."
    ),
    _(
        "a wrong clock; a date of effect that was read as the date of issue. Where OCR read the date in the text, it is an INFO."
    ),
    _(
        "The Info dictionary and the XMP metadata name different days, as where a program changed the file and updated one of them alone."
    ),
    _("both dates, compared with a day of grace for zones."),
    _(
        "many programs update one of them alone, and so do services that stamp or shrink files."
    ),
    _(
        "It says so itself (“This is a sample”, SAMPLE on a line of its own), or shows three or more of the words, names and addresses that templates are filled with. One or two of these are a weak sign: forms quote examples, and there are streets that are called so. So are words that stand in the terms of genuine documents, as “specimen” and “for illustration only”, however many. Where all of them stand in sentences, it is an INFO: a manual speaks of placeholders and has none. “Lorem ipsum” is a strong sign in a document that reads as one of a kind that is submitted. In any other text it is an INFO, as is what stands in brackets to be replaced."
    ),
    _("such words in the text and in the title of the file."),
    _("a genuine form whose instructions quote an example. Read the place."),
    _(
        "The opening balance, what came in and what went out do not give the closing balance, or the net amount and the tax not the total. Whoever changes one amount tends to forget the others."
    ),
    _(
        "On a statement, a balance that does not follow from the one before it counts as well, where nearly all others follow."
    ),
    _(
        "lines that begin with such a label, in thirteen languages, and end with one amount, each label exactly once, and no other line with an amount among them: a discount or a fee would belong to the sum. Where a number may be a rate or the thousands of its amount, both count. Only the text of the file is used, never what OCR read."
    ),
    _(
        "a further amount (a discount, rounding) that belongs to the sum and stands elsewhere. Add up the lines yourself."
    ),
    _(
        "No page has text of its own. Editing shows in a scan less than in a file that was written by a program."
    ),
    _("no page holds more than a few letters of text."),
    _(
        "this is how most people send what they have on paper. It tells what could not be looked at."
    ),
    _(
        "Pages have no text of their own, and no picture of them either: each letter is a shape, as programs draw it that turn fonts into outlines. What stands there was read as from a picture."
    ),
    _(
        "pages without pictures of what OCR reads on them, with as many drawings as words, and hardly any letters of text."
    ),
    _(
        "programs for printing and for design do that, so that a document looks alike wherever it is opened."
    ),
    _(
        "A bar code or QR code holds a number or a name that the text has, too. Who edits the text tends to leave the code."
    ),
    _("the codes are decoded, and what they hold is looked for in the text."),
    _(
        "that the issuer made the code. Anybody can; open the address that it holds only if it is that of the register."
    ),
    _(
        "A bar code or QR code holds another number or name than the text: the one of the two was changed and the other was not."
    ),
    _(
        "the codes are decoded. A number in one that differs from a registration number of the text in one or two places contradicts it; so does a value that the code itself calls the name of the company, where the text has no name like it, or the number of the company, where the text has another one of that length. Other names and numbers of a code, such as the token under which a document is looked up, need not stand in the text. What OCR read is never held against a code with certainty: the sign is weak then."
    ),
    _(
        "a code for another purpose (a tracking number, a form's number) that happens to be alike; a company that has changed its name since."
    ),
    _(
        "The number keeps the rule by which its issuer gives numbers, so that a slip of the pen or an invented number would most likely show."
    ),
    _("the published rule of the kind of number that its label names."),
    _("that the number was given to this company, or to anybody."),
    _("A number with a clear label breaks the rule by which its issuer gives numbers."),
    _(
        "another kind of number under the same label. Where OCR read the number, it is an INFO: a digit may have been read wrongly."
    ),
    _(
        "A number behind the word IBAN has the form of its country, and its two check digits do not follow from the others. No bank has such an account: a digit was changed, or the number was invented."
    ),
    _("the published form of the numbers of each country, and the rule of ISO 13616."),
    _(
        "a slip of whoever typed the number. Where OCR read it, it is an INFO: a digit may have been read wrongly."
    ),
    _(
        "The number states the year in which the company was registered, and no date of the certificate is of that year."
    ),
    _(
        "for kinds of numbers that carry a year (India's CIN, South Africa's, Singapore's), the year, against every date of the text. Certificates of incorporation and extracts only."
    ),
    _(
        "a company that was registered elsewhere before, or a date that could not be read. Where OCR read the number, it is an INFO."
    ),
    _(
        "A secretary of state is named on the certificate, and a date of the document is of a year in which that person held the office."
    ),
    _(
        "a table of secretaries of state of states of the USA, with the years of their terms; the name must stand beside the office, on a document of that state. Of years after the table was made nothing is said of whoever was in office then."
    ),
    _(
        "it is what a genuine certificate has. It does not prove that the officer signed: the name of whoever is in office is no secret."
    ),
    _(
        "A secretary of state is named on the certificate, and all dates of the document are of years in which that person did not hold the office: whoever makes up a certificate tends to take the officer of another one."
    ),
    _("as for an officer who was in office."),
    _(
        "a form that was printed before the office changed hands; a date of the certificate that could not be read, so that only an older one of its text is known; a copy that was certified later, on a page that was not sent."
    ),
    _(
        "The same file, or a first page with the very same words, came before in a case of another subject. Where only the ids of the file agree, the sign is weak: both descend from one original."
    ),
    _(
        "the hash of the file, the ids that a PDF keeps through a save, and a hash of the words of the first page, looked up among the documents of the same account. Cases of the same subject do not count, and other accounts are never asked."
    ),
    _(
        "a document that concerns both (a group of companies, a shared lease, an officer of two companies); a template of a register that carries one id through all that is made from it; test cases."
    ),
    _(
        "Its fixed words are those of a document of another subject, while names and numbers differ. An issuer's own form does that, and so does a forger who fills in one template many times. Compare the documents: what should differ between them, as numbers, dates and signatures, must differ."
    ),
    _(
        "a few digests of the words of the first page, without numbers, looked up among the documents of the same account. They survive a save, a crop, and printing and scanning. Pages with few words have none. A form that many subjects have is taken for its issuer's own, and is not reported any more."
    ),
    _(
        "both are of one issuer, which is the rule and not the exception; both were made with a model text that is public."
    ),
)
