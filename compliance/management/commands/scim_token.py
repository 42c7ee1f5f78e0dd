"""Make or revoke a token with which the company's directory adds and removes people by SCIM."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from compliance.identity.scim import tokens
from compliance.models import DirectoryToken


class Command(BaseCommand):
    help = "Makes a SCIM token, shown once; --revoke ends one by its first characters."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="?", default="directory")
        parser.add_argument("--days", type=int, default=365, help="how long it works")
        parser.add_argument("--revoke", metavar="PREFIX", default="")

    def handle(self, *args: object, **options: Any) -> None:
        if options["revoke"]:
            self._revoke(options["revoke"])
            return
        try:
            _, raw = tokens.create(options["name"], days=options["days"])
        except ValueError as exc:
            raise CommandError(str(exc)) from exc
        self.stdout.write(raw)

    def _revoke(self, prefix: str) -> None:
        rows = DirectoryToken.objects.filter(prefix=prefix, revoked_at=None)
        if not rows:
            raise CommandError("There is no such token that still works.")
        for token in rows:
            tokens.revoke(token)
            self.stdout.write(f"{token} is revoked.")
