"""Thresholds for comparing names as a whole, each with its reason.

`checks.screening.matching.tunables` has those for two words. The policy (checks.screening.policy)
has thresholds that an installation may change; these are the same everywhere. Changing one changes
scores and needs a new ENGINE_VERSION. Scores and weights are from 0 (nothing) to 1 (equal, a full
word); the others are numbers of letters or words.
"""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

# The weight of a word for identifying somebody.
WEIGHT_OF_ABD_COMPOUND = _declare(
    "weight_of_abd_compound",
    1.5,
    "Abd al-Rahman is one token here, and three words elsewhere.",
)
WEIGHT_OF_PARTICLE = _declare(
    "weight_of_particle", 0.15, "Bin, de and van are left out and added at will."
)
WEIGHT_OF_PATRONYMIC = _declare(
    "weight_of_patronymic",
    0.5,
    "Many lists and documents leave it out, and brothers share it.",
)
WORDS_WITH_PATRONYMIC = _declare(
    "words_with_patronymic",
    3,
    "In a name of two words the second is a family name, also in -vich.",
)
WEIGHT_OF_INITIAL = _declare(
    "weight_of_initial", 0.4, "One in twenty people shares an initial by chance."
)
WEIGHT_OF_LEGAL_FORM = _declare(
    "weight_of_legal_form",
    0.15,
    "Thousands of companies share a legal form, and many omit it.",
)
WEIGHT_OF_COMPANY_PARTICLE = _declare(
    "weight_of_company_particle",
    0.1,
    "The, of and for tell even less than a legal form.",
)
WEIGHT_OF_NUMBER = _declare(
    "weight_of_number",
    0.9,
    "Factory 5 and Factory 7 are two, but the number is omitted at times.",
)
WEIGHT_OF_COMPANY_LETTER = _declare(
    "weight_of_company_letter", 0.5, "A single letter is half of what a word tells."
)
WEIGHT_OF_GENERIC_WORD = _declare(
    "weight_of_generic_word",
    0.5,
    "Trading and Group stand in many names, but are seldom wrong.",
)
FULL_WORD = _declare(
    "full_word",
    0.5,
    "Over this weight a word names somebody: no particle, initial or legal form.",
)
KEY_WORD = _declare(
    "key_word",
    0.3,
    "Over this weight a word is worth a blocking key; the others find half a list.",
)

# Which names are compared at all.
SHORT_KEY = _declare(
    "short_key",
    0.5,
    "Keys of two consonants, or of two short words, are those of many names.",
)
LETTERS_OF_PAIR_KEY = _declare(
    "letters_of_pair_key",
    6,
    "With fewer letters in both words, many other names share the pair.",
)
LETTERS_OF_WHOLE_KEY = _declare(
    "letters_of_whole_key",
    7,
    "So many letters survive a blank at another place in the name.",
)
CONSONANTS_OF_WHOLE_KEY = _declare(
    "consonants_of_whole_key",
    5,
    "Fewer consonants are those of many names, whichever words are written together.",
)
LONGEST_KOREAN_WORD = _declare(
    "longest_korean_word",
    9,
    "Two syllables of Korean have no more letters in any romanisation.",
)
LONGEST_KOREAN_RUN = _declare(
    "longest_korean_run", 12, "Nor have two words of a Korean name more than these."
)
NAMES_READ = _declare(
    "names_read",
    3000,
    "A name is searched in milliseconds; keys beyond only add to the ranking.",
)
COMMON_KEY = _declare(
    "common_key",
    150,
    "Sharing a key with more names says little; two of them together say much.",
)
MOST_OTHER_NAMES = _declare(
    "most_other_names",
    8,
    "A short form stands for few names; each more costs time in every search.",
)
MOST_TRADITIONS = _declare(
    "most_traditions",
    6,
    "A word shows the signs of few traditions; each more costs time in every search.",
)
NOMINEES = _declare(
    "nominees",
    4,
    "For each candidate so many are ranked, as common keys change their order.",
)

