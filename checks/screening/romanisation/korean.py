"""Syllables of Korean names, and their spellings in Latin letters.

The Revised Romanisation (South Korea, 2000) writes 정은 as Jeong-eun, McCune-Reischauer as Chŏng-ŭn,
North Korea as Jong Un, and people choose their own spellings (Jung-eun). Lists omit marks and
apostrophes. So each part of a syllable has all its usual spellings, and one spelling stands for
several syllables.
"""

from __future__ import annotations

from functools import cache
from itertools import product

from anyascii import anyascii

# Korean family names, except the rarest.
ONE_SYLLABLE_FAMILIES = frozenset(
    "김이박최정강조윤장임림한오서신권황안송류유전홍고문양손배백허남심노로하곽성차주우구나라민진지엄채원천방"
    "공현함변염여려추도소석선설마길연위표명기반왕금옥육륙인맹제모탁국어은편용예경봉사부가복태목형피두감"
    "호음빈동온경범승간상갈당화창팽계리량란렴"
)
TWO_SYLLABLE_FAMILIES = frozenset(
    ["남궁", "황보", "제갈", "사공", "선우", "서문", "독고", "동방", "어금", "망절"]
)
# The parts in the order of Unicode, by which the code of a syllable is computed. Doubled consonants
# occur in no names except 쌍 and 씨, and are left out.
_INITIALS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
_VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_FINALS = " ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"
_INITIAL_SPELLINGS = {
    "ㄱ": "g k", "ㄴ": "n", "ㄷ": "d t", "ㄹ": "r l", "ㅁ": "m", "ㅂ": "b p", "ㅅ": "s sh",
    "ㅈ": "j ch", "ㅊ": "ch", "ㅋ": "k kh", "ㅌ": "t th", "ㅍ": "p ph", "ㅎ": "h",
}  # fmt: skip
_VOWEL_SPELLINGS = {
    "ㅏ": "a ah", "ㅐ": "ae ai ay", "ㅑ": "ya", "ㅒ": "yae", "ㅓ": "eo o u uh", "ㅔ": "e eh",
    "ㅕ": "yeo yo you yu", "ㅖ": "ye e", "ㅗ": "o oh", "ㅘ": "wa", "ㅙ": "wae", "ㅚ": "oe oi oy",
    "ㅛ": "yo", "ㅜ": "u oo", "ㅝ": "wo weo", "ㅞ": "we", "ㅟ": "wi wee", "ㅠ": "yu yoo you",
    "ㅡ": "eu u", "ㅢ": "ui eui i ee", "ㅣ": "i ee",
}  # fmt: skip
_FINAL_SPELLINGS = {
    "ㄱ": "k g",
    "ㄴ": "n",
    "ㄹ": "l r",
    "ㅁ": "m",
    "ㅂ": "p b",
    "ㅇ": "ng",
}
# Syllables and family names with spellings that are not built from these parts.
_ALSO_WRITTEN = {
    "강": "kahng", "구": "goo", "국": "kook gook", "권": "kweon", "노": "roh", "로": "noh",
    "박": "park bahk", "백": "baik paik back", "석": "suck", "승": "syng", "신": "shinn", "안": "ahn",
    "양": "ryang", "여": "ryo", "염": "ryom", "오": "oh", "우": "woo wu", "유": "ryu yoo",
    "이": "lee yi ri li rhee rhie ree yee", "임": "lim rim yim", "의": "yi", "엄": "um uhm ohm",
    "장": "jahng", "조": "joe", "주": "choo", "최": "choy chwe", "함": "hahm", "허": "hur her",
    "황": "whang", "현": "hyeun", "혁": "hyuck", "훈": "hoon",
}  # fmt: skip
# The Korean readings of Chinese characters (kHangul of the Unihan database, for the characters of
# KS X 1001). Nearly all names are written with these.
_SYLLABLES = (
    "가각간갈감갑강개객갱갹거건걸검겁게격견결겸경계고곡곤골공과곽관괄광괘괴굉교구국군굴궁권궐"
    "궤귀규균귤극근글금급긍기긴길김나낙난날남납낭내냉녀년념녕노녹논농뇌뇨누눈눌뉴늑늠능니닉다단"
    "달담답당대댁덕도독돈돌동두둔득등라락란랄람랍랑래랭략량려력련렬렴렵령례로록론롱뢰료룡루류륙"
    "륜률륭륵름릉리린림립마막만말망매맥맹멱면멸명몌모목몰몽묘무묵문물미민밀박반발방배백번벌범법"
    "벽변별병보복본볼봉부북분불붕비빈빙사삭산살삼삽상새색생서석선설섬섭성세소속손솔송쇄쇠수숙순"
    "술숭슬습승시식신실심십아악안알암압앙애액앵야약양어억언얼엄업엔여역연열염엽영예오옥온올옹와"
    "완왈왕왜외요욕용우욱운울웅원월위유육윤율융은을음읍응의이익인일임입잉자작잔잠잡장재쟁저적전"
    "절점접정제조족존졸종좌죄주죽준줄중즉즐즙증지직진질짐집징차착찬찰참창채책처척천철첨첩청체초"
    "촉촌총촬최추축춘출충췌취측층치칙친칠침칩칭쾌타탁탄탈탐탑탕태택탱터토통퇴투특틈파판팔패팽퍅"
    "편폄평폐포폭표품풍피필핍하학한할함합항해핵행향허헌헐험혁현혈혐협형혜호혹혼홀홍화확환활황회"
    "획횡효후훈훙훤훼휘휴휼흉흑흔흘흠흡흥희히힐"
)
# Syllables that only a few spellings distinguish share a key.
_SAME_INITIAL = {"ㅋ": "ㄱ", "ㅌ": "ㄷ", "ㅍ": "ㅂ", "ㅊ": "ㅈ"}
_SAME_VOWEL = {
    "ㅗ": "ㅓ", "ㅜ": "ㅓ", "ㅡ": "ㅓ", "ㅝ": "ㅓ", "ㅛ": "ㅕ", "ㅠ": "ㅕ", "ㅔ": "ㅖ", "ㅢ": "ㅣ",
}  # fmt: skip


