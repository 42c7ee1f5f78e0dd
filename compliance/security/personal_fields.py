"""Fields for personal data: encrypted in the database with the data key of their case.

A model that has them says where its key is:

    def data_key_id_for_personal(self) -> int:
        return self.case.data_key_id

An attribute of a row is plain: it is decrypted when it is first read, so that a list can read its
keys together (`data_keys.note`), and what nobody reads costs nothing. `values()` and
`values_list()` give a Sealed instead: `opened(value)` is the value. After the key was erased a text
reads as "[erased]", and JSON as empty.

Writing with a row (`save`, `create`, `bulk_create`, `fast_sql.insert`) encrypts. An UPDATE without
one (`QuerySet.update`, `move`, `fast_sql.update`) wants a Sealed: `sealed(row, "field", value)`.
A plain value raises TypeError, so that nothing is stored in the clear by mistake; but an empty one,
and the one that stands for an erased one, are no personal data.

While values are hidden from a request (`masks`), attributes and opened values are masked.

Nobody can filter or sort by such a field. Whether it is empty can be asked: `filter(reason="")`.
A row of a version that did not encrypt is read as it is; `manage.py encrypt_stored` encrypts it.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn, Protocol, cast

from django.core import checks
from django.core.exceptions import FieldError
from django.core.files.base import File
from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.fields.files import FieldFile
from django.db.models.lookups import Exact, Lookup
from django.db.models.query_utils import DeferredAttribute
from django.db.models.sql.compiler import SQLCompiler

from compliance.db import masks
from compliance.security import data_keys

ERASED = "[erased]"
# JSON that we or a service make in a form that the interface describes, so that its codes are codes.
# In all other JSON a member of any name may hold a name.
STRUCTURED = frozenset(
    [
        "agenthub.CheckRun.result",
        "agenthub.ToolRun.results",
        "reviews.CaseRating.inputs",
        "reviews.CaseRating.result",
        "reviews.CheckResult.body",
        "reviews.PeriodicReview.changes",
    ]
)


class HasDataKey(Protocol):
    """A row that knows the data key of its case."""

    def data_key_id_for_personal(self) -> int: ...


def sealed(row: models.Model, name: str, value: object) -> Sealed:
    """A value of a field of this row, for an UPDATE that writes it."""
    field = cast("_PersonalField", row._meta.get_field(name))
    return field.sealed_for(row, value)


def opened(value: object) -> Any:
    """A value of `values()`, `values_list()` or an annotation, as a row would have it."""
    return value.open() if isinstance(value, Sealed) else value


def is_personal(field: object) -> bool:
    """Whether a field of a model is an encrypted column."""
    return isinstance(field, _PersonalField)


class Sealed:
    """An encrypted value of a field."""

    __slots__ = ("_field", "token")

    def __init__(self, token: bytes, field: _PersonalField) -> None:
        self.token = token
        self._field = field

    def __repr__(self) -> str:
        return f"<Sealed {self._field.label}>"

    def __str__(self) -> str:
        raise TypeError(f"{self._field.label} is encrypted here: use open().")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sealed) and other.token == self.token

    def __hash__(self) -> int:
        return hash(self.token)

    @property
    def key_id(self) -> int | None:
        """The data key; None where the value is empty."""
        return data_keys.key_id_of(self.token) if self.token else None

    def open(self) -> Any:
        """The value. Raises DataKeyError where it was changed behind the desk."""
        return self._field.masked(self._field.plain(self.token))

    def stored(self) -> bytes:
        """The value as its field writes it, such as JSON text. Raises ErasedError."""
        return data_keys.unseal(self.token, self._field.label) if self.token else b""

    def is_erased(self) -> bool:
        try:
            if self.token:
                data_keys.unseal(self.token, self._field.label)
        except data_keys.ErasedError:
            return True
        return False


class _PersonalAttribute(DeferredAttribute):
    """Decrypts the value of a row when it is first read."""

    def __get__(
        self, instance: models.Model | None, cls: type[models.Model] | None = None
    ) -> object:
        if instance is None:
            return self
        value = super().__get__(instance, cls)
        if masks.is_hidden():
            # The row keeps the value: it may be stored again.
            field = cast(_PersonalField, self.field)
            return field.masked(opened(value))
        if isinstance(value, Sealed):
            value = value.open()
            instance.__dict__[self.field.attname] = value
        return value

    # With it Python asks __get__ also where the row has a value.
    def __set__(self, instance: object, value: object) -> None:
        instance.__dict__[self.field.attname] = value


class _IsEmpty(Exact):
    """`field=""`: the one comparison that needs no key."""

    def get_prep_lookup(self) -> object:
        # None is asked for as `isnull`, by Django.
        if self.rhs is None:
            return None
        if self.rhs not in ("", b"", {}, []):
            raise FieldError(_refusal(self.lhs.output_field))
        return b""

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> tuple[str, tuple[str | int, ...]]:
        column, values = self.process_lhs(compiler, connection)
        # Not `= ''`: SQLite tells the empty text of earlier versions from empty bytes.
        return f"LENGTH({column}) = 0", values


def _refusal(field: _PersonalField) -> str:
    return f"{field.label} is encrypted: nobody can filter or sort by it."


class _PersonalField(models.Field):  # type: ignore[type-arg]
    """A value in a binary column: empty, a token, or the text of a version that did not encrypt."""

    descriptor_class = _PersonalAttribute

    def get_internal_type(self) -> str:
        return "BinaryField"

    @property
    def label(self) -> str:
        return f"{self.model._meta.label}.{self.name}"

    def masked(self, value: object) -> Any:
        """The value, or its mask where values are hidden."""
        return masks.apply(value, codes=self.label in STRUCTURED)

    def empty(self) -> object:
        """What is stored as no bytes."""
        raise NotImplementedError

    def erased(self) -> object:
        """What is read after the key was erased."""
        raise NotImplementedError

    def to_bytes(self, value: object) -> bytes:
        raise NotImplementedError

    def from_bytes(self, plain: bytes) -> object:
        raise NotImplementedError

    def sealed(self, key_id: int, value: object) -> Sealed:
        """The value as it is stored. Raises ErasedError where the key was erased."""
        if value == self.empty():
            return Sealed(b"", self)
        masks.refuse()
        plain = self.to_bytes(value)
        try:
            return Sealed(data_keys.seal(key_id, plain, self.label), self)
        except data_keys.ErasedError:
            # A row that was read after the erasure is saved again.
            if value != self.erased():
                raise
            return Sealed(data_keys.erased_token(key_id), self)

    def sealed_for(self, row: models.Model, value: object) -> Sealed:
        """The value as it is stored for this row. An empty one needs no key."""
        if isinstance(value, Sealed):
            return value
        if value == self.empty():
            return Sealed(b"", self)
        key_id = cast("HasDataKey", row).data_key_id_for_personal()
        return self.sealed(key_id, value)

    def plain(self, token: bytes) -> object:
        if not token:
            return self.empty()
        try:
            return self.from_bytes(data_keys.unseal(token, self.label))
        except data_keys.ErasedError:
            return self.erased()

    def from_db_value(self, value: str | bytes | memoryview | None, *_: object) -> Any:
        if value is None:
            return None
        # SQLite keeps the text of earlier versions as text.
        stored = value.encode() if isinstance(value, str) else bytes(value)
        if not stored:
            return self.empty()
        if data_keys.is_token(stored):
            data_keys.note(stored)
            return Sealed(stored, self)
        return self.masked(self.from_bytes(stored))

    def pre_save(self, model_instance: models.Model, add: bool) -> object:  # noqa: FBT001
        value = model_instance.__dict__.get(self.attname)
        # Not read since it was loaded, so not changed.
        if value is None or isinstance(value, Sealed):
            return value
        # An expression, such as a default of the database.
        if hasattr(value, "resolve_expression"):
            return value
        return self.sealed_for(model_instance, value)

    def get_prep_value(self, value: object) -> object:
        if value is None:
            return None
        if isinstance(value, Sealed):
            return value.token
        if value == self.empty() or value == b"":
            return b""
        # What erasure writes needs no key, and must not: the key is gone.
        if value == self.erased():
            return self.to_bytes(value)
        raise TypeError(
            f"{self.label} is encrypted: write it with a row, or with sealed()."
        )

    def get_db_prep_value(
        self,
        value: object,
        connection: Any,
        prepared: bool = False,  # noqa: FBT001, FBT002
    ) -> Any:
        value = value if prepared else self.get_prep_value(value)
        return None if value is None else connection.Database.Binary(value)

    def get_db_prep_save(self, value: object, connection: object) -> object:
        if hasattr(value, "as_sql"):
            return value
        return self.get_db_prep_value(value, connection)

    def get_lookup(self, lookup_name: str) -> type[Lookup[Any]] | None:
        if lookup_name == "isnull":
            return super().get_lookup(lookup_name)
        if lookup_name == "exact":
            return _IsEmpty
        raise FieldError(_refusal(self))

    def get_transform(self, lookup_name: str) -> NoReturn:
        raise FieldError(_refusal(self))

    def check(self, **options: object) -> list[checks.CheckMessage]:
        errors: list[checks.CheckMessage] = [*super().check(**options)]
        orders = self.model._meta.ordering or ()
        if {self.name, f"-{self.name}"} & {str(order) for order in orders}:
            errors.append(checks.Error(_refusal(self), obj=self, id="compliance.E020"))
        return errors


class PersonalTextField(_PersonalField, models.TextField):  # type: ignore[type-arg]
    """Text about a person, encrypted."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.max_length is not None:
            self.validators.append(MaxLengthValidator(self.max_length))

    def empty(self) -> str:
        return ""

    def erased(self) -> str:
        return ERASED

    def to_bytes(self, value: object) -> bytes:
        return str(value).encode(errors="surrogatepass")

    def from_bytes(self, plain: bytes) -> str:
        return plain.decode(errors="surrogatepass")


