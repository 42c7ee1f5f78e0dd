"""What the screening against lists writes: hits, the facts for and against them, and what could not be compared."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

SENTENCES = (
    _("No name was attested."),
    _("No {what} list is available."),
    _("No {what} list is loaded."),
    _("sanctions"),
    _("politically exposed persons"),
    _("adverse"),
    _("Political exposure"),
    _("Adverse lists"),
    _("Compared by the wallet address."),
    _("No name was attested, only a number."),
    _("1 hit."),
    _("{count} hits."),
    _("Same number"),
    _("Strong match"),
    _("Possible match"),
    _("Contradicted"),
    _("Weak"),
    _("strong match"),
    _("possible match"),
    _("{band}: “{name}” on {listing} ({programs}): {reasons}."),
    _("{band}: “{name}”, a weak alias, on {listing} ({programs}): {reasons}."),
    _("“{name}” on {listing} ({programs})"),
    _("“{name}”, a weak alias, on {listing} ({programs})"),
    _("no programme stated"),
    _("score {count}"),
    _("score {count}, and {facts} agrees"),
    _("score {count}, and {facts} agree"),
    _("score {count}, and {facts} agrees; listed with {facts2}"),
    _("score {count}, and {facts} agree; listed with {facts2}"),
    _("score {count}; listed with {facts}"),
    _("another {fact} ({value})"),
    _("“{name}” on {listing} has that name, or one like it, listed with {facts}."),
    _("1 more is listed with other facts."),
    _("{count} more are listed with other facts."),
    _("No match on {lists}."),
    _("No other match on {lists}."),
    _("{title} ({entries}, {day})"),
    _("{title} ({entries}, loaded on {day})"),
    _("1 entry"),
    _("{count} entries"),
    _("1 weaker likeness listed."),
    _("{count} weaker likenesses listed."),
    _(
        "1 entry of {title} is not a person and has no name in Latin letters: it was compared by translation and by sound alone."
    ),
    _(
        "{count} entries of {title} are not persons and have no name in Latin letters: they were compared by translation and by sound alone."
    ),
    _(
        "1 person on {title} has no name in letters that can be compared reliably, and may have been missed."
    ),
    _(
        "{count} people on {title} have no name in letters that can be compared reliably, and may have been missed."
    ),
    _(
        "The list {title} was indexed by version {version} of the engine, this is {version2}: names may be missed until it is indexed again."
    ),
    _("The list {title} is stale: it was loaded on {day}."),
    _("Read from the free text of “{place}”."),
    _("No name could be read: {places}."),
    _("Could not be read as names: {quotes}."),
    _("1 more text could not be read as names."),
    _("{count} more texts could not be read as names."),
    _("Not read as names, and not screened: {quotes}."),
    _("No relatives, companies or other parties were attested."),
    _("No owners, officers or other parties were attested."),
    _("the same day"),
    _("the same month"),
    _("the same year"),
    _("the same year, another day"),
    _("the same day and month, one slip in the year"),
    _("day and month exchanged"),
    _("not a date of birth"),
    _("1 year apart"),
    _("{count} years apart"),
    _("{count} years from an approximate date"),
    _("none is the same"),
    _("the list gives none"),
    _("the list names another"),
    _("the same nationality"),
    _("a country of the entry"),
    _("a craft and a company are two"),
    _("a place of the same name"),
    _("the same bank in the {what}, which also names a branch"),
    _("the same"),
    _("the same {what}"),
    _("passport number"),
    _("national id number"),
    _("tax number"),
    _("registration number"),
    _("IMO number"),
    _("SWIFT code"),
    _("wallet address"),
    _("number"),
    _("differs"),
    _("corroborates"),
    _("close"),
    _("unknown"),
    _("contradicts"),
    _("Identifier"),
    _("Gender"),
    _("Country"),
    _("Kind"),
    _("Place of birth"),
    _("place of birth"),
    _("nationality"),
    _("gender"),
    _("country"),
    _("identifier"),
    _("kind"),
    _("company"),
    _("vessel"),
    _("aircraft"),
    _("person"),
    _("One word alone is too little to find a person by."),
    _(
        "Chinese characters are read in several languages: without a nationality, a name in them cannot be compared reliably."
    ),
    _(
        "Foreign names in Korean letters cannot be compared reliably, and this one is not built as Korean names are."
    ),
    _("A name holds characters that cannot be read, and cannot be compared whole."),
    _("A name holds no word that can be compared."),
    _("A name is too long to be compared whole."),
    _("Names in Japanese cannot be compared reliably."),
    _("Names in {script} cannot be compared reliably."),
    _("A wallet address has a wrong checksum, and cannot be compared reliably."),
    _("An IMO number has a wrong check digit, and cannot be compared reliably."),
    _(
        "A SWIFT code does not have eight or eleven characters, and cannot be compared reliably."
    ),
    _("An LEI has wrong check digits, and cannot be compared reliably."),
    _("{entry} is like “{query}”, as far as names in other letters can be compared."),
    _("{entry} may be “{query}” in another romanisation."),
    _("“{query}” has all names of {entry}, or names like them, and more."),
    _("All names of “{query}” are among those of {entry}."),
    _("Chinese characters that are read in {language} cannot be compared reliably."),
    _(
        "Names of companies in Chinese characters cannot be compared reliably: lists translate them."
    ),
    _(
        "Names of companies in Korean letters cannot be compared reliably: lists translate them."
    ),
    _(
        "Names of companies in Arabic letters cannot be compared reliably: lists translate them."
    ),
    _(
        "Names of companies in Cyrillic letters cannot be compared reliably: lists translate them."
    ),
    _(
        "Names of companies in Greek letters cannot be compared reliably: lists translate them."
    ),
    _(
        "Names of companies in Armenian letters cannot be compared reliably: lists translate them."
    ),
    _(
        "Names of companies in Georgian letters cannot be compared reliably: lists translate them."
    ),
    _(
        "Names of companies in Ethiopic letters cannot be compared reliably: lists translate them."
    ),
    _(
        "Names in Japanese cannot be compared reliably, nor those of more than three Chinese characters, such as foreign names written by their sound: it may be either."
    ),
    _(
        "Chinese characters are read in several languages: a name in them cannot be compared reliably of somebody from {list}."
    ),
    _("equal"),
    _("exact"),
    _("typo"),
    _("initial"),
    _("nickname"),
    _("transliteration"),
    _("spelling variant"),
    _("written together"),
    _("syllables in another order"),
    _("not listed"),
    _("not in the query"),
    _("another common name"),
    _("another common word"),
    _("another country, and another spelling"),
    _("cut short by a field"),
    _("vowels left out"),
    _("without Abdul"),
    _("misread by a machine"),
    _("another transliteration"),
    _("consonants of another script"),
    _("translation"),
    _("same consonants"),
    _("same consonants, other vowels"),
    _("cut short"),
    _("transliteration, other vowels"),
)
