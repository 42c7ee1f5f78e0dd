"""The command `compliance-desk` of an installed package: the commands of manage.py."""

from __future__ import annotations

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

NAME = "compliance-desk"
USAGE = f"""\
{NAME} demo      make the demo data, once
{NAME} up        migrate, serve and work, until Ctrl-C
{NAME} work      do the work of all queues, without a broker
{NAME} backup    write a backup
{NAME} restore   restore a backup
{NAME} doctor    look at each part, and say what to do
{NAME} manage …  any other command, such as `migrate` or `setup_code`

{NAME} COMMAND --help says more. Data are kept in VAR, by default ~/.local/share/{NAME}.
"""


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
    arguments = sys.argv[1:]
    if arguments[:1] == ["manage"]:
        arguments = arguments[1:]
    if arguments in ([], ["--help"], ["-h"]):
        sys.stdout.write(USAGE)
        return
    execute([NAME, *arguments])
    # `make demo` also serves: who has read its documentation may wait for that.
    if arguments == ["demo"]:
        sys.stdout.write(f"\nNothing is served yet. Next: {NAME} up\n")


def execute(arguments: list[str]) -> None:
    """Run a command. An error of the settings is a sentence for the operator, not a traceback."""
    try:
        execute_from_command_line(arguments)
    except ImproperlyConfigured as exc:
        sys.exit(f"{arguments[0]}: {exc}")


if __name__ == "__main__":
    main()