# The cost of a word that the other name lacks, for each point of its weight.
UNMATCHED_QUERY = _declare(
    "unmatched_query",
    0.8,
    "What the list lacks speaks for somebody else of a similar name.",
)
UNMATCHED_MIDDLE = _declare(
    "unmatched_middle",
    0.75,
    "Of that, where first and last name agree: lists leave middle names out.",
)
UNMATCHED_FURTHER = _declare(
    "unmatched_further",
    0.5,
    "Of that, for each word behind the first, where the list has no other word: passports have many names.",
)
UNMATCHED_LISTED = _declare(
    "unmatched_listed",
    0.3,
    "Lists give full names, and customers often two words of them.",
)
UNMATCHED_LISTED_OF_COMPANY = _declare(
    "unmatched_listed_of_company",
    0.28,
    "Companies are called by fewer words more often still.",
)
UNMATCHED_SYLLABLE = _declare(
    "unmatched_syllable",
    3.0,
    "Times that: Wang Ming and Wang Mingshan are two people, as nobody leaves half of a given name out.",
)
CONFLICT = _declare(
    "conflict", 1.0, "Words without a partner on both sides stand against each other."
)
WEIGHT_OF_REPETITION = _declare(
    "weight_of_repetition", 0.15, "A word written twice, or a title, adds nothing new."
)
WORDS_FOR_REPETITION = _declare(
    "words_for_repetition",
    3,
    "In a name of two words each word counts, even a repeated one.",
)
UNMATCHED_NUMBER = _declare(
    "unmatched_number",
    2.0,
    "A number that only the list has tells one branch from another.",
)

# The score of names as a whole.
WRITTEN_TOGETHER = _declare(
    "written_together",
    0.98,
    "The same letters with other blanks are nearly the same name.",
)
OTHER_ORDER = _declare(
    "other_order",
    0.85,
    "The same syllables, neither family name first nor last: alike, not equal.",
)
ENOUGH_BY_WORDS = _declare(
    "enough_by_words",
    0.9,
    "From here on the comparison letter by letter cannot add anything.",
)
OTHER_TRADITION = _declare(
    "other_tradition",
    0.9,
    "Prigozhin and Prigoschin: the same sound as two languages write it, beside another name that agrees.",
)
OTHER_TRADITION_WITHOUT_VOWELS = _declare(
    "other_tradition_without_vowels",
    0.85,
    "Sarkissian and Sargsyan: the same, and a vowel that is hardly heard.",
)
SHORTEST_OF_TRADITION = _declare(
    "shortest_of_tradition", 4, "In three letters, each sign makes another name."
)
SHORTEST_WITH_H = _declare(
    "shortest_with_h", 5, "Holub and Golub, but Hana and Gana are two names."
)
CONSONANTS_OF_TRADITION = _declare(
    "consonants_of_tradition",
    4,
    "With the vowels left aside as well, fewer consonants are those of many names.",
)
MAYBE_TWO_PEOPLE = _declare(
    "maybe_two_people",
    0.87,
    "Father and son, Daniel and Daniela: a hit, and just below a strong one.",
)
WORDS_IN_ORDER = _declare(
    "words_in_order",
    3,
    "Two words stand in either order: lists put the family name first or last.",
)
SHORTEST_WHOLE = _declare(
    "shortest_whole", 8, "In fewer letters, one slip leads to another name too easily."
)
WHOLE_FOR_TWO_SLIPS = _declare(
    "whole_for_two_slips", 14, "In so many letters two slips are still the same name."
)
TELLING_LETTERS = _declare(
    "telling_letters",
    7,
    "Companies with fewer letters in their own words are compared by words.",
)
WHOLE_WITH_ONE_SLIP = _declare(
    "whole_with_one_slip", 0.87, "A hit for either kind, below a strong match."
)
WHOLE_WITH_TWO_SLIPS = _declare(
    "whole_with_two_slips", 0.84, "A hit for a person, and just no hit for a company."
)
WHOLE_WITH_OTHER_WORD = _declare(
    "whole_with_other_word",
    0.75,
    "Both slips in one short word make it another name: James and Hamed. No hit alone.",
)
ONE_NAME_OF_PERSON = _declare(
    "one_name_of_person", 0.8, "One name of several is not yet a person."
)
ONE_NAME_OF_COMPANY = _declare(
    "one_name_of_company", 0.6, "Legal forms and generic words alone are no company."
)
ONE_COMMON_NAME = _declare(
    "one_common_name",
    0.75,
    "Mohammad or Reza alone, beside titles, is the name of millions: weak.",
)
COMMON_NAMES_ALONE = _declare(
    "common_names_alone",
    0.79,
    "Ali Hassan is the name of many, and the list adds the family: no hit alone.",
)
NAMES_OF_PERSON = _declare(
    "names_of_person", 2, "A given name and a family name make a person."
)
FREQUENT_DESPITE_SLIP = _declare(
    "frequent_despite_slip",
    100,
    "Of a million people: Johnson and Johnston. A letter left out is some 25 times as likely as one other letter in its place.",
)
TWO_FREQUENT_NAMES = _declare(
    "two_frequent_names",
    0.79,
    "Ford and Lord: one letter, and two names of many people. Just no hit alone.",
)
FAINT_PAIR = _declare(
    "faint_pair",
    0.8,
    "Of a person, a pair with a lower score, or an initial, is half of a name.",
)
FAINT_PAIR_OF_COMPANY = _declare(
    "faint_pair_of_company",
    0.7,
    "The same of a company: its words are longer, and rarer.",
)
COUNT_OF_FAINT_PAIR = _declare(
    "count_of_faint_pair",
    0.45,
    "With a given name and a father's name, a family name that is hardly alike makes no person.",
)
COUNTED_PAIR = _declare(
    "counted_pair",
    0.4,
    "Pairs of this weight or less (initials, forms) are no name at all.",
)
ABD_COMPOUND = _declare(
    "abd_compound",
    7,
    "Over so many letters a word in abdul- holds the name that Abd serves.",
)

