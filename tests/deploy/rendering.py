"""Renders the templates of a Helm chart: the part of the language that our chart uses, and nothing else.

`helm` is no package of Python, and the tests need no cluster and no network. What this renderer does not know
is an error, so a template cannot pass by being misread: an unknown function, a value that `values.yaml` does not
have (Helm would print nothing), a number that Go would print with an exponent. It was compared with the
documentation of Go's text/template and of Helm, not with Helm itself.

    render(chart, values={"stopped": True}, release="desk") -> {"web.yaml": "apiVersion: …", …}
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

ACTION = re.compile(r"\{\{(-?)\s*(/\*.*?\*/|.*?)\s*(-?)\}\}", re.DOTALL)
TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|:=|[(),|]|[^\s(),|"]+)')
EXPONENT = (
    1_000_000  # Helm reads numbers as floats, and Go prints those from here on as 1e+06
)


class TemplateError(Exception):
    """What stands in a template is wrong, or beyond the part of the language that is known here."""


@dataclass
class Node:
    """A piece of text, an action that prints, or a block with what stands in it."""

    kind: str
    text: str = ""
    body: list[Node] = field(default_factory=list)
    otherwise: list[Node] = field(default_factory=list)


def pieces(source: str) -> Iterator[tuple[str, str]]:
    """Text and actions in turn; a dash takes away the white space on its side."""
    position, trims = 0, False
    for match in ACTION.finditer(source):
        text = source[position : match.start()]
        text = text.lstrip() if trims else text
        yield "text", text.rstrip() if match[1] else text
        if not match[2].startswith("/*"):
            yield "action", match[2]
        position, trims = match.end(), bool(match[3])
    rest = source[position:]
    yield "text", rest.lstrip() if trims else rest


def parse(source: str) -> list[Node]:
    """The nodes of a template. Raises TemplateError where blocks do not end."""
    root = Node("root")
    stack = [(root, root.body)]
    for kind, text in pieces(source):
        word = text.partition(" ")[0]
        if kind == "text":
            stack[-1][1].append(Node("text", text))
        elif word in ("if", "range", "define"):
            node = Node(word, text.partition(" ")[2])
            stack[-1][1].append(node)
            stack.append((node, node.body))
        elif text == "else":
            node, _ = stack.pop()
            stack.append((node, node.otherwise))
        elif text == "end":
            stack.pop()
        elif word in ("else", "with", "block", "template", "break", "continue"):
            raise TemplateError(f"not known here: {text}")
        else:
            stack[-1][1].append(Node("print", text))
    if len(stack) != 1:
        raise TemplateError("A block does not end, or one too many does.")
    return root.body


def printed(value: Any) -> str:
    """A value as Go prints it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) < EXPONENT:
        return str(value)
    if isinstance(value, str):
        return value
    raise TemplateError(f"cannot be printed the same way as by Go: {value!r}")


def quote(value: Any) -> str:
    # Go's %q escapes as JSON does, for what settings hold.
    return json.dumps(printed(value), ensure_ascii=False)


def indented(width: int, text: str) -> str:
    pad = " " * width
    return pad + text.replace("\n", f"\n{pad}")


def to_yaml(value: Any) -> str:
    text = yaml.safe_dump(value, sort_keys=True, default_flow_style=False)
    return text.removesuffix("\n")


def to_json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def formatted(pattern: str, *values: Any) -> str:
    words = tuple(map(printed, values))
    if set(re.findall(r"%(.)", pattern)) - {"s", "%"}:
        raise TemplateError(f"only %s and %% are known here: {pattern}")
    return pattern % words


def either(first: Any, second: Any) -> Any:
    return first or second


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "default": lambda fallback, value: value or fallback,
    "eq": lambda first, second: first == second,
    "fromYaml": yaml.safe_load,
    "nindent": lambda width, text: "\n" + indented(width, text),
    "not": lambda value: not value,
    "or": either,
    "printf": formatted,
    "quote": quote,
    "sha256sum": lambda text: hashlib.sha256(text.encode()).hexdigest(),
    "toJson": to_json,
    "toYaml": to_yaml,
    "trimSuffix": lambda suffix, text: text.removesuffix(suffix),
    "trunc": lambda length, text: text[:length],
}


