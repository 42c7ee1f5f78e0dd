from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

from compliance.http import csp_reports
from compliance.operation import health
from compliance.operation.metrics import page as metrics
from compliance.pages import own_settings
from compliance.pages.own_address import views as address_views
from compliance.security import sessions
from compliance.setup import views as setup

# There is one login for everything. The admin sends people to it, but answers 403 to people who are
# logged in and are no staff.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
handler400 = "compliance.http.responses.error_pages.bad_request"
handler403 = "compliance.http.responses.error_pages.permission_denied"
handler404 = "compliance.http.responses.error_pages.page_not_found"
handler500 = "compliance.http.unavailable.server_error"
urlpatterns: list[URLPattern | URLResolver] = []
if settings.DESK_ENABLED:
    # Webhooks come first: paths are tried in order, and most requests are webhooks.
    urlpatterns.append(path("webhooks/", include("webhooks.urls")))
urlpatterns += [
    path("login/", setup.login, name="account_login"),
    path("setup/", setup.setup, name="setup"),
    path("logout/", sessions.LogoutView.as_view(), name="account_logout"),
    path("account/email/", address_views.change, name="account_email"),
    path("account/email/open/", address_views.open_link, name="account-email-open"),
    path("account/language/", own_settings.language, name="account_language"),
    path("account/", include("compliance.identity.urls")),
    path("admin/logout/", sessions.LogoutView.as_view()),
    path("admin/", admin.site.urls),
    path("approvals/", include("compliance.approvals.urls")),
    path("queues/", include("compliance.operation.urls")),
    path("scim/v2/", include("compliance.identity.scim.urls")),
    path("csp-reports/", csp_reports.receive, name="csp-reports"),
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
    path("metrics", metrics.metrics, name="metrics"),
]
if settings.HUB_ENABLED:
    # The hub's paths come before the desk's, because paths are tried in order and the desk has
    # many.
    urlpatterns += [
        path("api/v1/", include("agenthub.urls")),
        path("hub/", include("agenthub.pages.urls")),
    ]
if settings.DESK_ENABLED:
    urlpatterns += [
        # The endpoints of webhooks come first, because the desk's paths end with one that answers
        # 404 to everything else.
        path("api/desk/v1/", include("webhooks.api.urls")),
        path("api/desk/v1/", include("reviews.api.urls")),
        path("", include("reviews.urls")),
    ]
else:
    urlpatterns.append(path("", RedirectView.as_view(pattern_name="hub")))
