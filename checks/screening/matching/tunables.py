"""Thresholds for comparing two words, each with its reason: spelling, scripts, typos, short forms.

Changing one of them changes scores and needs a new ENGINE_VERSION, as in
`checks.screening.tunables`.
"""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

# Names that were shortened.
INITIAL_AND_NAME = _declare(
    "initial_and_name",
    0.9,
    "B. Rashid for Badr Rashid, with nothing left on either side: just a possible match.",
)
INITIALS_ALONE = _declare(
    "initials_alone", 0.5, "N. N. is anybody with these initials."
)
LETTERS_BEFORE_CUT = _declare(
    "letters_before_cut",
    15,
    "Fields of 20 characters are the narrowest: two or three blanks less some letters.",
)
CUT_BY_FIELD = _declare(
    "cut_by_field", 0.86, "The same beginning of so many letters, and no more is known."
)
SHORTEST_WITHOUT_VOWELS = _declare(
    "shortest_without_vowels", 3, "Shorter words are kept as they are, or are initials."
)
LETTERS_WITHOUT_VOWELS = _declare(
    "letters_without_vowels",
    6,
    "Fewer consonants are those of many names: Sky Lynn is a name.",
)
VOWELS_LEFT_OUT = _declare(
    "vowels_left_out",
    0.86,
    "All consonants of all words are the same: a hit, and no strong one.",
)

# Words of companies.
ACRONYM = _declare(
    "acronym",
    4,
    "A word of as few letters is an acronym as often as not: SKF sounds like SCF.",
)
ACRONYM_DOUBLED = _declare(
    "acronym_doubled", 0.9, "In a word of four letters a doubled one may be a slip."
)
ACRONYM_VARIANT = _declare("acronym_variant", 0.8, "ABB and AAB are two companies.")
ACRONYM_SLIP = _declare(
    "acronym_slip",
    0.6,
    "ABC and NABC, BMI and BMW: in three letters one slip makes another company.",
)
ACRONYM_OF_WORDS = _declare(
    "acronym_of_words",
    0.69,
    "PLA for People's Liberation Army: three letters are the first ones of many names. No hit alone.",
)
LONGEST_ACRONYM = _declare(
    "longest_acronym", 6, "A word of more letters is a word, not the first letters."
)
SHORTEST_STEM = _declare(
    "shortest_stem",
    4,
    "Trader and Trading: in fewer letters, two words begin alike by chance.",
)
LONGEST_ENDING = _declare(
    "longest_ending",
    2,
    "Marine and Marina: so many letters behind the stem are an ending.",
)
SLIP_IN_COMPANY = _declare(
    "slip_in_company", 0.85, "What one slip costs, shared by the letters of the word."
)

TRANSLATION = _declare(
    "translation",
    0.95,
    "Oil for petroleum: the word of the other language is either.",
)

# Words in kana, Thai, Khmer and their like, by classes of consonants.
COARSE = _declare(
    "coarse",
    0.86,
    "The same consonants, where several letters are one: a doubt, and no hit.",
)
COARSE_OF_FEW = _declare(
    "coarse_of_few", 0.78, "Two consonants or fewer: Sim and Sam are one form."
)
COARSE_WITH_SLIP = _declare(
    "coarse_with_slip", 0.69, "リチャード has one consonant fewer than Richard."
)
COARSE_WITH_TWO_SLIPS = _declare(
    "coarse_with_two_slips", 5, "In fewer consonants two others make another name."
)
COARSE_FAR = _declare("coarse_far", 0.7, "Two of many consonants differ.")

