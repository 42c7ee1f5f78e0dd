"""Security rules for our own code which ruff does not have: `python -m assurance.rules`.

Each rule looks at one node of the syntax tree. A file that may break a rule is listed with the
rule, and with the reason. A comment in the code cannot switch a rule off, and an entry that is no
longer needed is an error.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = (
    "agenthub",
    "checks",
    "compliance",
    "ownership",
    "papers",
    "reviews",
    "webhooks",
)
# The folder of the templates, and the words with which a template switches escaping off.
TEMPLATES = "templates"
UNESCAPED = re.compile(r"\|\s*safe(?:seq)?\b|\{%\s*autoescape\s+off")
PLAIN_TEXT = ".txt"

LOG_METHODS = frozenset(
    {"debug", "info", "warning", "error", "exception", "critical", "log"}
)
LOGGERS = frozenset({"log", "logger", "logging"})
PERSONAL = frozenset(
    {
        "attested",
        "birth",
        "body",
        "email",
        "filename",
        "first_name",
        "full_name",
        "last_name",
        "message",
        "password",
        "payload",
        "phone",
        "rationale",
        "reference",
        "secret",
        "self_attested_data",
        "subject",
        "token",
        "username",
    }
)
CODE_LOADERS = frozenset(
    {"pickle", "cPickle", "marshal", "shelve", "dill", "jsonpickle"}
)
CODE_RUNNERS = frozenset({"eval", "exec", "compile", "__import__"})
SHELLS = frozenset({"os.system", "os.popen", "subprocess.getoutput"})
PROCESSES = frozenset({"Popen", "run", "call", "check_call", "check_output"})
SQL_METHODS = frozenset({"cursor", "raw", "extra", "create_cursor"})
SQL_FUNCTIONS = frozenset({"RawSQL"})
REQUEST_VALUES = frozenset({"GET", "POST", "META", "headers", "COOKIES"})
MARKUP = frozenset({"SafeString", "mark_safe", "SafeText"})
TLS_SWITCHES = frozenset({"verify", "check_hostname"})
WEAK_HASHES = frozenset({"md5", "sha1"})


@dataclass(frozen=True)
class Rule:
    name: str
    # Says what is wrong with the node; "" if nothing is.
    examine: Callable[[ast.AST], str]
    # The files that may break the rule, each with the reason.
    allowed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Breach:
    path: str
    line: int
    rule: str
    fault: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.rule}: {self.fault}"


def dotted(node: ast.AST) -> str:
    """Names and attributes as in `a.b.c`; "" for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        owner = dotted(node.value)
        return f"{owner}.{node.attr}" if owner else node.attr
    return ""


def last_name(node: ast.AST) -> str:
    return dotted(node).rpartition(".")[2]


def escaping(node: ast.AST) -> str:
    if isinstance(node, ast.Call) and last_name(node.func) in MARKUP:
        arguments = node.args
        if arguments and not isinstance(arguments[0], ast.Constant):
            return "marks text as HTML without escaping it"
    return ""


def formatting(node: ast.AST) -> str:
    if isinstance(node, ast.Call) and last_name(node.func) == "format_html":
        arguments = node.args
        if arguments and not isinstance(arguments[0], ast.Constant):
            return "its first argument is the markup, and must be a constant"
    return ""


