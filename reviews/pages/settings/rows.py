"""Lists and forms of the tables of settings. Changes may need a second person, and are in the trail."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model, ProtectedError, QuerySet
from django.forms import ModelChoiceField, ModelForm
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from compliance.approvals.interception import changes_settings
from compliance.pages import form_state
from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.pages.settings.tables import TABLES, SettingsTable
from reviews.results.words import translated
from reviews.subscriptions import subscriptions


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def overview(request: HttpRequest, table: str) -> HttpResponse:
    of = _table(request, table, "change")
    labels = [_label(of, name) for name in of.columns]
    lines = []
    for row in _rows(request, of):
        cells = [_words(of, cell(row, name)) for name in of.columns]
        lines.append((row.pk, cells[0], cells[1:]))
    context = {
        **_context(of),
        "labels": labels,
        "lines": lines,
        "may_add": person_of(request).has_perm(of.permission("add")),
    }
    return render(request, "reviews/settings_table.html", context)


@readers_only
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
@changes_settings
def new(request: HttpRequest, table: str) -> HttpResponse:
    of = _table(request, table, "add")
    form = _limited(request, of, of.form(request.POST or None))
    return _form(request, of, form, None)


@readers_only
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
@changes_settings
def edit(request: HttpRequest, table: str, pk: int) -> HttpResponse:
    of = _table(request, table, "change")
    row = get_object_or_404(_rows(request, of), pk=pk)
    # The form writes into the row that it is given, also where it is not valid.
    title = str(_words(of, str(row)))
    state = form_state.state_of(of.form(instance=row))
    stored = _stored(of, row)
    form = _limited(request, of, of.form(request.POST or None, instance=row))
    is_stale = form_state.refuse_stale(form, state, stored)
    return _form(request, of, form, title, state=state, is_stale=is_stale)


def _stored(of: SettingsTable, row: Model) -> dict[str, object]:
    """The values of the columns that the list shows: others, such as secrets, are on no page."""
    return {name: _words(of, cell(row, name)) for name in of.columns}


@readers_only
@require_POST
@changes_settings
def remove(request: HttpRequest, table: str, pk: int) -> HttpResponse:
    of = _table(request, table, "delete")
    if not of.can_remove:
        raise Http404
    row = get_object_or_404(_rows(request, of), pk=pk)
    name = str(row)
    objection = of.objection(row)
    if not objection:
        try:
            row.delete()
        except ProtectedError:
            words = _("%(name)s is in use and cannot be removed. Switch it off.")
            objection = words % {"name": name}
    if objection:
        messages.error(request, objection)
        address = reverse("settings-row", args=[of.slug, pk])
        return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)
    messages.success(request, _("%(name)s is removed.") % {"name": name})
    return _to_list(of)


def cell(row: Model, name: str) -> object:
    """The value of a field as it stands in a list."""
    field: Any = row._meta.get_field(name)
    value: Any = getattr(row, name)
    if field.many_to_many:
        return ", ".join(str(row) for row in value.all())
    if field.choices:
        return getattr(row, f"get_{name}_display")()
    return value


def _words(of: SettingsTable, value: object) -> object:
    """A value as the page shows it. The form has it as it is stored."""
    if of.has_first_rows and isinstance(value, str):
        return translated(value)
    return value


def _form(
    request: HttpRequest,
    of: SettingsTable,
    form: Any,
    title: str | None,
    *,
    state: str = "",
    is_stale: bool = False,
) -> HttpResponse:
    """The page of a form, or the list once it is saved. `title` is None for a new row. `state`:
    that of the stored row. `is_stale`: the row was changed since the page was opened.
    """
    status = HTTPStatus.OK
    if request.method == "POST":
        if form.is_valid():
            row = form.save()
            messages.success(request, _("%(name)s is saved.") % {"name": row})
            return _to_list(of)
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        if is_stale:
            status = HTTPStatus.CONFLICT
    may_remove = person_of(request).has_perm(of.permission("delete"))
    context = {
        **_context(of),
        "form": form,
        "row_title": title,
        "state": state,
        "may_remove": title is not None and of.can_remove and may_remove,
    }
    return render(request, "reviews/settings_row.html", context, status=status)


def _table(request: HttpRequest, slug: str, act: str) -> SettingsTable:
    """The table with this name in addresses. Raises PermissionDenied without the permission."""
    table = TABLES.get(slug)
    if table is None:
        raise Http404
    if not person_of(request).has_perm(table.permission(act)):
        raise PermissionDenied
    return table


def _rows(request: HttpRequest, table: SettingsTable) -> QuerySet[Model]:
    rows: QuerySet[Model] = table.model._default_manager.all()
    if table.is_of_connections:
        rows = roles.only_visible(person_of(request), rows, "connection")
    if table.relations:
        rows = rows.select_related(*table.relations)
    return rows.prefetch_related(*table.many)


def _limited(
    request: HttpRequest, of: SettingsTable, form: ModelForm[Model]
) -> ModelForm[Model]:
    """The form with the connections of the person to choose from, if they do not see all cases."""
    if of.is_of_connections:
        choices = subscriptions.connections(person_of(request))
        field = form.fields["connection"]
        if choices is not None and isinstance(field, ModelChoiceField):
            field.queryset = choices
            field.required = True
    return form


def _label(table: SettingsTable, name: str) -> object:
    return table.form.base_fields[name].label


def _context(table: SettingsTable) -> dict[str, object]:
    return {"nav": table.nav, "table": table}


def _to_list(table: SettingsTable) -> HttpResponseRedirect:
    address = reverse("settings-table", args=[table.slug])
    return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)