# Words that are one word on the other side.
LETTERS_APART = _declare(
    "letters_apart",
    4,
    "Two words that are one on the other side are nearly as long as it is.",
)
VOWELS_APART = _declare(
    "vowels_apart",
    8,
    "The same, where one side writes no vowels: Mohammad Javad is mhmdjwd.",
)
CONSONANTS_APART = _declare(
    "consonants_apart",
    3,
    "A slip, and an article of two letters: words further apart are never alike.",
)
BEHIND_SINGLE_WORDS = _declare(
    "behind_single_words",
    0.01,
    "Of two equally good pairings, word by word is the simpler.",
)
JOINED_QUERY = _declare(
    "joined_query",
    0.8,
    "Customers write blanks where there are none; typos come with it.",
)
JOINED_LISTED = _declare(
    "joined_listed",
    0.85,
    "Lists seldom add blanks, so that the letters must fit better.",
)
SHORTEST_JOINED = _declare(
    "shortest_joined", 4, "A word of fewer letters is too often the end of two others."
)
SHORTEST_JOINED_CONSONANTS = _declare(
    "shortest_joined_consonants",
    3,
    "Two consonants are written together in too many words.",
)
SHORTEST_RUN_ON = _declare(
    "shortest_run_on",
    5,
    "A shorter word leaves nothing beside the title that runs on into it.",
)
RUN_ON = _declare(
    "run_on", 0.8, "What is left without the title must be a similar word."
)
TYPO_IN_MINOR_WORD = _declare(
    "typo_in_minor_word",
    0.85,
    "A slip in a title or legal form, which hardly counts anyway.",
)
ABD_WITH_OTHER_NAME = _declare(
    "abd_with_other_name",
    0.95,
    "Abdul stands on both sides, only before another of the names.",
)

