from __future__ import annotations

import sys
from datetime import timedelta

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from reviews.models import Connection
from reviews.service import connections


class Command(BaseCommand):
    help = "Store another API key or webhook secret of a service. Reads it from the standard input."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("connection", help="its slug")
        parser.add_argument("what", choices=["api-key", "webhook-secret"])
        parser.add_argument(
            "--hours",
            type=int,
            default=48,
            help="how long the old webhook secrets stay",
        )

    @transaction.atomic
    def handle(
        self, *args: object, connection: str, what: str, hours: int, **options: object
    ) -> None:
        row = Connection.objects.filter(slug=connection).first()
        if row is None:
            raise CommandError(f"There is no connection {connection}.")
        secret = sys.stdin.readline().strip()
        if not secret:
            raise CommandError("The standard input is empty.")
        if what == "api-key":
            row.api_key = secret
            row.save(update_fields=["api_key"])
            self.stdout.write("The next request uses the new key.")
            return
        connections.add_webhook_secret(row, secret, overlap=timedelta(hours=hours))
        self.stdout.write(
            f"Both secrets are accepted for {hours} hours, then the new one."
        )
