"""How long a link can set a password: one hour for a forgotten one, longer for an invitation."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.utils.http import base36_to_int

RESET_SECONDS = 3600


class ResetTokens(PasswordResetTokenGenerator):
    """Django's tokens.

    For a person without a password, PASSWORD_RESET_TIMEOUT applies: three days.
    """

    def check_token(self, user: Any, token: str | None) -> bool:
        if not super().check_token(user, token):
            return False
        if not user.has_usable_password():
            return True
        made_at = base36_to_int(str(token).partition("-")[0])
        age = self._num_seconds(self._now()) - made_at
        return bool(age <= RESET_SECONDS)