ABD_AGAINST_NAME = _declare(
    "abd_against_name",
    0.6,
    "Another name stands where Abdul does: the names beside it are two.",
)

# Names as a reading of syllables.
ROMANISATION = _declare(
    "romanisation", 0.95, "The syllable can be read in one way alone on both sides."
)
AMBIGUOUS_ROMANISATION = _declare(
    "ambiguous_romanisation", 0.86, "One of several readings is the same."
)
OTHER_SYLLABLES = _declare(
    "other_syllables",
    0.85,
    "Alike by a coarse sound, and no usual spelling of the same syllables: no hit in another script.",
)
LESS_LIKELY_ROMANISATION = _declare(
    "less_likely_romanisation",
    0.82,
    "Another name as both are most likely read: a possible match.",
)
UNLIKELY_ROMANISATION = _declare(
    "unlikely_romanisation",
    0.79,
    "With few syllables it is chance: just below a possible match.",
)
ENOUGH_SYLLABLES = _declare(
    "enough_syllables", 3, "Two syllables are the same by chance too often."
)

# Names that contain another name in part.
SAME_WORD = _declare(
    "same_word",
    0.93,
    "From this score on, two words are one word, written in another way.",
)
LONGER_NAME = _declare(
    "longer_name",
    0.5,
    "What two words come to in a name of four, or three in one of six.",
)
LONGER_COMPANY = _declare(
    "longer_company", 0.3, "What one word comes to beside a country and words of trade."
)
SHORTEST_ALTERNATIVE = _declare(
    "shortest_alternative",
    6,
    "Between slashes: A/S, I/O and c/o are no names beside another.",
)
NAMES_WITHIN = _declare(
    "names_within",
    3,
    "Three names of one person are seldom all in a longer name by chance; two often are.",
)
SAME_PERSON = _declare(
    "same_person",
    0.88,
    "To find a subject again: as sure as a strong match of the policy.",
)
SAME_COMPANY = _declare(
    "same_company",
    0.85,
    "To find a subject again: as sure as a possible match of a company.",
)
SHARED_OF_PERSON = _declare(
    "shared_of_person", 2, "A family name alone is the name of many people."
)
SHORTEST_ONE_WORD = _declare(
    "shortest_one_word", 3, "Fewer letters, with nothing beside them, are anybody's."
)
MATERIAL_OTHER_LETTERS = _declare(
    "material_other_letters",
    0.1,
    "Of companies that a list has in other letters alone, four in ten were not found by their"
    " English names: of as many entries, no match says too little.",
)
SURE_WITH_SLIP = _declare(
    "sure_with_slip",
    0.85,
    "One slip in a word of eight letters comes to more; with two it may be another name, and no strong hit.",
)
SHORT_WITH_SLIP = _declare(
    "short_with_slip",
    7,
    "In a longer word a slip seldom makes another name: Tarasov and Taranov are two.",
)
WORDS_TRANSLATED = _declare(
    "words_translated",
    4,
    "The longest term of a trade or legal form that is translated as a whole.",
)
SHORTEST_TRANSLATED_STEM = _declare(
    "shortest_translated_stem",
    3,
    "Fewer letters of a Slavic or Arabic word are the beginning of any word.",
)
WORDS_OF_VESSEL = _declare(
    "words_of_vessel",
    2,
    "MT Bank is a company; before more words, MT and MV are the kind of a vessel.",
)
LONG_ONE_WORD = _declare(
    "long_one_word",
    8,
    "A word of so many letters is the same one even with a slip in it.",
)
SHORTEST_RARE = _declare(
    "shortest_rare",
    5,
    "A word of a company with fewer letters is the name of others, too.",
)
SHORTEST_PLACE = _declare(
    "shortest_place",
    4,
    "Shorter words of addresses are abbreviations, which tell no place.",
)

