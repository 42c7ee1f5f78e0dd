"""Pages of accounts with their keys, signing secrets and agents. Secrets are shown once."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import messages
from django.db.models import Count, Q, QuerySet
from django.forms import BaseForm, model_to_dict
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)

from agenthub.accounts import api_keys, one_time_reveal, signing_secrets
from agenthub.accounts.permissions import administrators_only
from agenthub.jobs import admission
from agenthub.models import Account, Agent, ApiKey, Delivery, SigningSecret
from agenthub.pages.forms import (
    AccountForm,
    AgentForm,
    KeyForm,
    LimitsForm,
    RotationForm,
)
from agenthub.pages.layout import context
from agenthub.wire import Wire
from compliance.http.limits import quotas
from compliance.pages import form_state

NEWEST = 200  # rows of one kind on a page; the admin site lists all


@administrators_only
@require_http_methods(["GET", "HEAD", "POST"])
def home(request: HttpRequest) -> HttpResponse:
    form = AccountForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        account = form.save()
        return _see_other(reverse("hub-account", args=[account.pk]))
    page = context("accounts", form=form, accounts=_accounts())
    return render(request, "agenthub/accounts.html", page)


def _accounts() -> QuerySet[Account]:
    never_ends = Q(api_keys__expires_at=None)
    ends_later = Q(api_keys__expires_at__gt=now())
    valid = Q(api_keys__revoked_at=None) & (never_ends | ends_later)
    active = Q(agents__is_active=True)
    rows = Account.objects.annotate(
        valid_keys=Count("api_keys", filter=valid, distinct=True),
        active_agents=Count("agents", filter=active, distinct=True),
    )
    return rows.order_by("name")


@administrators_only
@require_safe
def account(request: HttpRequest, pk: int) -> HttpResponse:
    return _account_page(request, get_object_or_404(Account, pk=pk))


def _account_page(
    request: HttpRequest, account: Account, **forms: BaseForm
) -> HttpResponse:
    forms.setdefault("key_form", KeyForm(auto_id="key_%s"))
    forms.setdefault("rotation_form", RotationForm())
    stored = LimitsForm(instance=account)
    forms.setdefault("limits_form", LimitsForm(instance=account, auto_id="limits_%s"))
    deliveries = Delivery.objects.filter(job__account=account)
    page = context(
        "accounts",
        used=quotas.used_in_words(quotas.ACCOUNT, account.pk),
        uses=admission.use(account),
        account=account,
        keys=account.api_keys.order_by("-id")[:NEWEST],
        secrets=_secrets(account),
        agents=account.agents.order_by("name")[:NEWEST],
        kinds=Agent.Kind,
        dead=deliveries.filter(status=Delivery.Status.DEAD).count(),
        moment=now(),
        limits_state=form_state.state_of(stored),
        **forms,
    )
    status = HTTPStatus.OK
    if forms["limits_form"].non_field_errors():
        # Somebody else has changed the limits.
        status = HTTPStatus.CONFLICT
    return render(request, "agenthub/account.html", page, status=status)


def _secrets(account: Account) -> list[Wire]:
    """The state of each secret, newest first. The secrets themselves are not read."""
    moment = now()
    usable = signing_secrets.usable(account).defer("secret")
    signer = usable.filter(signs_from__lte=moment).first()
    usable_pks = {secret.pk for secret in usable}
    secrets = []
    for row in account.signing_secrets.defer("secret").order_by("-id")[:NEWEST]:
        is_usable = row.pk in usable_pks
        secrets.append(
            {
                "row": row,
                "signs": row == signer,
                "waits": is_usable and row.signs_from > moment,
                "has_ended": not is_usable,
                "can_end": is_usable and len(usable_pks) > 1,
            }
        )
    return secrets


@administrators_only
@require_POST
def switch(request: HttpRequest, pk: int) -> HttpResponse:
    """Close or reopen an account. None of its keys is valid while it is closed."""
    account = get_object_or_404(Account, pk=pk)
    account.is_active = "open" in request.POST
    account.save(update_fields=["is_active"])
    return _see_other(reverse("hub-account", args=[pk]))


@administrators_only
@require_POST
def limits(request: HttpRequest, pk: int) -> HttpResponse:
    """Set an account's share and its limits of open jobs and documents."""
    account = get_object_or_404(Account, pk=pk)
    state = form_state.state_of(LimitsForm(instance=account))
    stored = model_to_dict(account, LimitsForm.Meta.fields)
    form = LimitsForm(request.POST, instance=account, auto_id="limits_%s")
    form_state.refuse_stale(form, state, stored)
    if not form.is_valid():
        # Load the account again: the form has already changed the attributes of the other object.
        account = get_object_or_404(Account, pk=pk)
        return _account_page(request, account, limits_form=form)
    form.save()
    messages.success(request, _("The share and the limits are saved."))
    return _see_other(reverse("hub-account", args=[pk]))


