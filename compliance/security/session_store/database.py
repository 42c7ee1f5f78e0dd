"""Sessions in the database, with encrypted content that is valid for its own row alone."""

from __future__ import annotations

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.serializers import JSONSerializer

from compliance.security import encryption
from compliance.storage import outages


class EncryptedContent(JSONSerializer):
    """A serializer whose output is encrypted.

    For minutes a session holds secrets of django-allauth: the key of a link for a new password, and
    the secret of an authenticator app that is being set up.
    """

    def dumps(self, obj: object) -> bytes:
        text = super().dumps(obj).decode("latin-1")
        return encryption.encrypt(text).encode()

    def loads(self, data: bytes) -> object:
        text = encryption.decrypt(data.decode())
        return super().loads(text.encode("latin-1"))


class SessionStore(db.SessionStore):
    """Saving raises DatabaseError where the database takes no rows now."""

    def save(self, must_create: bool = False) -> None:  # noqa: FBT001, FBT002 - as Django's
        try:
            super().save(must_create)
        except UpdateError as exc:
            # Django takes each error for a session that was deleted meanwhile, and answers with 400.
            error = exc.__context__
            if error is not None and outages.of(error):
                raise error from None
            raise

    @property
    def key_salt(self) -> str:
        return f"compliance.session.content:{self.session_key}"