def loading(node: ast.AST) -> str:
    modules: list[str] = []
    if isinstance(node, ast.Import):
        modules = [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        modules = [node.module or ""]
    for name in modules:
        if name.partition(".")[0] in CODE_LOADERS:
            return f"{name} runs code of what it reads"
    return ""


def running(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Name) and node.func.id in CODE_RUNNERS:
        return f"{node.func.id} runs text as code"
    if dotted(node.func) in SHELLS:
        return f"{dotted(node.func)} starts a shell"
    for keyword in node.keywords:
        is_false = isinstance(keyword.value, ast.Constant) and not keyword.value.value
        if keyword.arg == "shell" and not is_false:
            return "starts a shell"
    return ""


def starting(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    name = dotted(node.func)
    module, _, function = name.rpartition(".")
    if module == "subprocess" and function in PROCESSES:
        return f"{name} starts a program"
    if module == "os" and function.startswith(("exec", "spawn", "posix_spawn")):
        return f"{name} starts a program"
    return ""


def querying(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    name = last_name(node.func)
    if name in SQL_FUNCTIONS:
        return f"{name} is SQL by hand"
    # A call for a database cursor has no arguments. A call for a page's cursor has some.
    is_other = name == "cursor" and bool(node.args)
    if isinstance(node.func, ast.Attribute) and name in SQL_METHODS and not is_other:
        return f".{name}() is SQL by hand"
    return ""


def logging(node: ast.AST) -> str:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return ""
    owner = last_name(node.func.value).lower().strip("_")
    if node.func.attr not in LOG_METHODS or owner not in LOGGERS:
        return ""
    if node.args and isinstance(node.args[0], ast.JoinedStr):
        return "the line is put together before the log sees it"
    faults = [fault_of_argument(argument) for argument in node.args]
    return next(filter(None, faults), "")


def fault_of_argument(argument: ast.expr) -> str:
    """What is wrong with an argument in a call of a log; "" if nothing is."""
    if last_name(argument) in {"exc", "error", "err"}:
        return "the message of an exception may repeat data"
    for part in ast.walk(argument):
        name = last_name(part)
        if isinstance(part, ast.Constant):
            name = str(part.value)
        if name in PERSONAL:
            return f"`{name}` may be personal or secret"
    return ""


def redirecting(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    if last_name(node.func) not in {"redirect", "HttpResponseRedirect"}:
        return ""
    for argument in node.args:
        for part in ast.walk(argument):
            if isinstance(part, ast.Attribute) and part.attr in REQUEST_VALUES:
                return "leads where the request says"
    return ""


def forgery(node: ast.AST) -> str:
    if isinstance(node, ast.Name | ast.Attribute) and last_name(node) == "csrf_exempt":
        return "takes requests that other sites forged"
    return ""


def without_token(node: ast.AST) -> str:
    if not isinstance(node, ast.Assign):
        return ""
    names = {last_name(target) for target in node.targets}
    is_empty = isinstance(node.value, ast.Tuple | ast.List) and not node.value.elts
    if "authentication_classes" in names and is_empty:
        return "answers whoever asks"
    return ""


def trusting(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute) and node.attr == "CERT_NONE":
        return "TLS without a check of the certificate"
    if not isinstance(node, ast.keyword) or node.arg not in TLS_SWITCHES:
        return ""
    if isinstance(node.value, ast.Constant) and node.value.value is False:
        return "TLS without a check of the certificate"
    return ""


def hashing(node: ast.AST) -> str:
    if isinstance(node, ast.Call):
        module, _, function = dotted(node.func).rpartition(".")
        if module == "hashlib" and function in WEAK_HASHES:
            return f"{function} is broken"
    return ""


SQL_OF = "values are parameters, names are our own: "
RULES = (
    Rule(
        "escaping",
        escaping,
        {
            "reviews/templatetags/desk.py": "joins marks that are escaped",
            "reviews/templatetags/reviews.py": "joins links and words that are escaped",
        },
    ),
    Rule("format_html", formatting),
    Rule("loading", loading),
    Rule("shell", running),
    Rule(
        "programs",
        starting,
        {
            "compliance/backup/parts/postgresql.py": "PostgreSQL's own programs",
            "compliance/backup/verification.py": "starts our own commands",
            "compliance/operation/supervisor.py": "starts our own processes",
        },
    ),
    Rule(
        "SQL",
        querying,
        {
            "agenthub/companies/registry.py": SQL_OF + "the index of companies",
            "agenthub/screening/index.py": SQL_OF + "the index of lists",
            "agenthub/screening/indexing/writing.py": SQL_OF + "loads a list",
            "agenthub/subjects/duplicates.py": SQL_OF + "looks for duplicates",
            "compliance/db/locks.py": "a lock of the database",
            "compliance/backup/parts/postgresql.py": "what the catalogue says, and counts of rows",
            "compliance/db/connections/connection_settings.py": "settings of a connection",
            "compliance/db/connections/time_limits.py": "settings of a connection",
            "compliance/db/clock.py": "the time of the database",
            "compliance/db/fast_sql.py": SQL_OF + "prepared statements",
            "compliance/management/commands/encrypt_stored.py": SQL_OF
            + "encrypts columns",
            "compliance/operation/queue_figures.py": "the condition of a queue is our own",
            "reviews/audit/triggers.py": "makes the triggers of the audit trail",
            "reviews/audit/verification.py": "the level of isolation",
            "reviews/intake/sample_cases.py": "cases for benchmarks",
            "reviews/privacy/traces.py": "empties what the database keeps of what is gone",
            "reviews/queue/filters.py": SQL_OF + "counts of the queue",
            "reviews/queue/search.py": SQL_OF + "the search",
        },
    ),
    Rule(
        "logs",
        logging,
        {
            "compliance/identity/scim/events.py": "the name of a token, not the token",
            "compliance/identity/single_sign_on/openid_connect.py": "an error of the connection to the provider",
            "reviews/documents/page_images.py": "an error with a text of our own",
            "webhooks/views.py": "a refusal with a text of our own",
        },
    ),
    Rule("redirects", redirecting),
    Rule(
        "forgery",
        forgery,
        {
            "compliance/http/csp_reports.py": "reports of browsers have no token",
            "compliance/identity/single_sign_on/saml/urls.py": "responses of a provider are signed",
            "webhooks/views.py": "webhooks are signed",
        },
    ),
    Rule(
        "open interfaces",
        without_token,
        {
            "agenthub/api/views/descriptions.py": "the description of the interface",
            "agenthub/api/views/jobs.py": "the verifier of signatures",
            "agenthub/api/views/uploads.py": "the address is signed",
            "reviews/api/base.py": "what does not exist is 404 to everybody",
            "reviews/api/description.py": "the description of the interface",
        },
    ),
    Rule("TLS", trusting),
    Rule(
        "hashes",
        hashing,
        {
            "checks/readers/pdf/signatures.py": "an old format of signatures names SHA-1",
            "compliance/identity/passwords/breached.py": "the list of breached passwords has SHA-1",
        },
    ),
)


def breaches_of(path: str, source: str) -> Iterator[Breach]:
    """All breaches in one module, including those that are allowed."""
    for node in ast.walk(ast.parse(source)):
        for rule in RULES:
            fault = rule.examine(node)
            if fault:
                line = getattr(node, "lineno", 0)
                yield Breach(path, line, rule.name, fault)


def breaches_of_template(path: str, source: str) -> Iterator[Breach]:
    if path.endswith(PLAIN_TEXT):
        return
    for number, line in enumerate(source.splitlines(), start=1):
        if UNESCAPED.search(line):
            yield Breach(path, number, "escaping", "text is drawn without escaping it")


def all_breaches(root: Path) -> Iterator[Breach]:
    for package in PACKAGES:
        for file in sorted((root / package).rglob("*.py")):
            if "migrations" not in file.parts:
                path = file.relative_to(root).as_posix()
                yield from breaches_of(path, file.read_text(encoding="utf-8"))
    for file in sorted((root / TEMPLATES).rglob("*.*")):
        path = file.relative_to(root).as_posix()
        yield from breaches_of_template(path, file.read_text(encoding="utf-8"))


def faults(root: Path) -> list[str]:
    """Breaches that are not allowed, and entries that no breach needs."""
    allowed = {(rule.name, path) for rule in RULES for path in rule.allowed}
    needed: set[tuple[str, str]] = set()
    lines: list[str] = []
    for breach in all_breaches(root):
        place = (breach.rule, breach.path)
        if place in allowed:
            needed.add(place)
        else:
            lines.append(str(breach))
    for name, path in sorted(allowed - needed):
        lines.append(f"{path}: nothing there breaks the rule {name}: remove the entry")
    return lines


def main() -> int:
    lines = faults(ROOT)
    for line in lines:
        print(line)
    if lines:
        return 1
    print(f"{len(RULES)} rules of security hold.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
