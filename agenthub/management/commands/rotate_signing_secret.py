"""`manage.py rotate_signing_secret`: another secret for the webhooks of an account."""

from __future__ import annotations

from datetime import timedelta

from django.core.management.base import BaseCommand, CommandError, CommandParser

from agenthub.accounts import signing_secrets
from agenthub.models import Account


class Command(BaseCommand):
    help = "Make the next signing secret of an account, and print it. Until it begins, the old one signs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account", help="its name")
        parser.add_argument(
            "--hours", type=int, default=24, help="hours until the new one signs"
        )

    def handle(
        self, *args: object, account: str, hours: int, **options: object
    ) -> None:
        row = Account.objects.filter(name=account).first()
        if row is None:
            raise CommandError(f"There is no account {account}.")
        _, raw = signing_secrets.rotate(row, overlap=timedelta(hours=hours))
        self.stdout.write(raw)
