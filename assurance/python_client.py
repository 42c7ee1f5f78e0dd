"""Writes the typed Python client of the desk's interface from its OpenAPI description.

    python -m assurance.python_client            prints whether what is committed is current
    python -m assurance.python_client --write    writes it

Two modules are made: `models.py`, a TypedDict for each schema, and `client.py`, a method for each
operation. What does not depend on the description (requests, errors, signatures of webhooks) is
written by hand beside them.
"""

from __future__ import annotations

import argparse
import json
import keyword
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "clients" / "python" / "compliance_desk_client"
JSON = "application/json"
FORM = "multipart/form-data"
METHODS = ("get", "post", "patch", "put", "delete")
WIDTH = 88
HEADER = "# Made by `python -m assurance.python_client --write` from the OpenAPI description of the desk."

# Operations for which the rule in _name() gives a name that does not say what they do.
NAMES = {
    "get /me": "get_me",
    "get /agents/{pk}/batches/{batch}": "get_agent_batch",
    "get /second-looks/rates": "get_error_rates",
    "post /cases/claim": "claim_case",
    "post /cases/{pk}/checklist": "mark_checklist_item",
    "post /cases/{pk}/fields": "set_case_fields",
    "post /cases/{pk}/jobs": "run_case_again",
    "post /cases/{pk}/stop-waiting": "stop_waiting_for_job",
    "post /cases/{pk}/marks": "mark_check",
    "post /cases/{pk}/second": "second_decision",
    "post /cases/{pk}/rating": "rate_case",
    "post /cases/{pk}/withdraw-request": "withdraw_request",
    "post /cases/{pk}/decisions": "decide_case",
    "post /cases/{pk}/tags/remove": "remove_case_tag",
    "post /documents/{pk}/end-links": "end_document_links",
    "post /suspicion-reports/{pk}/act": "act_on_suspicion_report",
    "post /look-ups": "look_up",
    "post /inbox/read": "mark_inbox_read",
    "get /inbox": "list_inbox",
}
SIMPLE = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
}

Schema = Mapping[str, Any]


@dataclass
class Models:
    """The classes of `models.py`, in the order in which they are found."""

    classes: dict[str, str] = field(default_factory=dict)

    def add_all(self, schemas: Mapping[str, Schema]) -> None:
        for name, schema in schemas.items():
            self.add(name, schema)

    def add(self, name: str, schema: Schema) -> str:
        """Write the class of an object, and return its name."""
        required = set(schema.get("required", ()))
        members = []
        for key, member in schema.get("properties", {}).items():
            kind = self.type_of(member, f"{name}{_camel(key)}")
            if key not in required:
                kind = f"NotRequired[{kind}]"
            members.append((key, kind, _comment(member)))
        self.classes[name] = _class(name, members, schema.get("description", ""))
        return name

    def type_of(self, schema: Schema, name: str) -> str:
        """The Python type of a schema.

        An object inside another object gets a class called `name`.
        """
        if "$ref" in schema:
            return str(schema["$ref"]).rpartition("/")[2]
        if "const" in schema:
            return f"Literal[{schema['const']!r}]"
        if "enum" in schema:
            return f"Literal[{', '.join(map(repr, schema['enum']))}]"
        if "anyOf" in schema:
            return _union(self.type_of(each, name) for each in schema["anyOf"])
        kind = schema.get("type")
        if isinstance(kind, list):
            return _union(self.type_of({**schema, "type": each}, name) for each in kind)
        if kind == "array":
            return f"list[{self.type_of(schema.get('items', {}), _singular(name))}]"
        if kind == "object":
            return self._object(schema, name)
        return SIMPLE.get(str(kind), "Json")

    def _object(self, schema: Schema, name: str) -> str:
        if schema.get("properties"):
            return self.add(name, schema)
        others = schema.get("additionalProperties", True)
        if isinstance(others, Mapping):
            return f"dict[str, {self.type_of(others, _singular(name))}]"
        return "dict[str, Json]"


@dataclass(frozen=True)
class Operation:
    """One method of the client."""

    path: str
    method: str
    content: Schema

    @property
    def name(self) -> str:
        own = NAMES.get(f"{self.method} {self.path}")
        return own or _name(self.method, self.path, is_list=bool(self.item_name))

    @property
    def path_parameters(self) -> list[Schema]:
        return self._parameters("path")

    @property
    def query(self) -> list[Schema]:
        return self._parameters("query")

    def _parameters(self, place: str) -> list[Schema]:
        return [
            each for each in self.content.get("parameters", []) if each["in"] == place
        ]

    @property
    def bodies(self) -> Mapping[str, Schema]:
        body: Mapping[str, Schema] = self.content.get("requestBody", {}).get(
            "content", {}
        )
        return body

    @property
    def answers(self) -> list[tuple[str, Schema]]:
        """Media type and schema of each answer that is no error. Without a body, the type is ""."""
        answers = []
        for status, response in self.content["responses"].items():
            if status.startswith("2"):
                content = response.get("content") or {"": {"schema": {}}}
                for media, body in content.items():
                    answers.append((media, body["schema"]))
        return answers

    @property
    def item_name(self) -> str:
        """The name of the schema of a page; "" if the answer is no list in pages."""
        if not any(each["name"] == "cursor" for each in self.query):
            return ""
        (_, schema), *_ = self.answers
        return str(schema.get("$ref", "")).rpartition("/")[2]


