from __future__ import annotations

from django.conf import settings
from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

from compliance.operation import health
from compliance.security import logins, sessions

login = auth.LoginView.as_view(
    redirect_authenticated_user=True, authentication_form=logins.LoginForm
)
admin.site.login_form = logins.AdminLoginForm
handler500 = "compliance.http.unavailable.server_error"
urlpatterns: list[URLPattern | URLResolver] = []
if settings.DESK_ENABLED:
    # First, because each path is tried in turn, and webhooks are the most requests.
    urlpatterns.append(path("webhooks/", include("webhooks.urls")))
urlpatterns += [
    path("login/", login, name="login"),
    path("logout/", sessions.LogoutView.as_view(), name="logout"),
    path("admin/logout/", sessions.LogoutView.as_view()),
    path("admin/", admin.site.urls),
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
]
if settings.HUB_ENABLED:
    # Before the desk's, which has many: each path is tried in turn.
    urlpatterns += [
        path("api/v1/", include("agenthub.urls")),
        path("hub/", include("agenthub.pages.urls")),
    ]
if settings.DESK_ENABLED:
    urlpatterns += [
        # The endpoints of the webhooks first: behind those of the desk stands a 404 for all others.
        path("api/desk/v1/", include("webhooks.api.urls")),
        path("api/desk/v1/", include("reviews.api.urls")),
        path("", include("reviews.urls")),
    ]
else:
    urlpatterns.append(path("", RedirectView.as_view(pattern_name="hub")))
