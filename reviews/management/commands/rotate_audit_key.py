from __future__ import annotations

from django.core.management.base import BaseCommand

from reviews.audit import anchors, trail


class Command(BaseCommand):
    help = "Sign the anchors of the audit trail with a new key from now on. Old anchors still verify."

    def handle(self, *args: object, **options: object) -> None:
        chain = trail.seal_all()
        old, new = anchors.rotate_key(chain)
        data = {"old": old, "new": new}
        trail.record(None, "audit_key_rotated", data)
        self.stdout.write(f"The key {new} signs now. The key {old} still verifies.")
