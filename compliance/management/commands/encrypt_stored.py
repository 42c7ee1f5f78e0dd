from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management.base import BaseCommand
from django.db import connection, models, transaction

from compliance.security import encrypted_files
from compliance.security.data_keys import INSTALLATION, VERSION, encrypting
from compliance.security.personal_fields import PersonalFileField, is_personal
from compliance.storage import atomic_files

BATCH = 200
# A condition for values that are neither empty nor a token. SQLite stores text of older versions as
# text.
CLEAR = {
    "sqlite": (
        "LENGTH({column}) > 0 AND"
        f" (TYPEOF({{column}}) = 'text' OR SUBSTR({{column}}, 1, 1) <> X'{VERSION:X}')"
    ),
    "postgresql": f"LENGTH({{column}}) > 0 AND GET_BYTE({{column}}, 0) <> {VERSION}",
}


class Command(BaseCommand):
    help = (
        "Encrypt the rows and files that a version before this has stored in the clear. It may be"
        " interrupted, and run while the installation works."
    )

    def handle(self, *args: object, **options: object) -> None:
        for model in apps.get_models():
            names = [field.name for field in model._meta.fields if is_personal(field)]
            count = sum(_encrypt_column(model, name) for name in names)
            if names:
                self.stdout.write(f"{model._meta.label}: {count}")
        count = 0
        for model in apps.get_models():
            for field in model._meta.fields:
                if isinstance(field, models.FileField):
                    count += _encrypt_files(model, field)
        self.stdout.write(f"Files: {count}")
        encrypting.send(sender=Command)


def _encrypt_column(model: type[models.Model], name: str) -> int:
    field: Any = model._meta.get_field(name)
    table = connection.ops.quote_name(model._meta.db_table)
    column = connection.ops.quote_name(field.column)
    key = connection.ops.quote_name(str(model._meta.pk.column))
    clear = CLEAR[connection.vendor].format(column=column)
    count = 0
    select = f"SELECT {key}, {column} FROM {table} WHERE {clear} LIMIT {BATCH}"  # noqa: S608
    while rows := _fetch(select):
        with transaction.atomic():
            owners = _owners(model, [row[0] for row in rows])
            for pk, stored in rows:
                plain = field.of_older_version(stored)
                token = field.sealed_for(owners[pk], plain).token
                # The condition on the old value protects a row that a worker has changed meanwhile.
                sql = f"UPDATE {table} SET {column} = %s WHERE {key} = %s AND {column} = %s"  # noqa: S608
                with connection.cursor() as cursor:
                    cursor.execute(sql, [token, pk, stored])
                count += 1
    return count


def _fetch(select: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(select)
        return list(cursor.fetchall())


def _owners(
    model: type[models.Model], keys: Sequence[object]
) -> dict[object, models.Model]:
    """The rows by primary key in the database's form, without columns that may be large."""
    names = [
        field.name
        for field in model._meta.fields
        if field.primary_key or field.is_relation
    ]
    owners = {}
    for row in model._base_manager.filter(pk__in=keys).only(*names):
        column = model._meta.pk
        owners[column.get_db_prep_value(row.pk, connection)] = row
    return owners


def _encrypt_files(model: type[models.Model], field: models.FileField) -> int:
    count = 0
    rows = model._base_manager.exclude(**{field.name: ""})
    for row in rows.order_by("pk").iterator(chunk_size=BATCH):
        name = getattr(row, field.name).name
        key_id = INSTALLATION
        if isinstance(field, PersonalFileField):
            owner: Any = row
            key_id = owner.data_key_id_for_personal()
        if name and _is_clear(name):
            _encrypt_file(name, key_id)
            count += 1
    return count


def _is_clear(name: str) -> bool:
    try:
        with _inner().open(name) as source:
            return not encrypted_files.is_encrypted(source)
    # The file is missing or unreadable: audit_verify reports that.
    except OSError:
        return False


def _encrypt_file(name: str, key_id: int) -> None:
    with _inner().open(name) as source:
        content = ContentFile(source.read(), name)
    sealed: object = encrypted_files.EncryptingFile(content, key_id)
    try:
        path = Path(default_storage.path(name))
    except NotImplementedError:
        # A storage on another machine: most overwrite a file of the same name.
        _inner().delete(name)
        _inner()._save(name, sealed)
        return
    atomic_files.replace(path, _chunks(sealed))


def _chunks(file: Any) -> Iterator[bytes]:
    yield from file.chunks()


def _inner() -> Any:
    """The storage that holds the files as they are stored."""
    storage: Any = default_storage
    return storage.inner
