"""A change of a number of the comparison of names is a new version of the engine."""

from __future__ import annotations

import hashlib
import json

from checks.screening import tunables
from checks.screening.matching import tunables as word_tunables
from checks.screening.policy import ENGINE_VERSION

# By engine version. Whoever changes a number raises ENGINE_VERSION, and adds a line here.
DIGESTS = {
    "6": "b148fd4c87040dbb",
    "7": "4e5b47f9ef940dd7",
    "8": "d99fccfc61a486f5",
    "9": "ddf4c093e8fcc899",
    "10": "cf79514fcc11fdb5",
    # Names in Greek and Indian letters are read as foreign ones, too.
    "11": "cf79514fcc11fdb5",
    # Syllables of a listed name that stand apart in the query are no whole name.
    "12": "cf79514fcc11fdb5",
    # Names in letters that several languages share are read in each of these languages.
    "13": "cf79514fcc11fdb5",
    # Spellings of a name by the rules of several languages, people of one family, and syllables.
    "14": "6884e7eedfeb8641",
    # Titles that are names, and two names of many people.
    "15": "1d7218cf8f388039",
    # Usual words of companies, names of more countries, and father and son by their suffix.
    "16": "a361e30c61dcf68b",
    # Spans of birth dates, and the sex and the country in the words of many languages.
    "17": "b86ed5d69f23bcee",
    # Hebrew letters with two sounds are read with the other sound, too.
    "18": "b86ed5d69f23bcee",
    # Wallets within a text, one wrong value of a form, spellings of more languages, and words of
    # trade in listed names.
    "19": "57c3ab9baf7fc6c5",
    # Entries without a name in Latin letters, placeholders of birth dates, more legal forms.
    "20": "a247aea70a68d69b",
    # Companies in translation, and short words with another letter.
    "21": "8749bea02485a643",
    # The two spellings of zhe, and names in Bengali letters with an article, w or ow.
    "22": "8749bea02485a643",
    # Companies in Greek, Armenian and Georgian letters, and words that lists may translate.
    "23": "3262b8267a6c27f7",
    # Words of companies with another letter, names with al-Din, Somali, and names at birth.
    "24": "56aad8f206d33e7e",
    # Hokkien and its neighbours, companies in Vietnamese, earlier names, and Sato beside Saito.
    "25": "56aad8f206d33e7e",
    # Letters of one script, child and father, degrees, and abbreviations of names.
    "26": "90caa1a17127dc45",
}
# What a page shows, a person looks up, or a process keeps, changes no score of a screening.
SHOWN = {
    "cached_words",
    "cached_sounds",
    "cached_seldom",
    "cached_pairs",
    "cached_names",
    "least_of_look_up",
    "beginning",
    "shortest_beginning",
    "shown_identifiers",
}


def test_a_change_of_a_number_is_a_new_version_of_the_engine() -> None:
    of_names, of_words = dict(tunables.TABLE), dict(word_tunables.TABLE)
    assert not of_names.keys() & of_words.keys()
    numbers = {
        name: tunable.default
        for name, tunable in (of_names | of_words).items()
        if name not in SHOWN
    }
    text = json.dumps(numbers, sort_keys=True)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == DIGESTS[ENGINE_VERSION]