def operations(document: Schema) -> list[Operation]:
    found = []
    for path, methods in document["paths"].items():
        for method in METHODS:
            if method in methods:
                found.append(Operation(path, method, methods[method]))
    return sorted(found, key=lambda operation: operation.path)


def models_source(document: Schema) -> str:
    models = Models()
    models.add_all(document["components"]["schemas"])
    names = ", ".join(repr(name) for name in document["webhooks"])
    bodies = _union(_webhook_body(each) for each in document["webhooks"].values())
    text = "\n\n\n".join(models.classes.values())
    return f'''{HEADER}
"""What the interface of the desk takes and answers: a TypedDict for each schema."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

# The events of the webhooks that the desk sends, and their bodies.
EventName = Literal[{names}]
WebhookBody: TypeAlias = "{bodies}"


{text}
'''


def _webhook_body(webhook: Schema) -> str:
    content = webhook["post"]["requestBody"]["content"]
    return str(content[JSON]["schema"]["$ref"]).rpartition("/")[2]


def client_source(document: Schema) -> str:
    all_operations = operations(document)
    pages = document["components"]["schemas"]
    methods = []
    names: set[str] = set()
    for operation in all_operations:
        if operation.name in names:
            raise ValueError(f"Two operations are called {operation.name}.")
        names.add(operation.name)
        methods.append(_method(operation))
        properties = pages.get(operation.item_name, {}).get("properties", {})
        if "items" in properties:
            methods.append(_iterator(operation, properties["items"]))
    body = "\n\n".join(textwrap.indent(method, "    ") for method in methods)
    return f'''{HEADER}
"""The client: a method for each operation of the desk's interface."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, cast

from compliance_desk_client import models
from compliance_desk_client.transport import File, Transport


class DeskClient(Transport):
    """Calls the desk. `url` is its address, such as https://desk.example; `token` an API token.

    An error of the desk is raised as ApiError, with the problem that it answered.
    """

{body}
'''


def _method(operation: Operation) -> str:
    arguments, call = _arguments(operation)
    result = _union(_result(media, schema) for media, schema in operation.answers)
    media, _ = operation.answers[0]
    lines = [f"def {operation.name}(self{arguments}) -> {result}:"]
    lines.append(f'    """{_summary(operation)}"""')
    send = f"self._{'json' if media in {JSON, ''} else 'bytes'}({call})"
    if result == "None":
        lines.append(f"    {send}")
    elif result == "bytes":
        lines.append(f"    return {send}")
    else:
        lines.append(f'    return cast("{result}", {send})')
    return "\n".join(lines)


def _iterator(operation: Operation, items: Schema) -> str:
    """A method that yields the rows of all pages of a list."""
    item = str(items["items"].get("$ref", "")).rpartition("/")[2]
    kind = f"models.{item}" if item else "models.Json"
    arguments, _ = _arguments(operation, without="cursor")
    given = [_identifier(each["name"]) for each in operation.path_parameters]
    for each in operation.query:
        if each["name"] != "cursor":
            name = _identifier(each["name"])
            given.append(f"{name}={name}")
    given.append("cursor=cursor")
    name = "iterate_" + operation.name.removeprefix("list_").removeprefix("get_")
    return f'''def {name}(self{arguments}) -> Iterator[{kind}]:
    """As {operation.name}, page after page."""
    cursor: str | None = None
    while True:
        page = self.{operation.name}({", ".join(given)})
        yield from page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            return'''


def _arguments(operation: Operation, without: str = "") -> tuple[str, str]:
    """The parameters of a method, and the arguments with which the method sends its request."""
    types = Models()
    parameters = []
    for each in operation.path_parameters:
        kind = types.type_of(each["schema"], "")
        parameters.append(f"{_identifier(each['name'])}: {kind}")
    path = re.sub(
        r"\{(\w+)\}",
        lambda match: f"{{self._part({_identifier(match[1])})}}",
        operation.path,
    )
    prefix = "f" if path != operation.path else ""
    call = [repr(operation.method.upper()), f'{prefix}"{path}"']
    if JSON in operation.bodies:
        name = types.type_of(operation.bodies[JSON]["schema"], "")
        if name == "Nothing":
            call.append("body={}")
        else:
            parameters.append(f"body: models.{name}")
            call.append("body=body")
    named = []
    if FORM in operation.bodies:
        named.append("files: Mapping[str, File | list[File]] | None = None")
        call.append("files=files")
    query = [each for each in operation.query if each["name"] != without]
    for each in query:
        kind = types.type_of(each["schema"], "")
        default = "" if each.get("required") else " | None = None"
        named.append(f"{_identifier(each['name'])}: {kind}{default}")
    if query:
        pairs = [f"{each['name']!r}: {_identifier(each['name'])}" for each in query]
        call.append(f"query={{{', '.join(pairs)}}}")
    if named:
        parameters += ["*", *named]
    return "".join(f", {each}" for each in parameters), ", ".join(call)


