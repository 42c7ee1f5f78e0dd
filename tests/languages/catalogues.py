"""Reads the catalogues of messages: .po as translators edit them, .mo as Django loads them."""

from __future__ import annotations

import ast
import gettext
import re
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings

LOCALE = Path(settings.BASE_DIR, "locale")
_LINE = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d\])?) (".*")')


@dataclass
class Message:
    """A text in English, and its translation in as many forms as the language has."""

    id: str = ""
    context: str = ""
    plural: str = ""
    forms: list[str] = field(default_factory=list)
    is_fuzzy: bool = False

    @property
    def key(self) -> str:
        return f"{self.context}\x04{self.id}" if self.context else self.id


def messages(language: str) -> list[Message]:
    """All of a .po but its header."""
    path = LOCALE / language / "LC_MESSAGES" / "django.po"
    blocks = path.read_text(encoding="utf-8").split("\n\n")
    return [_message(block) for block in blocks[1:] if block.strip()]


def _message(block: str) -> Message:
    message = Message()
    name = ""
    for line in block.splitlines():
        if line.startswith("#"):
            message.is_fuzzy |= line.startswith("#, ") and "fuzzy" in line
            continue
        match = _LINE.fullmatch(line)
        if match:
            name = match[1].partition("[")[0]
            if name == "msgstr":
                message.forms.append("")
        text = ast.literal_eval(match[2] if match else line)
        if name == "msgctxt":
            message.context += text
        elif name == "msgid":
            message.id += text
        elif name == "msgid_plural":
            message.plural += text
        else:
            message.forms[-1] += text
    return message


def compiled(language: str) -> dict[str, str]:
    """What the .mo holds; each form of a plural by its text and number."""
    path = LOCALE / language / "LC_MESSAGES" / "django.mo"
    with path.open("rb") as file:
        catalogue = vars(gettext.GNUTranslations(file))["_catalog"]
    rows = {}
    for key, text in catalogue.items():
        name = key if isinstance(key, str) else f"{key[0]}[{key[1]}]"
        rows[name] = text
    rows.pop("", None)
    return rows
