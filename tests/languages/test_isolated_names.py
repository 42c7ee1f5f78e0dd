"""Names within sentences that run from right to left: in an isolate each, so that nothing moves.

Without one, the bracket that ends a name stands at its beginning, and a number behind a name is
taken for a part of it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template import Context, Template
from django.utils import translation

TEMPLATES = Path(settings.BASE_DIR) / "templates"
SENTENCE = re.compile(
    r"{%\s*blocktrans(?:late)?\b([^%]*)%}(.*?){%\s*endblocktrans", re.DOTALL
)
# Members that hold what people, lists or files are called.
NAME = re.compile(
    r"(?:\|person|\.(?:name|subject|file_name|get_username|list_title|entry_name))$"
)
IN_ADDRESS = r'(?:href|value|datetime|id)="[^"]*{{ ?%s ?}}'
# Mails are plain text, which has no direction of its own.
LEFT_OUT = {"mail", "admin", "account"}


def test_every_name_within_a_sentence_is_isolated():
    faults = []
    for path in TEMPLATES.rglob("*.html"):
        where = path.relative_to(TEMPLATES)
        if where.parts[0] in LEFT_OUT:
            continue
        for head, body in SENTENCE.findall(path.read_text()):
            for variable, value in re.findall(r"(\w+)=(\S+)", head):
                is_shown = re.search(rf"{{{{ ?{variable} ?}}}}", body)
                is_address = re.search(IN_ADDRESS % variable, body)
                if is_shown and not is_address and NAME.search(value):
                    faults.append(f"{where}: {variable}={value}")
    assert faults == []


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("ar", "\u2068Acme &lt;A&gt; (Holdings)\u2069"),
        ("ar", "\u2068\ufffdx\u2069"),
        ("de", "Acme &lt;A&gt; (Holdings)"),
    ],
)
def test_a_name_is_isolated_from_right_to_left_alone(language, shown):
    name = "\u202ex" if "x" in shown else "Acme <A> (Holdings)"
    template = Template("{% load shell %}{{ name|isolated }}")
    with translation.override(language):
        assert template.render(Context({"name": name})) == shown
