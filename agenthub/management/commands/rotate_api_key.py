"""`manage.py rotate_api_key`: another API key for an account; the old ones end after a while."""

from __future__ import annotations

from datetime import timedelta

from django.core.management.base import BaseCommand, CommandError, CommandParser

from agenthub.accounts import api_keys
from agenthub.models import Account


class Command(BaseCommand):
    help = "Make another API key of an account, and print it. The old ones end after --hours."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account", help="its name")
        parser.add_argument(
            "--hours",
            type=int,
            default=48,
            help="how long the old keys are valid; 0: not",
        )

    def handle(
        self, *args: object, account: str, hours: int, **options: object
    ) -> None:
        row = Account.objects.filter(name=account).first()
        if row is None:
            raise CommandError(f"There is no account {account}.")
        _, raw = api_keys.rotate(row, overlap=timedelta(hours=hours))
        self.stdout.write(raw)