def _result(media: str, schema: Schema) -> str:
    if not media:
        return "None"
    if media != JSON:
        return "bytes"
    return f"models.{schema['$ref'].rpartition('/')[2]}"


def _name(method: str, path: str, *, is_list: bool) -> str:
    """The method's name: list_case_notes for get /cases/{pk}/notes, assign_case for …/assign."""
    words = []
    segments = path.strip("/").split("/")
    for at, segment in enumerate(segments):
        if segment.startswith("{"):
            continue
        is_of_one = at + 1 < len(segments) and segments[at + 1].startswith("{")
        word = segment.replace("-", "_")
        words.append(_singular(word) if is_of_one else word)
    *owner, last = words
    if method == "get":
        return "_".join(["list" if is_list or last.endswith("s") else "get", *words])
    if method == "post" and segments[-1].startswith("{"):
        return "_".join(["create", *words])
    if method == "post" and last.endswith("s"):
        return "_".join(["create", *owner, _singular(last)])
    if method == "post":
        return "_".join([last, *owner])
    return "_".join([{"patch": "change"}.get(method, method), *words])


def _singular(word: str) -> str:
    for ending, one in (("ies", "y"), ("ches", "ch"), ("s", "")):
        if word.endswith(ending) and not word.endswith("ss"):
            return word.removesuffix(ending) + one
    return word


def _camel(name: str) -> str:
    return "".join(
        part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", name)
    )


def _identifier(name: str) -> str:
    name = re.sub(r"\W", "_", name)
    return f"{name}_" if keyword.iskeyword(name) else name


def _union(types: Iterable[str]) -> str:
    distinct = dict.fromkeys(types)
    # None comes last, as people write it.
    return " | ".join(sorted(distinct, key=lambda name: name == "None"))


def _summary(operation: Operation) -> str:
    summary = " ".join(operation.content["summary"].replace("\\", "").split())
    text = f"{summary.removesuffix('.')}."
    if len(text) <= WIDTH - 14:
        return text
    lines = textwrap.wrap(text, WIDTH - 8)
    return "\n    ".join(lines) + "\n    "


def _comment(schema: Schema) -> str:
    """What the description says about a member, as a comment above it."""
    texts = [schema.get("description", "")]
    texts += [each.get("description", "") for each in schema.get("anyOf", [])]
    return " ".join(" ".join(filter(None, texts)).split())


def _class(name: str, members: list[tuple[str, str, str]], description: str) -> str:
    if any(not key.isidentifier() or keyword.iskeyword(key) for key, _, _ in members):
        return "\n".join(_functional(name, members))
    lines = [f"class {name}(TypedDict):"]
    if description:
        text = " ".join(description.split())
        lines.append(f'    """{_paragraph(text)}"""')
    for key, kind, comment in members:
        lines += [f"    # {line}" for line in textwrap.wrap(comment, WIDTH - 6)]
        lines.append(f"    {key}: {kind}")
    if len(lines) == 1:
        lines.append('    """Without members."""')
    return "\n".join(lines)


def _paragraph(text: str) -> str:
    if len(text) <= WIDTH - 10:
        return text
    return "\n    ".join(textwrap.wrap(text, WIDTH - 4)) + "\n    "


def _functional(name: str, members: list[tuple[str, str, str]]) -> Iterator[str]:
    """A class in the functional form, because a member's name is a keyword or no identifier."""
    yield f"{name} = TypedDict("
    yield f"    {name!r},"
    yield "    {"
    for key, kind, comment in members:
        yield from (f"        # {line}" for line in textwrap.wrap(comment, WIDTH - 10))
        yield f"        {key!r}: {kind!r},"
    yield "    },"
    yield ")"


def _formatted(source: str) -> str:
    """The source as ruff formats it, like all code in the repository."""
    command = [
        sys.executable,
        "-m",
        "ruff",
        "format",
        "--stdin-filename",
        "client.py",
        "-",
    ]
    done = subprocess.run(
        command, input=source, capture_output=True, text=True, check=True, cwd=ROOT
    )
    return done.stdout


def sources(document: Schema) -> dict[str, str]:
    """The source of the generated modules, by file name."""
    # Turn it into JSON and back, so that it contains what callers get and no Python classes.
    document = json.loads(json.dumps(document))
    return {
        "models.py": _formatted(models_source(document)),
        "client.py": _formatted(client_source(document)),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the package")
    given = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
    import django

    django.setup()
    from reviews.api import description

    is_current = True
    for name, source in sources(description.document()).items():
        path = PACKAGE / name
        if given.write:
            path.write_text(source)
        elif not path.exists() or path.read_text() != source:
            print(f"{path.relative_to(ROOT)} is not what the description says: --write")
            is_current = False
    return 0 if is_current else 1


if __name__ == "__main__":
    sys.exit(main())