# Limits of the comparison, and the structure of East Asian names.
LONGEST_COMPARED = _declare(
    "longest_compared",
    400,
    "Characters: a longer text is no name, and made to be slow.",
)
MOST_WORDS = _declare(
    "most_words", 24, "Words of a longer name are not compared: no name has as many."
)
WORDS_OF_BRAND = _declare(
    "words_of_brand",
    1,
    "Lists transliterate a brand. They translate many names of two words and more.",
)
SYLLABLES_OF_NAME = _declare(
    "syllables_of_name",
    3,
    "A Chinese or Korean name has no more, but for a family name of two.",
)
SYLLABLES_OF_GIVEN_NAME = _declare(
    "syllables_of_given_name", 2, "Chinese and Korean given names have one or two."
)
WORDS_OF_HAN_NAME = _declare(
    "words_of_han_name",
    5,
    "Each syllable may be a word, and a Western name stand beside.",
)
MOST_READINGS = _declare(
    "most_readings",
    400,
    "Of Cantonese in Mandarin: with more, the letters of a name tell too little.",
)

# Facts that support a match.
SHORTEST_IDENTIFIER = _declare(
    "shortest_identifier",
    5,
    "Shorter numbers are counters, which many issuers give out.",
)
SHORTEST_WALLET = _declare(
    "shortest_wallet",
    20,
    "No address of any network has fewer characters: it stands apart in groups.",
)
DEEPEST_WALLET = _declare(
    "deepest_wallet",
    4,
    "Lists and mappings around an address: a form nests no deeper.",
)
CHARACTERS_OF_BANK = _declare(
    "characters_of_bank",
    8,
    "Of a SWIFT code; the three after them name a branch of the same bank.",
)
OLDEST = _declare(
    "oldest",
    122,
    "Years: the highest age that anybody is known to have had. An earlier date is an error, or "
    "stands for an unknown one: 1900-01-01.",
)
BESIDE_OTHER_BIRTH_DATE = _declare(
    "beside_other_birth_date",
    0.995,
    "The very name: a wrong date in a form must not clear this person.",
)
BESIDE_OTHER_GENDER = _declare(
    "beside_other_gender",
    0.88,
    "A strong match: a wrong gender in a form must not clear this person.",
)
CIRCA_YEARS = _declare(
    "circa_years", 5, "An approximate date of a list may be wrong by as many years."
)
TELLING_SPAN = _declare(
    "telling_span",
    21,
    "Years: one adult in three was born in a longer span, so that it only contradicts.",
)

# Limits for what is shown. These change no score.
SHOWN_IDENTIFIERS = _declare(
    "shown_identifiers", 6, "Entries with dozens of numbers would fill the page."
)

# Looking up a name: checks.screening.look_up.
LEAST_OF_LOOK_UP = _declare(
    "least_of_look_up", 0.75, "Below it, a word in three is another one: not shown."
)
BEGINNING = _declare(
    "beginning",
    0.9,
    "A word that begins a listed one: less than the whole word, more than most slips.",
)
SHORTEST_BEGINNING = _declare(
    "shortest_beginning", 3, "Shorter beginnings are those of very many words."
)

# What a process keeps of earlier names, to save time; no score changes with it. A worker that has
# screened eight thousand customers is 284 MiB with 100,000 or more of each, and grows for days;
# with these it stays at 160, and is hardly slower: most hits are within one screening.
CACHED_WORDS = _declare(
    "cached_words",
    8_000,
    "Words of which the sound and weight are kept: 19 of 20 words of a screening are among them.",
)
CACHED_SOUNDS = _declare(
    "cached_sounds",
    24_000,
    "The same of what every comparison asks: lists of 20,000 entries have some 60,000 words.",
)
CACHED_SELDOM = _declare(
    "cached_seldom",
    2_000,
    "The same of words and pairs that one comparison in a hundred asks for.",
)
CACHED_PAIRS = _declare(
    "cached_pairs",
    8_000,
    "Pairs of words of which the similarity is kept: one screening compares some thousand.",
)
CACHED_NAMES = _declare(
    "cached_names",
    2_000,
    "Whole names of which the words are kept: one screening compares some hundred.",
)