@cache
def spellings() -> dict[str, frozenset[str]]:
    """Return the syllables by their spelling."""
    syllables_of: dict[str, set[str]] = {}
    for syllable in _all_syllables():
        southern = _in_the_south(syllable)
        for spelling in _spellings_of(syllable):
            syllables = syllables_of.setdefault(spelling, set())
            syllables.add(syllable)
            syllables.add(southern)
    return {key: frozenset(syllables) for key, syllables in syllables_of.items()}


@cache
def transliterations() -> dict[str, frozenset[str]]:
    """Return the syllables by the Latin letters that `anyascii` gives for them."""
    syllables_of: dict[str, frozenset[str]] = {}
    for syllable in _all_syllables():
        letters = anyascii(syllable).lower()
        syllables_of[letters] = frozenset([syllable, _in_the_south(syllable)])
    return syllables_of


def _all_syllables() -> list[str]:
    syllables = [*_SYLLABLES, *sorted(ONE_SYLLABLE_FAMILIES)]
    return list(dict.fromkeys(syllables))


@cache
def key_of() -> dict[str, str]:
    """Return for each syllable a key that it shares with similarly spelt syllables."""
    keys: dict[str, str] = {}
    for syllables in spellings().values():
        for syllable in syllables:
            keys[syllable] = _key(syllable)
    return keys


def _spellings_of(syllable: str) -> set[str]:
    initial, vowel, final = parts(syllable)
    # ㅇ at the beginning and a space at the end mean no sound.
    starts = _INITIAL_SPELLINGS.get(initial, "").split() or [""]
    middles = _VOWEL_SPELLINGS[vowel].split()
    ends = _FINAL_SPELLINGS.get(final, "").split() or [""]
    spellings_of_syllable = set(_ALSO_WRITTEN.get(syllable, "").split())
    for start, middle, end in product(starts, middles, ends):
        # An h after the vowel occurs only at the end, and sh only before i.
        has_h_within = bool(end) and middle.endswith("h")
        if has_h_within or (start == "sh" and vowel not in "ㅣㅟ"):
            continue
        spellings_of_syllable.add(start + middle + end)
    return spellings_of_syllable


def _in_the_south(syllable: str) -> str:
    """Return the syllable as it is at the beginning of a word in South Korea: 룡 becomes 용, 로
    becomes 노.
    """
    initial, vowel, _ = parts(syllable)
    if initial not in "ㄴㄹ":
        return syllable
    is_before_i = vowel in "ㅑㅕㅖㅛㅠㅣ"
    if initial == "ㄴ" and not is_before_i:
        return syllable
    southern = "ㄴ"
    if is_before_i:
        southern = "ㅇ"
    initials_apart = _INITIALS.index(southern) - _INITIALS.index(initial)
    return chr(ord(syllable) + initials_apart * len(_VOWELS) * len(_FINALS))


def parts(syllable: str) -> tuple[str, str, str]:
    """Return the initial (ㅇ for none), the vowel and the final (a space for none) of a syllable."""
    number = ord(syllable) - ord("가")
    initial, rest = divmod(number, len(_VOWELS) * len(_FINALS))
    vowel, final = divmod(rest, len(_FINALS))
    return _INITIALS[initial], _VOWELS[vowel], _FINALS[final]


def _key(syllable: str) -> str:
    initial, vowel, final = parts(syllable)
    first = _SAME_INITIAL.get(initial, initial)
    middle = _SAME_VOWEL.get(vowel, vowel)
    return first + middle + final
