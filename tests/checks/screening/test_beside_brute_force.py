"""Who is a hit of some name is found by the keys, too: each subject beside all names, without an index."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from checks.screening import engine
from checks.screening.lists import Candidate, MemoryLists
from checks.screening.matching.names import Name
from checks.screening.records import Entity, ListedName, ListVersion, Subject

PEOPLE = (
    "Teodor Korbutski", "Amadou Bah Sanneh", "Yevgeniya Ilyinichna Morozchenko", "Abdul Rahman Zarqani",
    "Dragoslav Petrovski", "Nikola Vasiljević", "Гаврило Печерський", "Олександр Вербицький",
    "Мирослава Корчагіна", "عبد الله المنصوري", "خالد يوسف الدباغ", "محمود حسين القاسمي",
    "김철수", "박정호", "이영희", "陈建国", "刘晓明", "王海燕", "Kim Myong Gil", "Nguyễn Văn Thành",
    "Γιώργος Παπαδόπουλος", "გიორგი ბერიძე", "Արամ Պետրոսյան", "José María Aznárez", "Farrukh Shokirov",
)  # fmt: skip
COMPANIES = (
    "Halcyon Maritime Shipping LLC", "Korbut Machine Works JSC", "Northern Quarry Trading Company",
    "Вербицкий Металл", "Al-Dabbagh General Trading", "Green Delta Petrochemical GmbH",
)  # fmt: skip
VERSION = ListVersion("made", "Made", 1, "", "", "", 0, topics=("sanction",))


class Everybody(MemoryLists):
    """Each name of the kind is a candidate."""

    def candidates(self, name: Name, **_: Any) -> Sequence[Candidate]:
        return [one for one in self._names if one.name.person == name.person]


def entities() -> list[Entity]:
    rows = []
    for name in PEOPLE:
        rows.append(Entity(name, "Person", [ListedName(name)]))
    for name in COMPANIES:
        rows.append(Entity(name, "Organization", [ListedName(name)]))
    return rows


def written(name: str, rng: random.Random) -> str:
    """The name with its words in another order, a letter left out, doubled or exchanged, or as it is."""
    at = rng.randrange(len(name) - 1)
    words = name.split()
    rng.shuffle(words)
    ways = (
        name,
        " ".join(words),
        name[:at] + name[at + 1 :],
        name[:at] + name[at] + name[at:],
        name[:at] + name[at + 1] + name[at] + name[at + 2 :],
        f"{name} {rng.choice(words)}",
    )
    return rng.choice(ways)


def hits(lists: MemoryLists, subject: Subject) -> set[tuple[str, str, float]]:
    result = engine.screen(subject, lists).alerts
    return {(one.entry.entity.id, one.band, one.score) for one in result}


@pytest.mark.parametrize("seed", range(4))
def test_the_keys_lead_to_every_hit(seed):
    rng = random.Random(seed)  # noqa: S311
    listed = entities()
    by_keys = MemoryLists.of(listed, VERSION)
    by_all = Everybody.of(listed, VERSION)
    text = 0
    for entity in listed * 3:
        name = written(entity.names[0].text, rng)
        subject = Subject([name], schema=entity.schema)
        expected = hits(by_all, subject)
        assert hits(by_keys, subject) == expected, name
        text += bool(expected)
    # Most of them are hits, or nothing was compared.
    assert text > len(listed)