class PersonalJSONField(_PersonalField, models.JSONField):
    """JSON about a person, encrypted. The empty value is that of the default: {} or []."""

    def empty(self) -> object:
        return list() if self.default is list else dict()  # noqa: C408

    def erased(self) -> object:
        return self.empty()

    def to_bytes(self, value: object) -> bytes:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return text.encode(errors="surrogatepass")

    def from_bytes(self, plain: bytes) -> object:
        return json.loads(plain.decode(errors="surrogatepass"))


class PersonalBytesField(_PersonalField, models.BinaryField):  # type: ignore[type-arg]
    """Bytes that hold personal data, such as a webhook as it came, encrypted."""

    def empty(self) -> bytes:
        return b""

    def erased(self) -> bytes:
        return b""

    def to_bytes(self, value: Any) -> bytes:
        return bytes(value)

    def from_bytes(self, plain: bytes) -> bytes:
        return plain


class DataKeyField(models.ForeignKey):  # type: ignore[type-arg]
    """The data key of a row, made when the row is first saved, or first needs it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        options = {
            "to": "compliance.DataKey",
            "on_delete": models.PROTECT,
            "null": True,
            "editable": False,
            "related_name": "+",
            **options,
        }
        super().__init__(*args, **options)

    @staticmethod
    def key_id_of(row: Any) -> int:
        """The id of the key of a row, whose field is called `data_key`."""
        if row.data_key_id is None:
            row.data_key_id = data_keys.create().pk
            if not row._state.adding:
                _keep_first_key(row)
        key_id: int = row.data_key_id
        return key_id

    def pre_save(self, model_instance: models.Model, add: bool) -> object:  # noqa: FBT001
        return self.key_id_of(model_instance)


def _keep_first_key(row: Any) -> None:
    """Store the new key of a row of an earlier version, if no other process was faster."""
    rows = type(row)._base_manager.filter(pk=row.pk)
    if not rows.filter(data_key=None).update(data_key=row.data_key_id):
        row.data_key_id = rows.values_list("data_key", flat=True).get()


class _PersonalFile(FieldFile):
    """A file that the store encrypts with the data key of its row's case."""

    def save(self, name: str, content: File[Any], save: bool = True) -> None:  # noqa: FBT001, FBT002
        row = cast("HasDataKey", self.instance)
        setattr(content, "data_key_id", row.data_key_id_for_personal())  # noqa: B010
        super().save(name, content, save)


class PersonalFileField(models.FileField):
    """A file of a case: see compliance.security.encrypted_files."""

    attr_class = _PersonalFile
