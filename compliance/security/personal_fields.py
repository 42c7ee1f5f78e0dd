"""Model fields for personal data: encrypted in the database with the data key of their case.

A model with such fields says which key to use:

    def data_key_id_for_personal(self) -> int:
        return self.case.data_key_id

Reading. An attribute of a row is plain. It is decrypted at its first access, so that a list can
read its keys together (`data_keys.note`), and an unused value costs nothing. `values()` and
`values_list()` return a Sealed instead; `opened(value)` decrypts it. After the key was erased, a
text reads as "[erased]", and JSON as empty.

Writing. Saving a row (`save`, `create`, `bulk_create`, `fast_sql.insert`) encrypts. An UPDATE
without a row (`QuerySet.update`, `move`, `fast_sql.update`) needs a Sealed: `sealed(row, "field",
value)`. A plain value raises TypeError, so that nothing is stored unencrypted by mistake. Empty
values and the value of an erased field are allowed: they are no personal data.

While values are hidden from a request (`masks`), attributes and opened values are masked.

It is impossible to filter or sort by such a field, except for emptiness: `filter(reason="")`. A row
that an older version stored unencrypted is read unchanged; `manage.py encrypt_stored` encrypts it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn, Protocol, cast

from django.core import checks
from django.core.exceptions import FieldError
from django.core.files.base import File
from django.core.files.storage import storages
from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.fields.files import FieldFile
from django.db.models.lookups import Exact, Lookup
from django.db.models.query_utils import DeferredAttribute
from django.db.models.sql.compiler import SQLCompiler

from compliance.db import masks
from compliance.security import data_keys
from compliance.security.encrypted_files import EncryptedStorage

ERASED = "[erased]"
# JSON in a form that the interface defines, where the members of masks.CODES really hold codes. In
# any other JSON, a member of any name may hold a person's name.
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
    """The encrypted value of a field of this row, for an UPDATE."""
    field = cast("_PersonalField", row._meta.get_field(name))
    return field.sealed_for(row, value)


def opened(value: object) -> Any:
    """Decrypt a value of `values()`, `values_list()` or an annotation.

    Others are returned unchanged.
    """
    return value.open() if isinstance(value, Sealed) else value


def is_personal(field: object) -> bool:
    """Whether a model field is an encrypted column."""
    return isinstance(field, _PersonalField)


class Sealed:
    """An encrypted field value that has not been decrypted yet."""

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
        """The id of the data key; None if the value is empty."""
        return data_keys.key_id_of(self.token) if self.token else None

    def open(self) -> Any:
        """The decrypted value.

        Raises DataKeyError if the stored value was changed outside the desk.
        """
        return self._field.masked(self._field.plain(self.token))

    def stored(self) -> bytes:
        """The decrypted value as stored, for example JSON text, without a mask.

        Raises ErasedError.
        """
        return data_keys.unseal(self.token, self._field.label) if self.token else b""

    def is_erased(self) -> bool:
        try:
            if self.token:
                data_keys.unseal(self.token, self._field.label)
        except data_keys.ErasedError:
            return True
        return False


class _PersonalAttribute(DeferredAttribute):
    """Decrypts the value of a row at its first access."""

    def __get__(
        self, instance: models.Model | None, cls: type[models.Model] | None = None
    ) -> object:
        if instance is None:
            return self
        value = super().__get__(instance, cls)
        if masks.is_hidden():
            # Mask only what is returned: the row keeps the value, because it may be saved again.
            field = cast(_PersonalField, self.field)
            return field.masked(opened(value))
        if isinstance(value, Sealed):
            value = value.open()
            # The row keeps the decrypted value, so it is decrypted only once.
            instance.__dict__[self.field.attname] = value
        return value

    # With __set__ this is a data descriptor: Python then calls __get__ even if the row has a value.
    def __set__(self, instance: object, value: object) -> None:
        instance.__dict__[self.field.attname] = value


class _IsEmpty(Exact):
    """The lookup `field=""`: the only comparison that needs no key."""

    def get_prep_lookup(self) -> object:
        # Django turns a comparison with None into `isnull`.
        if self.rhs is None:
            return None
        if self.rhs not in ("", b"", {}, []):
            raise FieldError(_refusal(self.lhs.output_field))
        return b""

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> tuple[str, tuple[str | int, ...]]:
        column, values = self.process_lhs(compiler, connection)
        # Not `= ''`: in SQLite, the empty text of older versions differs from empty bytes.
        return f"LENGTH({column}) = 0", values


def _refusal(field: _PersonalField) -> str:
    return f"{field.label} is encrypted: nobody can filter or sort by it."


class _PersonalField(models.Field):  # type: ignore[type-arg]
    """A value in a binary column: empty, a token, or unencrypted text of an older version.

    With `only_encrypted` a text that is not encrypted is refused, when it is opened, with
    DataKeyError: so nobody writes a value who has the database and no key. It is for columns whose
    rows nothing else binds. Migrations do not know the option.
    """

    descriptor_class = _PersonalAttribute

    def __init__(
        self, *args: Any, only_encrypted: bool = False, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.only_encrypted = only_encrypted

    def get_internal_type(self) -> str:
        return "BinaryField"

    @property
    def label(self) -> str:
        return f"{self.model._meta.label}.{self.name}"

    def masked(self, value: object) -> Any:
        """The value, masked if values are hidden."""
        return masks.apply(value, codes=self.label in STRUCTURED)

    def empty(self) -> object:
        """The value that is stored as zero bytes."""
        raise NotImplementedError

    def erased(self) -> object:
        """The value that is read after the key was erased."""
        raise NotImplementedError

    def to_bytes(self, value: object) -> bytes:
        raise NotImplementedError

    def from_bytes(self, plain: bytes) -> object:
        raise NotImplementedError

    def sealed(self, key_id: int, value: object) -> Sealed:
        """Encrypt a value. Raises ErasedError if the key was erased."""
        if value == self.empty():
            return Sealed(b"", self)
        # A masked value must never be stored in place of the real one.
        masks.refuse()
        plain = self.to_bytes(value)
        try:
            return Sealed(data_keys.seal(key_id, plain, self.label), self)
        except data_keys.ErasedError:
            # A row that was read after the erasure is saved again: keep it erased.
            if value != self.erased():
                raise
            return Sealed(data_keys.erased_token(key_id), self)

    def sealed_for(self, row: models.Model, value: object) -> Sealed:
        """Encrypt a value with the key of this row. An empty value needs no key."""
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
        # SQLite returns the unencrypted text of older versions as str.
        stored = value.encode() if isinstance(value, str) else bytes(value)
        if not stored:
            return self.empty()
        if data_keys.is_token(stored):
            data_keys.note(stored)
            return Sealed(stored, self)
        # Erasure writes its value without a key.
        if self.only_encrypted and stored != self.to_bytes(self.erased()):
            return Sealed(stored, self)
        return self.masked(self.from_bytes(stored))

    def of_older_version(self, stored: str | bytes | memoryview) -> object:
        """The value that a version before the encryption has stored in the clear."""
        return self.from_bytes(
            stored.encode() if isinstance(stored, str) else bytes(stored)
        )

    def pre_save(self, model_instance: models.Model, add: bool) -> object:  # noqa: FBT001
        value = model_instance.__dict__.get(self.attname)
        # Not accessed since it was loaded, so not changed.
        if value is None or isinstance(value, Sealed):
            return value
        # An expression, such as a database default.
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
        # Erasure writes this value. It must not need a key, because the key is gone.
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
            # An expression, such as Value(), has SQL of its own.
            return value
        return self.get_db_prep_value(value, connection)

    def get_lookup(self, lookup_name: str) -> type[Lookup[Any]] | None:
        if lookup_name == "isnull":
            return super().get_lookup(lookup_name)
        if lookup_name == "exact":
            return _IsEmpty
        # No other lookup can work: the same text has a different token in each row.
        raise FieldError(_refusal(self))

    def get_transform(self, lookup_name: str) -> NoReturn:
        raise FieldError(_refusal(self))

    def check(self, **options: object) -> list[checks.CheckMessage]:
        errors: list[checks.CheckMessage] = [*super().check(**options)]
        orders = self.model._meta.ordering or ()
        if {self.name, f"-{self.name}"} & {str(order) for order in orders}:
            # Say so when the process starts, and not only when a query fails.
            errors.append(checks.Error(_refusal(self), obj=self, id="compliance.E020"))
        return errors


class PersonalTextField(_PersonalField, models.TextField):  # type: ignore[type-arg]
    """Encrypted text about a person."""

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
    """Encrypted JSON about a person. Its empty value is that of the default: {} or []."""

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
    """Encrypted bytes with personal data, such as the body of a received webhook."""

    def empty(self) -> bytes:
        return b""

    def erased(self) -> bytes:
        return b""

    def to_bytes(self, value: Any) -> bytes:
        return bytes(value)

    def from_bytes(self, plain: bytes) -> bytes:
        return plain


class DataKeyField(models.ForeignKey):  # type: ignore[type-arg]
    """The data key of a row. It is created when the row is first saved, or first needs it."""

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
        """The id of the data key of a row, whose field is named `data_key`.

        Creates the key if needed.
        """
        if row.data_key_id is None:
            row.data_key_id = data_keys.create().pk
            if not row._state.adding:
                # The row exists already: another process may be creating a key for it, too.
                _keep_first_key(row)
        key_id: int = row.data_key_id
        return key_id

    def pre_save(self, model_instance: models.Model, add: bool) -> object:  # noqa: FBT001
        return self.key_id_of(model_instance)


def _keep_first_key(row: Any) -> None:
    """Store the new key of an older row, unless another process was faster: then use its key."""
    rows = type(row)._base_manager.filter(pk=row.pk)
    if not rows.filter(data_key=None).update(data_key=row.data_key_id):
        row.data_key_id = rows.values_list("data_key", flat=True).get()


class _PersonalFile(FieldFile):
    """A file that the storage encrypts with the data key of its row's case."""

    def save(self, name: str, content: File[Any], save: bool = True) -> None:  # noqa: FBT001, FBT002
        row = cast("HasDataKey", self.instance)
        # EncryptedStorage reads this attribute of the content.
        setattr(content, "data_key_id", row.data_key_id_for_personal())  # noqa: B010
        super().save(name, content, save)


def save_files(files: Sequence[tuple[FieldFile, str, File[bytes]]]) -> None:
    """Write the content of several fields side by side: all, or none. Saves no row.

    `files`: for each the file of a row, its name, and the content. All are in the document store.
    """
    pairs = []
    for file, name, content in files:
        row = cast("HasDataKey", file.instance)
        setattr(content, "data_key_id", row.data_key_id_for_personal())  # noqa: B010
        pairs.append((file.field.generate_filename(file.instance, name), content))
    names = _document_store().save_all(pairs)
    for (file, _, _), name in zip(files, names, strict=True):
        setattr(file.instance, file.field.attname, name)


def delete_files(files: Iterable[FieldFile]) -> None:
    """Delete files that no row names, side by side. One that stays raises nothing."""
    _document_store().delete_all([file.name for file in files if file.name])


def _document_store() -> EncryptedStorage:
    return cast("EncryptedStorage", storages["default"])


class PersonalFileField(models.FileField):
    """A file of a case: see compliance.security.encrypted_files."""

    attr_class = _PersonalFile