# The score of two words.
INITIAL = _declare("initial", 0.8, "J. for John: plausible, and nothing proves it.")
SPELLING_VARIANT = _declare(
    "spelling_variant",
    0.96,
    "Mohammed and Muhammad are one name, but not one spelling.",
)
AGREES_BESIDE = _declare(
    "agrees_beside",
    0.85,
    "From this score on, another name agrees. One name that merely sounds alike makes no person.",
)
FAR_VARIANT = _declare(
    "far_variant",
    0.85,
    "Zaree and Sayari sound alike, and share fewer than half of their letters.",
)
NICKNAME = _declare(
    "nickname", 0.85, "Bill for William: usual, and Bill is a name of its own."
)
NUMBER_WITH_SLIP = _declare(
    "number_with_slip", 0.85, "Thee for three: nearly always a slip."
)
SHORTEST_NUMBER = _declare(
    "shortest_number", 4, "One slip makes a shorter word another word: tea, ten."
)
FORM_SLIP = _declare(
    "form_slip",
    1.1,
    "What one slip costs in a legal form, shared by the letters of the word.",
)
SHORTEST_FORM = _declare(
    "shortest_form", 3, "Two letters with a slip are any two letters."
)
WITHOUT_ABDUL = _declare(
    "without_abdul",
    0.8,
    "Abdul Hamid is called Hamid at times, and so are other people.",
)
SAME_WITHOUT_ABDUL = _declare(
    "same_without_abdul",
    0.95,
    "Without Abdul, the rest must be the same but for its spelling.",
)
SLIP = _declare(
    "slip", 1.1, "What one slip costs, shared by the letters of the longer word."
)
SLIP_OF_SOUND = _declare(
    "slip_of_sound",
    0.5,
    "A slip that sounds the same adds half a slip to those that are heard.",
)
SEVERAL_SLIPS = _declare(
    "several_slips",
    0.05,
    "Two slips in one word are rarer than one slip in each of two words.",
)
OTHER_BEGINNING = _declare(
    "other_beginning",
    0.1,
    "Salim and Kalim, Than and Khan: who mistypes or mishears a name seldom begins it otherwise.",
)
LETTERS_WITHOUT_SLIP = _declare(
    "letters_without_slip", 2, "In two letters every slip is another word."
)
LETTERS_WITH_ONE_SLIP = _declare(
    "letters_with_one_slip",
    5,
    "Up to five letters, two slips leave too little of a word.",
)
LETTERS_OF_OTHER_WORD = _declare(
    "letters_of_other_word",
    8,
    "Safdari and Saadati: in fewer letters, both slips of a whole name in one word make another.",
)
LETTERS_WITH_TWO_SLIPS = _declare(
    "letters_with_two_slips",
    9,
    "Up to nine letters two slips are allowed, and three beyond.",
)
SHORT_WORD = _declare(
    "short_word", 4, "In a word this short a slip must not also hide behind its sound."
)
SAME_CONSONANTS = _declare(
    "same_consonants",
    0.82,
    "Vowels are heard differently; consonants tell most of a word.",
)
FAR_LENGTH = _declare(
    "far_length",
    1.7,
    "So many times longer, a word has sounds that the other one lacks.",
)
FAR_CONSONANTS = _declare(
    "far_consonants",
    0.7,
    "Besr and Baasyir: three consonants in four letters are those of many words.",
)
MISREAD = _declare(
    "misread", 0.9, "Timur read from a picture as Tirnur: the letters look the same."
)
CONSONANTS_ALONE = _declare(
    "consonants_alone",
    0.35,
    "The vowels are others, and none was left out: Zirn and Zoran are two names.",
)
OTHER_COMMON_NAME = _declare(
    "other_common_name",
    0.35,
    "Ahmad and Hamad are two names of many people each; a slip between them is rare.",
)
SHORTEST_CONSONANTS = _declare(
    "shortest_consonants", 3, "Two consonants are those of too many words."
)
SHORTEST_PREFIX = _declare(
    "shortest_prefix", 5, "The beginning of fewer letters is that of too many words."
)
COMMON_LETTERS = _declare(
    "common_letters",
    0.92,
    "Jaro-Winkler: over it, long words share nearly all letters.",
)
MANY_COMMON_LETTERS = _declare(
    "many_common_letters", 0.8, "Alike as a whole, with more slips than are counted."
)
CUT_SHORT = _declare("cut_short", 0.75, "Alex for Alexander, which is also Alexandra.")

