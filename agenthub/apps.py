from __future__ import annotations

from collections.abc import Iterator

from django.apps import AppConfig
from django.conf import settings
from django.db.models.signals import post_migrate


class AgentHubConfig(AppConfig):
    name = "agenthub"
    verbose_name = "Agent hub"

    def ready(self) -> None:
        from agenthub import dead_letters
        from agenthub.accounts import api_keys, permissions, settings_rows
        from agenthub.companies import verification as companies
        from agenthub.models import decisive
        from agenthub.privacy import data_map as of_hub
        from agenthub.screening import doctor, figures
        from compliance.http.limits import credentials
        from compliance.operation.doctor import registry as doctors
        from compliance.security import data_map, decisive_rows
        from compliance.security.encryption import erased_again

        for model, fields in decisive.FIELDS.items():
            later = decisive.LATER.get(model, "")
            decisive_rows.declare(model, fields, later)
        decisive_rows.verify_with(_faults_of_lists)
        decisive_rows.verify_with(companies.faults)
        if not settings.DESK_ENABLED:
            decisive_rows.log_changes()
        data_map.register(*of_hub.TABLES)
        credentials.register_keys(api_keys.is_known)
        erased_again.connect(_erase_again)
        post_migrate.connect(permissions.ensure, sender=self)
        settings_rows.register()
        dead_letters.register()
        figures.register()
        doctors.add(doctor.PART, doctor.look)


def _faults_of_lists() -> Iterator[str]:
    # Imported here: it loads the checks, which most commands do not need.
    from agenthub.screening.indexing import verification

    return verification.faults()


def _erase_again(ids: list[int], **_: object) -> None:
    # Imported here: models cannot be imported before all apps are loaded.
    from agenthub.privacy import erasing

    erasing.erase_again(ids)
