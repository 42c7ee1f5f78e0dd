"""The numbers of the checks stand in tables, each with a reason and in use."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

from checks.tunables import Table

ROOT = Path(__file__).parents[2]
TABLES = sorted((ROOT / "checks").rglob("*/tunables.py"))
ROOMS = [path.parent.relative_to(ROOT).as_posix() for path in TABLES]
# What a format fixes: a colour, the blocks of JPEG, flags of PDF, the forms of a zone, a checksum.
NO_TUNABLES = {"WHITE", "BLOCK", "GRID", "UNSEEN", "FORMATS", "_CASH_GENERATORS"}
# The form of a zone, and that for which the weights of its reader were made.
NO_TUNABLES |= {"WIDTHS", "PITCH", "CAPITAL", "HEIGHT", "ORIENTATIONS"}
NO_TUNABLES |= {"SMOOTHING", "FAINT"}
# A flag of a field of a PDF.
NO_TUNABLES |= {"PASSWORD"}
NO_TUNABLES |= {"OF_QUARTERS"}  # The orientations of Exif.
NO_TUNABLES |= {"CYCLE", "BUDDHIST"}  # Of calendars: years.
NO_TUNABLES |= {"LZW_CLEAR", "LZW_END", "LZW_MOST_CODES"}  # Of the format.


@pytest.mark.parametrize("room", ROOMS)
def test_each_number_stands_under_its_name_with_a_reason(room) -> None:
    module = import_module(f"{room.replace('/', '.')}.tunables")

    for name, tunable in module.TABLE.items():
        assert getattr(module, name.upper()) == tunable.default
        assert tunable.reason.endswith("."), f"no sentence for {name}"
        assert len(tunable.reason.split()) > 3, f"no reason for {name}"


@pytest.mark.parametrize("room", ROOMS)
def test_each_number_is_used(room) -> None:
    package = room.replace("/", ".")
    module = import_module(f"{package}.tunables")
    uses = set()
    for path in (ROOT / room).rglob("*.py"):
        source = path.read_text()
        if f"from {package} import" in source:
            uses.update(re.findall(r"tunables\.([A-Z_]+)", source))

    assert uses >= {name.upper() for name in module.TABLE}


@pytest.mark.parametrize("room", ROOMS)
def test_no_number_stands_outside_of_the_table(room) -> None:
    outside = {}
    for path in (ROOT / room).rglob("*.py"):
        names = set(numbers_of(path)) - NO_TUNABLES
        if path.name != "tunables.py" and names:
            outside[path.relative_to(ROOT).as_posix()] = sorted(names)

    assert outside == {}, "Declare them in tunables.py of the room, with a reason."


def numbers_of(path: Path) -> list[str]:
    """The constants of a module that are numbers."""
    names = []
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and is_number(node.value):
            for target in node.targets:
                names += [
                    part.id for part in ast.walk(target) if isinstance(part, ast.Name)
                ]
    return names


def is_number(value: ast.expr) -> bool:
    if isinstance(value, ast.Tuple):
        return all(map(is_number, value.elts))
    if isinstance(value, ast.BinOp):
        return is_number(value.left) and is_number(value.right)
    if not isinstance(value, ast.Constant) or isinstance(value.value, bool):
        return False
    return isinstance(value.value, int | float)


def test_a_name_is_declared_once() -> None:
    table = Table()
    assert table.declare("least", 3, "With fewer it is chance.") == 3
    with pytest.raises(ValueError, match="declared twice"):
        table.declare("least", 4, "With fewer it is chance.")