class Renderer:
    """The named templates of a chart, and how an expression gets its value."""

    def __init__(self) -> None:
        self.named: dict[str, list[Node]] = {}

    def output(self, nodes: Iterable[Node], scope: Mapping[str, Any]) -> str:
        return "".join(self._node(node, scope) for node in nodes)

    def _node(self, node: Node, scope: Mapping[str, Any]) -> str:
        if node.kind == "text":
            return node.text
        if node.kind == "define":
            self.named[json.loads(node.text)] = node.body
            return ""
        if node.kind == "if":
            result = node.body if self.value(node.text, scope) else node.otherwise
            return self.output(result, scope)
        if node.kind == "range":
            return self._range(node, scope)
        return printed(self.value(node.text, scope))

    def _range(self, node: Node, scope: Mapping[str, Any]) -> str:
        names, sign, expression = node.text.partition(":=")
        variables = [name.strip() for name in names.split(",")]
        if not sign or node.otherwise:
            raise TemplateError(f"not known here: range {node.text}")
        result = self.value(expression, scope)
        pairs = list(enumerate(result))
        if isinstance(result, Mapping):
            pairs = sorted(result.items())
        rounds = []
        for pair in pairs:
            values = pair if len(variables) == 2 else pair[1:]
            inner = {**scope, **dict(zip(variables, values, strict=True)), ".": pair[1]}
            rounds.append(self.output(node.body, inner))
        return "".join(rounds)

    def value(self, expression: str, scope: Mapping[str, Any]) -> Any:
        tokens = TOKEN.findall(expression)
        if "".join(tokens) != re.sub(r'\s+(?=(?:[^"]*"[^"]*")*[^"]*$)', "", expression):
            raise TemplateError(f"cannot be read: {expression}")
        value = self._pipe(tokens, scope)
        if tokens:
            raise TemplateError(f"something is left of: {expression}")
        return value

    def _pipe(self, tokens: list[str], scope: Mapping[str, Any]) -> Any:
        value = self._call(tokens, scope, ())
        while tokens and tokens[0] == "|":
            tokens.pop(0)
            value = self._call(tokens, scope, (value,))
        return value

    def _call(
        self, tokens: list[str], scope: Mapping[str, Any], last: tuple[Any, ...]
    ) -> Any:
        """One command: a term, or a function with its arguments and what the pipe brings."""
        name = tokens[0]
        if name == "include" or name in FUNCTIONS:
            tokens.pop(0)
            arguments = []
            while tokens and tokens[0] not in "|)":
                arguments.append(self._term(tokens, scope))
            return self._function(name, (*arguments, *last))
        value = self._term(tokens, scope)
        if last or (tokens and tokens[0] not in "|)"):
            raise TemplateError(f"no function: {name}")
        return value

    def _function(self, name: str, arguments: tuple[Any, ...]) -> Any:
        if name != "include":
            return FUNCTIONS[name](*arguments)
        template, dot = arguments
        if template not in self.named:
            raise TemplateError(f"no template: {template}")
        return self.output(self.named[template], {"$": dot, ".": dot})

    def _term(self, tokens: list[str], scope: Mapping[str, Any]) -> Any:
        token = tokens.pop(0)
        if token == "(":
            value = self._pipe(tokens, scope)
            if not tokens or tokens.pop(0) != ")":
                raise TemplateError("A bracket does not close.")
            return value
        if token.startswith('"'):
            return json.loads(token)
        if token.isdecimal():
            return int(token)
        if token[0] not in ".$":
            raise TemplateError(f"not known here: {token}")
        return self._field(token, scope)

    def _field(self, token: str, scope: Mapping[str, Any]) -> Any:
        start, *names = token.split(".")
        value = scope[start or "."]
        for name in filter(None, names):
            if not isinstance(value, Mapping) or name not in value:
                raise TemplateError(f"values.yaml has no {token}")
            value = value[name]
        return value


def merged(base: Any, over: Any) -> Any:
    """Values of a file over those of the chart, as Helm does: by key, lists as a whole, null removes."""
    if not isinstance(base, Mapping) or not isinstance(over, Mapping):
        return over
    both = dict(base)
    for key, value in over.items():
        both[key] = merged(base.get(key), value)
    return {key: value for key, value in both.items() if value is not None}


def render(
    chart: Path,
    values: Mapping[str, Any],
    *,
    release: str = "desk",
    is_upgrade: bool = False,
) -> dict[str, str]:
    """The text of each template, by its name. Raises TemplateError."""
    about = yaml.safe_load((chart / "Chart.yaml").read_text())
    base = yaml.safe_load((chart / "values.yaml").read_text())
    dot = {
        "Values": merged(base, values),
        "Chart": {"Name": about["name"], "AppVersion": about["appVersion"]},
        "Release": {
            "Name": release,
            "Namespace": "compliance",
            "Service": "Helm",
            "IsUpgrade": is_upgrade,
        },
    }
    scope = {"$": dot, ".": dot}
    renderer = Renderer()
    folder = chart / "templates"
    for helpers in sorted(folder.glob("_*.tpl")):
        renderer.output(parse(helpers.read_text()), scope)
    texts = {}
    for path in sorted(folder.iterdir()):
        if not path.name.startswith("_"):
            texts[path.name] = renderer.output(parse(path.read_text()), scope)
    return texts
