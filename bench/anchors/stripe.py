"""A receiver as installed from a package: dj-stripe with its signature check, storing each
event.

Run it in an environment that has dj-stripe. It imports nothing else of the project.
"""

from __future__ import annotations

import os
from importlib import import_module
from urllib.parse import urlsplit

import django
from django.conf import settings

ENDPOINT = "3c9a2f0e-5d5c-4b0c-9d0e-0b1f5d1c7a11"
API_KEY = "sk_test_" + "x" * 24  # has the required form; no service knows this key
PATH = f"/stripe/webhook/{ENDPOINT}/"
_database = urlsplit(os.environ["ANCHOR_DATABASE"])

settings.configure(
    SECRET_KEY="of-the-bench",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF="bench.anchors.stripe",
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
        "djstripe",
    ],
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ],
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": _database.path[1:],
            "USER": _database.username,
            "HOST": _database.hostname,
            "PORT": _database.port,
            "CONN_MAX_AGE": None,
        }
    },
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    STRIPE_LIVE_MODE=False,
    STRIPE_TEST_SECRET_KEY=API_KEY,
    DJSTRIPE_FOREIGN_KEY_TO_FIELD="id",
    USE_TZ=True,
)
django.setup()

from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.urls import include, path  # noqa: E402

urlpatterns = [path("stripe/", include("djstripe.urls"))]
application = get_wsgi_application()


def create_tables() -> None:
    models = import_module("djstripe.models")
    call_command("migrate", verbosity=0, interactive=False)
    account = models.Account.objects.create(
        id="acct_bench", stripe_data={"id": "acct_bench"}
    )
    models.APIKey.objects.create(
        id="key_bench",
        secret=API_KEY,
        livemode=False,
        type="secret",
        djstripe_owner_account=account,
    )
    models.WebhookEndpoint.objects.create(
        id="we_bench",
        djstripe_uuid=ENDPOINT,
        livemode=False,
        secret=os.environ["ANCHOR_SECRET"],
        djstripe_owner_account=account,
        djstripe_validation_method="verify_signature",
        enabled_events=["*"],
        status="enabled",
        url=f"http://127.0.0.1{PATH}",
        stripe_data={"id": "we_bench", "secret": os.environ["ANCHOR_SECRET"]},
    )
