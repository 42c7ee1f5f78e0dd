"""Makes the tables of many new models at once, for a first migration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import migrations
from django.db.migrations.operations.base import Operation


class CreateModels(Operation):
    """Several operations CreateModel, one after the other.

    By itself each of them builds the classes of all models that are related to it again: for 80
    models that is half of the time of an installation, and of the first test that anybody runs.
    """

    reversible = True

    def __init__(self) -> None:
        self.models: list[migrations.CreateModel] = []

    def state_forwards(self, app_label: str, state: Any) -> None:
        # Without these classes, a new model is only noted. The next reader of `apps` builds all.
        vars(state).pop("apps", None)
        for model in self.models:
            model.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        for model in self.models:
            model.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        for model in reversed(self.models):
            model.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        names = ", ".join(model.name for model in self.models)
        return f"Create models {names}"


def create_together(operations: Sequence[Operation]) -> list[Operation]:
    """The operations, with each run of CreateModel as one."""
    together: list[Operation] = []
    run: CreateModels | None = None
    for operation in operations:
        if not isinstance(operation, migrations.CreateModel):
            together.append(operation)
            run = None
            continue
        if run is None:
            run = CreateModels()
            together.append(run)
        run.models.append(operation)
    return together