@administrators_only
@require_POST
def make_key(request: HttpRequest, pk: int) -> HttpResponse:
    account = get_object_or_404(Account, pk=pk)
    form = KeyForm(request.POST, auto_id="key_%s")
    if not form.is_valid():
        return _account_page(request, account, key_form=form)
    key, raw = api_keys.create(account, **form.cleaned_data)
    name = one_time_reveal.keep(
        request,
        title=_("The new API key"),
        raw=raw,
        listed=str(key),
    )
    return _see_other(reverse("hub-new-secret", args=[pk, name]))


@administrators_only
@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    key = get_object_or_404(ApiKey, pk=pk)
    api_keys.revoke(key)
    messages.success(request, _("%(key)s is revoked.") % {"key": key})
    return _see_other(reverse("hub-account", args=[key.account_id]))


@administrators_only
@require_POST
def rotate(request: HttpRequest, pk: int) -> HttpResponse:
    account = get_object_or_404(Account, pk=pk)
    form = RotationForm(request.POST)
    if not form.is_valid():
        return _account_page(request, account, rotation_form=form)
    secret, raw = signing_secrets.rotate(account, overlap=form.overlap)
    # A secret that signs at once has no time to announce.
    begins = ""
    if secret.signs_from > now():
        begins = secret.signs_from.isoformat()
    name = one_time_reveal.keep(
        request,
        title=_("The new signing secret"),
        raw=raw,
        begins=begins,
    )
    return _see_other(reverse("hub-new-secret", args=[pk, name]))


@administrators_only
@require_POST
def sign_now(request: HttpRequest, pk: int) -> HttpResponse:
    secret = get_object_or_404(SigningSecret.objects.select_related("account"), pk=pk)
    if signing_secrets.sign_now(secret):
        messages.success(request, _("The new secret signs from now on."))
    return _see_other(reverse("hub-account", args=[secret.account_id]))


@administrators_only
@require_POST
def end(request: HttpRequest, pk: int) -> HttpResponse:
    secret = get_object_or_404(SigningSecret.objects.select_related("account"), pk=pk)
    if signing_secrets.end(secret):
        messages.success(request, _("The secret has ended."))
    else:
        messages.error(request, _("The last secret cannot end: rotate first."))
    return _see_other(reverse("hub-account", args=[secret.account_id]))


@administrators_only
@require_http_methods(["GET", "HEAD", "POST"])
def agent_new(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    if kind not in Agent.Kind.values:
        raise Http404
    account = get_object_or_404(Account, pk=pk)
    return _agent_page(request, Agent(account=account, kind=kind))


@administrators_only
@require_http_methods(["GET", "HEAD", "POST"])
def agent(request: HttpRequest, pk: int) -> HttpResponse:
    rows = Agent.objects.select_related("account")
    return _agent_page(request, get_object_or_404(rows, pk=pk))


def _agent_page(request: HttpRequest, agent: Agent) -> HttpResponse:
    state = form_state.state_of(AgentForm(instance=agent))
    form = AgentForm(request.POST or None, instance=agent)
    is_stale = form_state.refuse_stale(form, state)
    if request.method == "POST" and form.is_valid():
        agent = form.save()
        messages.success(request, _("%(name)s is saved.") % {"name": agent.name})
        address = reverse("hub-agent", args=[agent.pk])
        return _see_other(address)
    page = context("accounts", form=form, agent=agent, state=state)
    status = HTTPStatus.CONFLICT if is_stale else HTTPStatus.OK
    return render(request, "agenthub/agent.html", page, status=status)


@administrators_only
@require_GET
def reveal(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """The only page that shows the secret, only at its first request."""
    account = get_object_or_404(Account, pk=pk)
    values = one_time_reveal.take(request, name)
    if values is None:
        messages.info(
            request,
            _("It was shown before, and is not kept. Make another if it is lost."),
        )
        return _see_other(reverse("hub-account", args=[pk]))
    values["begins"] = parse_datetime(values.get("begins", ""))
    page = context("accounts", account=account, **values)
    return render(request, "agenthub/new_secret.html", page)


def _see_other(address: str) -> HttpResponse:
    # 303 See Other: reloading the next page must not send the form again.
    return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)