# The score of two words in different scripts.
TRANSLITERATION = _declare(
    "transliteration", 0.93, "All consonants are the same, the vowels were not written."
)
TRANSLITERATION_OF_ONE = _declare(
    "transliteration_of_one", 0.87, "A single consonant says less: Ali and Ola."
)
TRANSLITERATION_OF_NONE = _declare(
    "transliteration_of_none", 0.6, "Words of vowels only: nothing was compared."
)
SOFT_CONSONANTS = _declare(
    "soft_consonants", 0.85, "One letter of Arabic is read as either: Nazmi and Nadhmi."
)
OTHER_CONSONANT = _declare(
    "other_consonant",
    0.78,
    "One of four or more consonants differs: a slip or another word.",
)
OTHER_OF_THREE = _declare(
    "other_of_three",
    0.6,
    "One of three consonants differs: another word as often as not.",
)
OTHER_VOWELS = _declare(
    "other_vowels", 0.84, "The same consonants with another long vowel between them."
)
FOREIGN_WORD = _declare(
    "foreign_word",
    0.84,
    "A foreign word in Arabic, which has no p and no v: b and f stand for two.",
)
WITHOUT_ARTICLE = _declare(
    "without_article", 0.91, "AlShaer for Shaer: the same word, one with its article."
)
WRITTEN_CONSONANTS = _declare(
    "written_consonants",
    0.93,
    "Both in Arabic or Hebrew, where only a vowel may differ.",
)
LETTER_OF_ABJAD = _declare(
    "letter_of_abjad", 0.85, "One of four or more letters differs, in Arabic or Hebrew."
)
SHORTEST_OF_ABJAD = _declare(
    "shortest_of_abjad", 4, "In three letters every other one makes another word."
)
SAME_HAN = _declare("same_han", 0.95, "Several characters share one syllable.")
SAME_KOREAN = _declare(
    "same_korean", 0.93, "The same syllables whichever romanisation wrote them."
)
NEAR_KOREAN = _declare(
    "near_korean", 0.7, "One sound differs; short syllables are near to many others."
)

# Typos in titles, legal forms and numbers.
LONGEST_TORN_FORM = _declare(
    "longest_torn_form",
    5,
    "Longer legal forms are not torn apart as S.AA. and LT.D. are.",
)
LEFT_BY_TITLE = _declare(
    "left_by_title", 3, "Fewer letters beside a title are no name."
)
LEFT_BY_FORM = _declare("left_by_form", 2, "One letter beside a legal form is no name.")
SHORTEST_ENDING = _declare(
    "shortest_ending", 3, "Words end in two letters of a legal form by chance."
)
SHORTEST_TITLE_TYPO = _declare(
    "shortest_title_typo", 3, "A word of two letters is one slip from too many titles."
)
NAMES_BEHIND_TITLE = _declare(
    "names_behind_title",
    2,
    "Lord, Don and Pan are names, too: with fewer names behind it such a word is one of them.",
)
SHORTEST_NEAR_TITLE = _declare(
    "shortest_near_title", 6, "A shorter word near a title may be a name of its own."
)
SHORTEST_KNOWN_TITLE = _declare(
    "shortest_known_title", 5, "Shorter titles are one slip from too many names."
)
SHORTEST_FORM_PART = _declare(
    "shortest_form_part",
    4,
    "Shorter parts of legal forms are one slip from other words.",
)
SHORTEST_GLUED = _declare(
    "shortest_glued",
    8,
    "A legal form of fewer letters is the beginning of other words: public, stock.",
)
LEFT_BY_GLUED = _declare(
    "left_by_glued", 2, "One letter behind a legal form is its plural."
)
SHORTEST_SPELLING = _declare(
    "shortest_spelling",
    4,
    "Shorter spellings of forms and numbers are near too many words.",
)
SHORTEST_LONG_FORM = _declare(
    "shortest_long_form", 6, "Shorter legal forms with a slip in them are other words."
)
SHORTEST_PHRASE = _declare(
    "shortest_phrase",
    15,
    "Legal forms of as many letters are known with slips in them.",
)
SLIPS_IN_PHRASE = _declare(
    "slips_in_phrase",
    2,
    "A form of three or four words has room for two: Jont stock companny.",
)
SHORTEST_WITH_FORM = _declare(
    "shortest_with_form",
    9,
    "COMPANYLLC is two words; in a shorter one the form is a part of it.",
)
LETTERS_OF_WORD = _declare(
    "letters_of_word",
    2,
    "Letters that an acronym takes from one word: KOMID is KOrea MIning Development.",
)
WORDS_OF_ACRONYM = _declare(
    "words_of_acronym",
    2,
    "Words that an acronym stands for, at least: one word has its own letters anyway.",
)
