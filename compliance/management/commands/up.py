from __future__ import annotations

import sys
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from compliance import startup
from compliance.operation import supervisor
from compliance.pages import vendored
from compliance.setup import code


class Command(BaseCommand):
    help = "Migrate, then serve the desk and the hub and work the queue, until Ctrl-C."
    # Only these checks: the others load every page, which takes a second.
    requires_system_checks = [startup.INSTALLATION]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")

    def handle(self, *args: object, host: str, **options: object) -> None:
        _require_plain_folder()
        address = (host, settings.PORT)
        if not supervisor.is_free(address):
            raise CommandError(
                f"Something else listens on port {settings.PORT}."
                f" Stop it, or choose another port: PORT={settings.PORT + 1}."
            )
        # The first start takes a while on a slow machine.
        self.stdout.write("Preparing the database and the pages…")
        self.stdout.flush()
        startup.refuse_another_key()
        call_command("migrate", verbosity=0, interactive=False)
        vendored.publish()
        web = [sys.executable, "-m", "granian", *_web_options(host)]
        web.append("compliance.asgi:application")
        server = f"{host}:{settings.PORT}"
        work = [sys.executable, *_manage(), "work", "--wait-for", server]
        supervisor.say(f"Serving {settings.DESK_URL} (Ctrl-C stops)", self.stdout)
        if code.is_open():
            page = f"{settings.DESK_URL}/setup/"
            text = f"Set it up at {page} with the code {code.current()}"
            supervisor.say(text, self.stdout)
        supervisor.take_over({"web": web, "worker": work})


def _web_options(host: str) -> list[str]:
    options = "--interface asgi --no-ws --workers 1 --loop asyncio --log-level warning"
    limits = f"--port {settings.PORT} --workers-kill-timeout 5"
    return ["--host", host, *options.split(), *limits.split()]


def _manage() -> list[str]:
    """The arguments with which Python runs the commands: a wheel contains no manage.py."""
    if settings.IS_CHECKOUT:
        return [str(settings.BASE_DIR / "manage.py")]
    # -P: do not import from the working directory.
    return ["-P", "-m", "compliance"]


def _require_plain_folder() -> None:
    """The server imports from the working directory before all other folders.

    Raises CommandError if a folder there has the name of one of our packages.
    """
    here = Path.cwd()
    if settings.IS_CHECKOUT or here == settings.BASE_DIR:
        return
    names = {config.name.partition(".")[0] for config in apps.get_app_configs()}
    for name in sorted(names):
        if (here / name).is_dir():
            raise CommandError(
                f"{here} has a folder {name}, as this program has: start it in another folder."
            )
