from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError, CommandParser

from reviews.models import Subscription
from reviews.subscriptions import subscriptions


class Command(BaseCommand):
    help = "Sign the webhooks of a subscription with a new secret from now on, and print it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="of the subscription")

    def handle(self, *args: object, name: str, **options: object) -> None:
        subscription = Subscription.objects.filter(name=name).first()
        if subscription is None:
            raise CommandError(f"There is no subscription {name}.")
        self.stdout.write(subscriptions.rotate_secret(subscription))
