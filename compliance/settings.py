"""All settings. Only this module reads the environment; docs/settings.md lists the variables."""

from __future__ import annotations

import json
import os
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
import django_stubs_ext
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from kombu import Queue

from compliance.environment import (
    SECRET_PLACES as SECRET_PLACES,
)
from compliance.environment import (
    env_bool,
    env_int,
    env_list,
    env_secret,
    make_folder,
    with_password,
)
from compliance.tracing import log_collector

django_stubs_ext.monkeypatch()

# Documents are read in separate processes. OpenBLAS' threads wait by spinning, which doubled the
# CPU time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# ----- Folders -----

BASE_DIR = Path(__file__).resolve().parent.parent
# In a checkout, templates and static files are beside the packages; in a wheel inside of this one.
IS_CHECKOUT = (BASE_DIR / "manage.py").is_file()
# The program that runs our commands, as messages name it.
PROGRAM = "manage.py" if IS_CHECKOUT else "compliance-desk"
ASSETS_DIR = BASE_DIR if IS_CHECKOUT else BASE_DIR / "compliance" / "assets"
# The default of an installed package: one place per person, for commands from any folder.
_OWN_VAR = Path("~/.local/share/compliance-desk").expanduser()
# All data of the embedded default: database, documents, secrets.
VAR_DIR = Path(
    os.environ.get("VAR", "") or (BASE_DIR / "var" if IS_CHECKOUT else _OWN_VAR)
).resolve()
make_folder(VAR_DIR)

# ----- Mode: embedded (SQLite, one machine) or with DATABASE_URL -----

DATABASE_URL = os.environ.get("DATABASE_URL", "")
EMBEDDED = not DATABASE_URL
DEBUG = env_bool("DEBUG", default=False)
if DEBUG and not EMBEDDED:
    # Debug pages show settings and data to whoever causes an error.
    raise ValueError("DEBUG must be off where DATABASE_URL is set.")

# ----- Secrets -----

_keep = VAR_DIR / "secrets" if EMBEDDED else None
SECRET_KEY = env_secret("SECRET_KEY", keep_in=_keep)
# Earlier keys: sessions and document links signed with them stay valid.
SECRET_KEY_FALLBACKS = env_list("SECRET_KEY_FALLBACKS", keep_in=_keep)
ENCRYPTION_KEY = env_secret("ENCRYPTION_KEY", keep_in=_keep)

# ----- Addresses of this installation -----

# The URL at which people reach this installation.
PORT = env_int("PORT", default=8000)
DESK_URL = (os.environ.get("DESK_URL", "") or f"http://127.0.0.1:{PORT}").rstrip("/")
# The URL at which services reach it, if different: for links to documents, and webhooks.
CALLBACK_URL = os.environ.get("CALLBACK_URL", "").rstrip("/") or DESK_URL
_desk = urlsplit(DESK_URL)
# The hosts above, and this machine, from which health checks come.
ALLOWED_HOSTS = [
    *env_list("ALLOWED_HOSTS"),
    _desk.hostname or "localhost",
    urlsplit(CALLBACK_URL).hostname or "localhost",
    "127.0.0.1",
    "localhost",
]
CSRF_FAILURE_VIEW = "compliance.http.responses.error_pages.csrf_failure"
CSRF_TRUSTED_ORIGINS = [f"{_desk.scheme}://{_desk.netloc}"]
_secure = _desk.scheme == "https"
if DEBUG and _secure:
    # Debug pages show settings and code to everybody.
    raise ImproperlyConfigured("DEBUG cannot be on where DESK_URL is https.")

# ----- Parts: apps, middleware, templates -----

# The two sides, each of which can run alone: the desk calls any service, the hub serves any client.
DESK_ENABLED = env_bool("DESK_ENABLED", default=True)
HUB_ENABLED = env_bool("HUB_ENABLED", default=True)
INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "compliance.apps.StaticConfig",
    "django_htmx",
    "rest_framework",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.socialaccount.providers.saml",
    "allauth.usersessions",
    "compliance.apps.ComplianceConfig",
    "compliance.approvals.apps.ApprovalsConfig",
    "compliance.backup.apps.BackupConfig",
]
if DESK_ENABLED:
    INSTALLED_APPS += ["reviews", "webhooks"]
if HUB_ENABLED:
    INSTALLED_APPS.append("agenthub")
# The order matters: several docstrings say why a middleware must be before or after another.
MIDDLEWARE = [
    "compliance.http.request_ids.name_requests",
    "compliance.http.callers.trust_declared_proxies",
    "compliance.http.limits.unproven.limit_addresses",
    "compliance.security.logins.refuse_when_full",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "compliance.security.session_store.cookies.SignedCookies",
    "django.middleware.common.CommonMiddleware",
    "compliance.http.limits.methods.LimitMethods",
    "compliance.http.limits.bodies.limit_bodies",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "compliance.security.sessions.limit_sessions",
    "compliance.pages.languages.speak",
    "compliance.http.limits.upgrades.refuse_after_upgrade",
    "compliance.http.responses.error_pages.say_forms_only",
    "compliance.security.logins.refuse_with_429",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "compliance.http.limits.quotas.limit_uploads",
    "compliance.identity.second_factor.require_second_factor",
    "compliance.identity.step_up.require_recent_login",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "compliance.http.responses.hidden_characters.show_in_pages",
]
if DESK_ENABLED:
    # Early, because webhooks need little of the rest: only middleware before it sees them.
    _place = MIDDLEWARE.index("whitenoise.middleware.WhiteNoiseMiddleware")
    MIDDLEWARE.insert(_place, "webhooks.middleware.receive_webhooks")
    MIDDLEWARE += [
        "reviews.access.masking.hide_names",
        "reviews.access.reads.record_reads",
    ]
ROOT_URLCONF = "compliance.urls"
WSGI_APPLICATION = "compliance.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ASSETS_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "compliance.pages.context.sides",
            ],
            # In place of Django's: the same tags, faster for constant texts and addresses.
            "libraries": {"i18n": "compliance.templatetags.fixed_texts"},
            "builtins": ["compliance.templatetags.fixed_addresses"],
        },
    }
]

# ----- Database -----

if EMBEDDED:
    DATABASES: dict[str, Any] = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": VAR_DIR / "desk.sqlite3",
            # IMMEDIATE: a transaction that reads and then writes must not fail when it upgrades its
            # lock. FULL: data that was confirmed with status 200 survives a power cut.
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;"
                # Overwrite deleted data: an erased name must not remain in a free page.
                "PRAGMA secure_delete=ON;"
                # KiB of cached pages per connection. Each thread has a connection; with SQLite's
                # default of 2,000 a worker grew by 45 MiB in half an hour. No page became slower.
                "PRAGMA cache_size=-500;",
                # Prepared statements that a connection keeps. Each thread has a connection, and a
                # large statement holds 50 KiB. Python's default is 128; a page has at most 15.
                "cached_statements": 32,
            },
            "CONN_MAX_AGE": None,
        }
    }
else:
    DATABASES = {
        "default": dj_database_url.parse(
            DATABASE_URL, conn_max_age=60, conn_health_checks=True
        )
    }
    # Send values separately, and prepare a statement when a connection runs it for the second time.
    # By default Django puts the values into the SQL, and PostgreSQL plans each statement again.
    DATABASES["default"].setdefault("OPTIONS", {})
    DATABASES["default"]["OPTIONS"] |= {
        "server_side_binding": True,
        "prepare_threshold": 1,
        "connect_timeout": env_int("DATABASE_CONNECT_SECONDS", default=5),
        # Detect a dead machine within half a minute instead of two hours.
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 25_000,
    }
    if _password := env_secret("DATABASE_PASSWORD"):
        DATABASES["default"]["PASSWORD"] = _password
# Time limits on PostgreSQL in seconds: for a statement of a request, for one of a worker's task,
# and for waiting for a lock. Commands such as `migrate` have none.
DATABASE_STATEMENT_SECONDS = env_int("DATABASE_STATEMENT_SECONDS", default=30)
DATABASE_WORK_SECONDS = env_int("DATABASE_WORK_SECONDS", default=600)
DATABASE_LOCK_SECONDS = env_int("DATABASE_LOCK_SECONDS", default=10)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# ----- Cache, sessions and cookies -----

_REDIS_PASSWORD = env_secret("REDIS_PASSWORD")
for _name in ("DATABASE_URL", "REDIS_URL", "CELERY_BROKER_URL"):
    if urlsplit(os.environ.get(_name, "")).password:
        SECRET_PLACES[_name] = ""
_REDIS_URL = with_password(os.environ.get("REDIS_URL", ""), _REDIS_PASSWORD)
# Seconds that Redis may take to connect and to answer. Without it, requests are served
# nevertheless.
REDIS_SECONDS = env_int("REDIS_SECONDS", default=2)
_REDIS_OPTIONS: dict[str, Any] = {
    "pool_class": "compliance.db.redis_pool.Pool",
    "socket_connect_timeout": REDIS_SECONDS,
    "socket_timeout": REDIS_SECONDS,
}
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "compliance.db.redis_pool.Cache",
        "LOCATION": _REDIS_URL,
        "OPTIONS": _REDIS_OPTIONS,
    }
    if _REDIS_URL
    # Room for the counters of many callers, so that new counters do not evict others.
    else {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    },
    # A cache per process, for values that may be some seconds old and are not worth a network
    # access.
    "memory": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "memory",
        "OPTIONS": {"MAX_ENTRIES": 2000},
    },
}
# In the database alone: a copy in Redis could be older than the end of its login.
SESSION_ENGINE = "compliance.security.session_store.database"
SESSION_SERIALIZER = "compliance.security.session_store.database.EncryptedContent"
# A login ends after SESSION_HOURS, or earlier after SESSION_IDLE_MINUTES without activity.
SESSION_HOURS = env_int("SESSION_HOURS", default=12)
SESSION_IDLE_MINUTES = env_int("SESSION_IDLE_MINUTES", default=60)
SESSION_COOKIE_AGE = SESSION_HOURS * 60 * 60
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _secure
# Pages carry the CSRF token themselves: no script reads the cookie.
CSRF_COOKIE_HTTPONLY = True
if _secure:
    # With the prefix __Host-, browsers accept the cookie only from this host, for all paths, over
    # HTTPS.
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
# The cookie of browsers from which a person has logged in: others cannot lock these out.
KNOWN_BROWSER_COOKIE = "__Host-known-browser" if _secure else "known-browser"

# ----- Headers and proxies -----

SECURE_HSTS_SECONDS = 31_536_000 if _secure else 0
# Only if all subdomains of this host support HTTPS, too.
SECURE_HSTS_INCLUDE_SUBDOMAINS = env_bool("HSTS_SUBDOMAINS", default=False)
SECURE_REFERRER_POLICY = "same-origin"
# The networks of the proxies in front. Forwarding headers from other addresses are removed.
TRUSTED_PROXIES = env_list("TRUSTED_PROXIES")
if env_bool("BEHIND_PROXY", default=False) and not TRUSTED_PROXIES:
    # Assume a proxy on this machine or in its private network.
    TRUSTED_PROXIES = [
        "127.0.0.0/8",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "::1/128",
        "fc00::/7",
    ]
for _network in TRUSTED_PROXIES:
    ip_network(_network, strict=False)  # raises ValueError for an invalid network
SECURE_PROXY_SSL_HEADER = (
    ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
)
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "report-uri": ["/csp-reports/"],
    }
}

# ----- Logins and passwords -----

# One login for desk, hub and admin. The backend limits wrong passwords.
AUTHENTICATION_BACKENDS = ["compliance.security.logins.LimitedBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "queue" if DESK_ENABLED else "hub"
LOGOUT_REDIRECT_URL = "account_login"
# The pages that check passwords, and how many checks one process runs at a time: each occupies a
# processor.
LOGIN_PAGES = ("/login/", "/account/reauthenticate/", "/account/password/change/")
LOGINS_AT_A_TIME = 2
# Limits the parallel hashes, and gives them low priority.
PASSWORD_HASHERS = ["compliance.identity.passwords.hashing.PooledHasher"]
# Wrong passwords within five minutes: for one name from one address, and from one address in total.
LOGIN_TRIES = env_int("LOGIN_TRIES", default=5)
LOGIN_ADDRESS_TRIES = env_int("LOGIN_ADDRESS_TRIES", default=50)
# Wrong passwords within an hour for one name from all addresses. It does not apply to browsers that
# have logged in by this name before.
LOGIN_ACCOUNT_TRIES = env_int("LOGIN_ACCOUNT_TRIES", default=100)
# How many logins wait in one process while two are checked. The embedded server has extra threads
# for them; elsewhere they would occupy those of webhooks.
LOGIN_QUEUE = env_int("LOGIN_QUEUE", default=8 if EMBEDDED else 1)
# Words of this company of which a password must not consist, besides the person's and DESK_URL's.
PASSWORD_WORDS = env_list("PASSWORD_WORDS")
# A file with hashes of breached passwords, sorted by hash; empty: none.
BREACHED_PASSWORDS = os.environ.get("BREACHED_PASSWORDS", "")
# An installation that people on other machines use must not start without its protections, unless
# they are waived by name: compliance/operation/protection.py.
REQUIRE_PROTECTION = env_bool("REQUIRE_PROTECTION", default=_secure and not EMBEDDED)
PROTECTION_WAIVED = frozenset(env_list("PROTECTION_WAIVED"))
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "CommonPasswordValidator",
    )
]
AUTH_PASSWORD_VALIDATORS += [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": env_int("PASSWORD_LENGTH", default=12)},
    },
    {"NAME": "compliance.identity.passwords.context_words.ContextWordsValidator"},
    {"NAME": "compliance.identity.passwords.context_words.SequenceValidator"},
    {"NAME": "compliance.identity.passwords.breached.BreachedPasswordValidator"},
]

# ----- Second factor, recent login, second person -----

# Names of roles that need a second factor; "all": everybody.
SECOND_FACTOR_ROLES = frozenset(env_list("SECOND_FACTOR_ROLES"))
# The maximum age of a login on sensitive pages, in minutes; 0: any age.
STEP_UP_MINUTES = env_int("STEP_UP_MINUTES", default=30)
# The kinds of settings whose changes need a second person; "all": every kind.
SETTINGS_FOUR_EYES = frozenset(env_list("SETTINGS_FOUR_EYES"))
# Whether one rule owner alone may put a risk policy in force and change the rules for a second
# person: for a team of one.
RULES_ALONE = env_bool("RULES_ALONE", default=False)
# Sensitive pages by name. A value restricts it to requests with this value of the field "act", or
# of "as" in the address; empty: every request. All of Django's admin is sensitive, too.
STEP_UP_PAGES = {
    "tokens": "",
    "token-revoke": "",
    "reports": "",
    "case-report-pdf": "",
    "period-file": "",
    "screening-labels": "",
    "suspicion-file": "",
    "suspicion-fincen-file": "",
    "bulk-approval-confirm": "",
    "case-evidence": "",
    "batch-export": "",
    "case-erase": "",
    "erasure-confirm": "",
    "subject-export": "",
    "privacy-due": "csv",
    "queue-act": "csv",
    "hub-key-make": "",
    "hub-secret-rotate": "",
    "hub-new-secret": "",
    "approval-end": "",
}
# Pages that the role may read at any time, but whose forms change keys, rules and settings.
STEP_UP_FORMS = frozenset(
    {
        "account_set_password",
        "account_email",
        "people",
        "person-invite",
        "person-roles",
        "person-email",
        "person-switch",
        "connection-untimed",
        "settings-row-new",
        "settings-row",
        "settings-row-delete",
        # These put a version into effect, or allow approvals without a person. Stopping is not
        # delayed.
        "decision-policy-live",
        "decision-policy-switch-on",
        "procedure-live",
        "reporting-institution",
        "risk-live",
        "screening-quality-live",
        # What applicants see of the organisation.
        "organisation",
        # These open a file that the scanner blocked, or allow the erasure of a case.
        "file-scan",
        "hold-lift",
        "hub",
        "hub-account",
        "hub-account-limits",
        "hub-account-switch",
        "hub-deliveries-again",
        "hub-delivery-again",
        "hub-agent",
        "hub-agent-new",
        "hub-key-revoke",
        "hub-secret-end",
        "hub-secret-sign-now",
        "hub-list",
        "hub-list-canaries",
        "hub-list-fetch",
        "hub-list-release",
        "hub-quarantine-act",
        "queue-retry",
        "webhook-again",
        "webhook-replay",
    }
)
# Which decisions need a recent login. "second": decisions that need a second person, and the second
# person's own; "all"; "none"; or a comma-separated list of outcomes.
STEP_UP_DECISIONS = frozenset(env_list("STEP_UP_DECISIONS") or ["second"])

# ----- django-allauth -----

# django-allauth provides the flows; this installation's decisions are in compliance/identity.
ACCOUNT_ADAPTER = "compliance.identity.accounts.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "compliance.security.logins.LoginForm",
    "reauthenticate": "compliance.security.logins.ReauthenticateForm",
    "change_password": "compliance.security.logins.ChangePasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"username"}
# Not by a code that is sent by e-mail: that page does not exist here, and people of single sign-on
# confirm their identity at the provider.
ACCOUNT_REAUTHENTICATION_METHODS = ("password", "mfa")
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_SESSION_REMEMBER = False
_TOKENS = "compliance.identity.passwords.reset_links.ResetTokens"
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = _TOKENS
# The backend and the forms count passwords and codes themselves: with django-allauth's limits,
# anybody could use up another person's attempts. Its other limits apply.
ACCOUNT_RATE_LIMITS = {"login": None, "login_failed": None, "reauthenticate": None}
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
MFA_ADAPTER = "compliance.identity.accounts.SecondFactorAdapter"
MFA_FORMS = {
    "activate_totp": "compliance.security.logins.ActivateForm",
    "authenticate": "compliance.security.logins.AuthenticateForm",
    "reauthenticate": "compliance.security.logins.ConfirmForm",
    "login_webauthn": "compliance.identity.passkeys.LoginForm",
    "authenticate_webauthn": "compliance.identity.passkeys.AuthenticateForm",
    "reauthenticate_webauthn": "compliance.identity.passkeys.ConfirmForm",
    "add_webauthn": "compliance.identity.passkeys.AddForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
# Who sits at somebody else's open session sees no codes. New ones can be made, and the trail says so.
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_PASSKEY_LOGIN_ENABLED = True
# Required for second factors as well. Otherwise the challenge of a second factor, which needs no
# user verification, could be answered at the login by passkey.
MFA_WEBAUTHN_USER_VERIFICATION = "required"
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not _secure
MFA_TOTP_ISSUER = "Compliance desk"
# Codes of the half minute before and after are valid, too: clocks of telephones are seconds off, and
# people type a code while it changes.
MFA_TOTP_TOLERANCE = 1
MFA_ALLOW_UNVERIFIED_EMAIL = True
USERSESSIONS_TRACK_ACTIVITY = False

# ----- Single sign-on -----

# Single sign-on: the company's provider, by OpenID Connect or by SAML.
OIDC_PROVIDER = "company"
OIDC_ISSUER = os.environ.get("OIDC_ISSUER", "").rstrip("/")
SAML_PROVIDER = "company"
SAML_IDP_ENTITY_ID = os.environ.get("SAML_IDP_ENTITY_ID", "")
# People sign in only by the provider: local passwords and passkeys are disabled.
SINGLE_SIGN_ON_ONLY = bool(OIDC_ISSUER or SAML_IDP_ENTITY_ID) and env_bool(
    "SINGLE_SIGN_ON_ONLY", default=False
)
# The roles of the provider's groups, as a comma-separated list of "group=role".
SINGLE_SIGN_ON_ROLES = frozenset(
    (group.strip(), role.strip())
    for group, _, role in (
        entry.partition("=")
        for entry in env_list("OIDC_ROLES") + env_list("SAML_ROLES")
    )
)
OIDC_NAME = os.environ.get("OIDC_NAME", "") or "single sign-on"
OIDC_GROUPS_CLAIM = os.environ.get("OIDC_GROUPS_CLAIM", "") or "groups"
# The required strength of a login at the provider: accepted values of the claim acr. Empty: any.
OIDC_ACR = tuple(env_list("OIDC_ACR"))
SOCIALACCOUNT_ADAPTER = "compliance.identity.single_sign_on.adapter.SingleSignOnAdapter"
SOCIALACCOUNT_ONLY = False
SOCIALACCOUNT_AUTO_SIGNUP = True
SOCIALACCOUNT_LOGIN_ON_GET = True
SOCIALACCOUNT_OPENID_CONNECT_URL_PREFIX = ""
# The provider has verified the address, so a person with an account of that address keeps it.
SOCIALACCOUNT_EMAIL_AUTHENTICATION = True
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
SOCIALACCOUNT_PROVIDERS: dict[str, Any] = {}
if OIDC_ISSUER:
    SOCIALACCOUNT_PROVIDERS["openid_connect"] = {
        "OAUTH_PKCE_ENABLED": True,
        "SCOPE": ["openid", "profile", "email", *env_list("OIDC_SCOPES")],
        "APPS": [
            {
                "provider_id": OIDC_PROVIDER,
                "name": OIDC_NAME,
                "client_id": os.environ.get("OIDC_CLIENT_ID", ""),
                "secret": env_secret("OIDC_CLIENT_SECRET"),
                "settings": {"server_url": OIDC_ISSUER},
            }
        ],
    }
# The provider of SAML: its metadata, or its address and certificate. It needs the extra `saml`.
SAML_IDP_METADATA_FILE = os.environ.get("SAML_IDP_METADATA_FILE", "")
SAML_IDP_URL = os.environ.get("SAML_IDP_URL", "")
SAML_IDP_CERTIFICATE_FILE = os.environ.get("SAML_IDP_CERTIFICATE_FILE", "")
SAML_NAME = os.environ.get("SAML_NAME", "") or "single sign-on"
# Our key and certificate, if the provider wants requests to be signed.
SAML_KEY = env_secret("SAML_KEY")
SAML_CERTIFICATE_FILE = os.environ.get("SAML_CERTIFICATE_FILE", "")
# Attributes of the assertion. Without one for the number, the NameID is the person's number.
SAML_GROUPS_ATTRIBUTE = os.environ.get("SAML_GROUPS_ATTRIBUTE", "") or "groups"
SAML_UID_ATTRIBUTE = os.environ.get("SAML_UID_ATTRIBUTE", "")
# The domains whose addresses the provider has verified.
SAML_EMAIL_DOMAINS = env_list("SAML_EMAIL_DOMAINS")
# The required strength of a login at the provider: accepted classes. Empty: any.
SAML_AUTHN_CONTEXT = tuple(env_list("SAML_AUTHN_CONTEXT"))
_CLAIMS = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims"
SAML_ATTRIBUTES = {
    "uid": [SAML_UID_ATTRIBUTE],
    "username": env_list("SAML_USERNAME_ATTRIBUTE")
    or ["uid", "urn:oid:0.9.2342.19200300.100.1.1", "username"],
    "email": env_list("SAML_EMAIL_ATTRIBUTE")
    or [
        "mail",
        "urn:oid:0.9.2342.19200300.100.1.3",
        "email",
        f"{_CLAIMS}/emailaddress",
    ],
    "first_name": ["givenName", "urn:oid:2.5.4.42", f"{_CLAIMS}/givenname"],
    "last_name": ["sn", "urn:oid:2.5.4.4", f"{_CLAIMS}/surname"],
}
if SAML_IDP_ENTITY_ID:
    SOCIALACCOUNT_PROVIDERS["saml"] = {
        "APPS": [
            {
                # People of one provider are never those of another.
                "provider_id": SAML_IDP_ENTITY_ID,
                "client_id": SAML_PROVIDER,
                "name": SAML_NAME,
                "settings": {
                    "attribute_mapping": SAML_ATTRIBUTES,
                    "verified_email": SAML_EMAIL_DOMAINS,
                },
            }
        ]
    }

# ----- Mail -----

# Mail for invitations and forgotten passwords. Without a host none is sent.
EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_PORT = env_int("EMAIL_PORT", default=587)
EMAIL_HOST_USER = os.environ.get("EMAIL_USER", "")
EMAIL_HOST_PASSWORD = env_secret("EMAIL_PASSWORD")
EMAIL_USE_TLS = env_bool("EMAIL_TLS", default=True)
EMAIL_TIMEOUT = 10
# If a page waited for the mail server, its response time would reveal which addresses exist.
MAIL_IN_BACKGROUND = True
DEFAULT_FROM_EMAIL = os.environ.get("EMAIL_FROM", "") or f"desk@{_desk.hostname}"
EMAIL_BACKEND = "compliance.identity.mail_server.Backend"
if not EMAIL_HOST:
    EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"

# ----- Time and languages -----

USE_TZ = True
TIME_ZONE = os.environ.get("TIME_ZONE", "UTC")
USE_I18N = True
# Stored texts and texts for other systems are English; pages are in the language of the reader.
LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("de", "German"),
    ("fr", "French"),
    ("es", "Spanish"),
    ("ar", "Arabic"),
]
LOCALE_PATHS = [ASSETS_DIR / "locale"]
# Formats of days and times per language; in English ISO 8601.
FORMAT_MODULE_PATH = ["compliance.formats"]

# ----- Static files -----

STATIC_URL = "/static/"
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT", "") or VAR_DIR / "static")
STATICFILES_DIRS = [ASSETS_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "compliance.pages.vendored.VendoredFinder",
]
# Third-party assets derived from installed packages: the icon sprite and the fonts.
VENDORED_DIR = Path(os.environ.get("VENDORED_DIR", "") or VAR_DIR / "vendored")

# ----- Stored files, and evidence outside of the database -----

MEDIA_ROOT = VAR_DIR / "documents"
# The evidence for the audit trail outside of the database: signing keys and anchors.
AUDIT_KEYS_DIR = Path(os.environ.get("AUDIT_KEYS_DIR", "") or VAR_DIR / "audit-keys")
AUDIT_ANCHORS = Path(
    os.environ.get("AUDIT_ANCHORS", "") or VAR_DIR / "audit-anchors.jsonl"
)
# Rounds of hashing, so that a short secret cannot be guessed fast from the hash of its row. Never
# change the number: the hashes of existing rows depend on it, and the trail would fail.
AUDIT_SECRET_ROUNDS = 20_000
# The key of backups. Keep it out of VAR: whoever has a backup must not have its key.
BACKUP_KEY = env_secret("BACKUP_KEY")
# The list of erased data keys, needed after a backup was restored.
ERASED_KEYS = Path(os.environ.get("ERASED_KEYS", "") or VAR_DIR / "erased-keys.txt")
# Additional receivers of anchors, and the minimum interval. Each is off if empty.
ANCHOR_WEBHOOK_URL = os.environ.get("ANCHOR_WEBHOOK_URL", "")
ANCHOR_WEBHOOK_SECRET = env_secret("ANCHOR_WEBHOOK_SECRET")
ANCHOR_MAIL = env_list("ANCHOR_MAIL")
TIME_STAMP_URL = os.environ.get("TIME_STAMP_URL", "")
TIME_STAMP_ROOTS = os.environ.get("TIME_STAMP_ROOTS", "")
ANCHOR_COPY_MINUTES = env_int("ANCHOR_COPY_MINUTES", default=60)
STORAGES = {
    # Documents, encrypted: in a folder by default, otherwise in any Django storage that all
    # machines share.
    "default": {
        "BACKEND": "compliance.security.encrypted_files.EncryptedStorage",
        "OPTIONS": {
            "backend": os.environ.get(
                "DOCUMENT_STORAGE", "compliance.storage.backend.WholeFileStorage"
            ),
            "options": json.loads(os.environ.get("DOCUMENT_STORAGE_OPTIONS", "{}")),
        },
    },
    "staticfiles": {"BACKEND": "compliance.pages.vendored.StaticStorage"},
}

# ----- Sizes of uploads and requests -----

FILE_UPLOAD_PERMISSIONS = 0o600
FILE_UPLOAD_HANDLERS = [
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "compliance.storage.upload_handlers.NamelessFileUploadHandler",
]
# Larger documents are refused before they are read completely (interface: JSON up to 25 MiB).
MAX_DOCUMENT_BYTES = env_int("MAX_DOCUMENT_MB", default=25) << 20
# The largest request, with all documents of a case.
MAX_REQUEST_BYTES = env_int("MAX_REQUEST_MB", default=160) << 20
MAX_WEBHOOK_BYTES = env_int("MAX_WEBHOOK_MB", default=10) << 20
# Paths that accept files. The limit for other forms is smaller, and smaller still without a login.
UPLOAD_PATHS = ("/cases/", "/batches/", "/notes/", "/api/", "/hub/", "/admin/")
MAX_FORM_BYTES = 2 << 20
MAX_ANONYMOUS_BYTES = 64 << 10
DATA_UPLOAD_MAX_MEMORY_SIZE = max(25 << 20, MAX_WEBHOOK_BYTES)

# ----- Celery -----

CELERY_BROKER_URL = with_password(
    os.environ.get("CELERY_BROKER_URL", ""), _REDIS_PASSWORD
)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "default"
# A worker without --queues serves all three queues.
CELERY_TASK_QUEUES = [Queue("default"), Queue("documents"), Queue("deliveries")]
# A worker with a name of a queue that is not one of them would wait for work that never comes.
CELERY_TASK_CREATE_MISSING_QUEUES = False
# Documents are slow, and receivers of webhooks may be: with separate workers (docs/deploy.md)
# neither delays the rest.
CELERY_TASK_ROUTES = {
    "agenthub.tasks.run_document_jobs": {"queue": "documents"},
    "reviews.tasks.draw_documents": {"queue": "documents"},
    "agenthub.tasks.send_deliveries": {"queue": "deliveries"},
    "reviews.tasks.send_announcements": {"queue": "deliveries"},
    "reviews.tasks.send_request_mails": {"queue": "deliveries"},
    "reviews.tasks.draw_logo": {"queue": "documents"},
    "reviews.tasks.send_anchors": {"queue": "deliveries"},
}
# In seconds. A task claims for DRAIN_SECONDS and then finishes its last row; one that takes longer
# than these limits hangs. The first raises in the task, the second kills its process. Loading a
# list of a million names takes less.
CELERY_TASK_SOFT_TIME_LIMIT = 3600
CELERY_TASK_TIME_LIMIT = 3660
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Celery kills a process of its pool that is not up after so many seconds. On a busy machine one takes
# more than the default of four, and so does the next one.
CELERY_WORKER_PROC_ALIVE_TIMEOUT = 60.0
# Without an end. By default a worker gives up after 46 minutes, and exits as if it had been stopped.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_connect_timeout": REDIS_SECONDS,
    # A worker's reads block longer than those of requests.
    "socket_timeout": REDIS_SECONDS + 3,
}
SWEEP_SECONDS = env_int("SWEEP_SECONDS", default=5)
# Messages do not expire: a worker whose clock is ahead of beat's would drop every sweep.
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "compliance.tasks.sweep", "schedule": SWEEP_SECONDS}
}
CELERY_BEAT_SCHEDULER = "compliance.work.beat.Scheduler"

# ----- Records of reads, masking, erasure -----

# The record of who looked at what: how often it is written, and how many days it is kept.
READS_FLUSH_SECONDS = 1
READS_DAYS = env_int("READS_DAYS", default=730)
# Roles that do not need names, such as "integrator". People with no other role see masked texts.
MASKED_ROLES = frozenset(env_list("MASKED_ROLES"))
# The roles that are notified if an unassigned case is due.
DUE_ROLES = frozenset(env_list("DUE_ROLES") or ["senior"]) - {"none"}
# Whether an erasure needs a second person, and how many days in advance a rule announces one.
ERASURE_SECOND_PERSON = env_bool("ERASURE_SECOND_PERSON", default=False)
ERASURE_NOTICE_DAYS = env_int("ERASURE_NOTICE_DAYS", default=7)
# /health/ready is open to everybody: its answers within this time share one check.
READY_SECONDS = 1

# ----- Metrics and traces -----

# Metrics for Prometheus at /metrics: a token that it must send, and the networks from which it may
# connect. Without both settings it is off; if both are set, both are required.
METRICS_TOKEN = env_secret("METRICS_TOKEN")
METRICS_NETWORKS = env_list("METRICS_NETWORKS")
for _network in METRICS_NETWORKS:
    ip_network(_network, strict=False)  # raises ValueError for an invalid network
METRICS_ENABLED = bool(METRICS_TOKEN or METRICS_NETWORKS)
if METRICS_ENABLED:
    # The outermost middleware, so that it also counts requests that others refuse.
    MIDDLEWARE.insert(0, "compliance.operation.metrics.requests.count_requests")
# The collector of tracing spans, OTLP over HTTP; empty: none are recorded. The names of the
# variables are those of OpenTelemetry. The headers may contain a key.
OTEL_EXPORTER_OTLP_ENDPOINT = os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT", "")
OTEL_EXPORTER_OTLP_HEADERS = env_secret("OTEL_EXPORTER_OTLP_HEADERS")
# The only one that the exporter speaks. Others are named by a system check.
OTEL_HTTP = "http/protobuf"
OTEL_EXPORTER_OTLP_PROTOCOL = (
    os.environ.get("OTEL_EXPORTER_OTLP_PROTOCOL", "") or OTEL_HTTP
)
OTEL_SERVICE_NAME = os.environ.get("OTEL_SERVICE_NAME", "") or "compliance-desk"
if OTEL_EXPORTER_OTLP_ENDPOINT:
    # After the request id, and before the receiver of webhooks.
    _place = MIDDLEWARE.index("compliance.http.request_ids.name_requests")
    MIDDLEWARE.insert(_place + 1, "compliance.operation.request_spans.trace_requests")
# Seconds between two writes of a process' tallies to the database.
TALLY_SECONDS = 5

# ----- Work -----

# How long a worker may be silent before another worker may claim its row.
LEASE = timedelta(seconds=env_int("LEASE_SECONDS", default=30))
# After this time without news of a running job, the desk asks the service about the job.
JOB_NEWS_SECONDS = env_int("JOB_NEWS_SECONDS", default=60)
# The limit of CPU time for all checks of one document together. In wall time it is four times as
# long (compliance.work.isolation.WALL_TIMES): a machine with more to do is no fault of the document.
DOCUMENT_SECONDS = env_int("DOCUMENT_SECONDS", default=30)

# ----- Bulk approval and suspicion reports -----

# The share of clean cases in a bulk approval, in percent and at least one case, that are randomly
# selected for a full review beforehand. If one case in four is faulty, ten of a hundred cases show
# this with a probability of 94 %.
BULK_SAMPLE_PERCENT = env_int("BULK_SAMPLE_PERCENT", default=10)
# The same per kind of case, if it differs.
BULK_SAMPLE_PERCENT_BY_KIND = {
    "kyb": env_int("BULK_SAMPLE_PERCENT_KYB", default=BULK_SAMPLE_PERCENT),
    "kyc": env_int("BULK_SAMPLE_PERCENT_KYC", default=BULK_SAMPLE_PERCENT),
}
# Days within which suspicious activity must be reported after the facts were noticed. In the United
# States 30 (31 CFR 1020.320); elsewhere often fewer.
SUSPICION_DAYS = env_int("SUSPICION_DAYS", default=30)
# For goAML files: the number that the authority assigned to this institution, and its currency.
GOAML_ENTITY_ID = env_int("GOAML_ENTITY_ID", default=0)
GOAML_CURRENCY = os.environ.get("GOAML_CURRENCY", "") or "EUR"

# ----- Documents -----

# Refuse to start if the kernel cannot sandbox the processes that read documents.
REQUIRE_SANDBOX = env_bool("REQUIRE_SANDBOX", default=False)
# A malware scanner: clamav://host:port, clamav+unix:///path or icap://host:port/service.
FILE_SCANNER = os.environ.get("FILE_SCANNER", "")
# Seconds for the whole exchange with the scanner about one file.
FILE_SCANNER_SECONDS = env_int("FILE_SCANNER_SECONDS", default=20)
# A folder of certificates (PEM or DER). Signatures of documents that chain to one are trusted.
SIGNATURE_ROOTS = os.environ.get("SIGNATURE_ROOTS", "")

# ----- Outgoing requests, links, tokens and webhooks -----

# Hosts that may have private addresses: this installation itself, and entries "host:port".
OUTBOUND_ALLOW = frozenset(
    (host.lower(), int(port))
    for host, _, port in (entry.rpartition(":") for entry in env_list("OUTBOUND_ALLOW"))
)
if EMBEDDED:
    # The embedded hub fetches documents from this installation, and sends webhooks to it.
    OUTBOUND_ALLOW |= {
        (url.hostname or "", url.port or (443 if url.scheme == "https" else 80))
        for url in (_desk, urlsplit(CALLBACK_URL))
    }
# If set, no other public host may be called. ".example.com" includes all its subdomains.
OUTBOUND_HOSTS = frozenset(host.lower() for host in env_list("OUTBOUND_HOSTS"))
# Document links in start requests expire after this many seconds.
DOCUMENT_URL_SECONDS = env_int("DOCUMENT_URL_SECONDS", default=24 * 3600)
# Days after which an API token or key expires by default; 0: never.
TOKEN_DAYS = env_int("TOKEN_DAYS", default=365)
# The accepted difference between a webhook's timestamp and our clock, in seconds. Clocks differ by
# seconds, and each attempt has a new timestamp. Standard Webhooks recommends five minutes.
WEBHOOK_TOLERANCE_SECONDS = env_int("WEBHOOK_TOLERANCE_SECONDS", default=300)

# ----- Rates, quotas and limits -----

# Requests per API key and minute.
API_RATE = env_int("API_RATE", default=600)
# Requests per address and minute without a valid login, key, signature or link; 0: no limit.
ADDRESS_RATE = env_int("ADDRESS_RATE", default=600)
# Parallel large requests per person, key or link: each occupies disk space and a thread.
UPLOADS_AT_A_TIME = env_int("UPLOADS_AT_A_TIME", default=4)
# Quotas per day; 0: no limit. A person enters cases by hand; tokens and accounts send them.
QUOTAS = {
    # Enough for 20 cases an hour with 10 files each, and batches.
    ("user", "files"): env_int("QUOTA_USER_FILES", default=20_000),
    ("user", "bytes"): env_int("QUOTA_USER_MB", default=50_000) << 20,
    ("user", "jobs"): env_int("QUOTA_USER_JOBS", default=20_000),
    # A system that submits in the name of one user.
    ("token", "files"): env_int("QUOTA_TOKEN_FILES", default=20_000),
    ("token", "bytes"): env_int("QUOTA_TOKEN_MB", default=50_000) << 20,
    ("token", "jobs"): env_int("QUOTA_TOKEN_JOBS", default=20_000),
    # A company: half a million jobs are what one machine can handle in a day.
    ("account", "files"): env_int("QUOTA_ACCOUNT_FILES", default=200_000),
    ("account", "bytes"): env_int("QUOTA_ACCOUNT_MB", default=200_000) << 20,
    ("account", "jobs"): env_int("QUOTA_ACCOUNT_JOBS", default=500_000),
}
# Limits on the open work of one hub account, unless the account has its own; 0: no limit. A machine
# reads about one document per second and processor, so this is about an hour of work.
HUB_OPEN_DOCUMENTS = env_int("HUB_OPEN_DOCUMENTS", default=5_000)
HUB_OPEN_JOBS = env_int("HUB_OPEN_JOBS", default=20_000)

# ----- The hub's sources -----

# Whether the check of a business's website may visit it.
WEBSITE_VISITS = env_bool("WEBSITE_VISITS", default=False)
# Enrichment of what is known about a person or company: the URL and key of a vendor, or a class
# like those in agenthub/enrichment/providers.py.
ENRICHMENT_URL = os.environ.get("ENRICHMENT_URL", "").rstrip("/")
ENRICHMENT_KEY = env_secret("ENRICHMENT_KEY")
ENRICHMENT_PROVIDER = os.environ.get("ENRICHMENT_PROVIDER", "") or (
    "agenthub.enrichment.vendor.HttpVendor"
    if ENRICHMENT_URL
    else "agenthub.enrichment.providers.OwnCases"
)

# ----- Django REST framework: the hub's interface, whose views authenticate themselves -----

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "UNAUTHENTICATED_USER": None,
}

# ----- Logs -----

# A server for error reports besides the log; empty: none. The DSN contains a key, so it is a
# secret.
SENTRY_DSN = env_secret("SENTRY_DSN")
# "line" for people, "json" (one object per line) for programs.
LOG_FORMAT = os.environ.get("LOG_FORMAT", "") or "line"
if LOG_FORMAT not in {"line", "json"}:
    raise ValueError(f"LOG_FORMAT must be line or json, not {LOG_FORMAT!r}")
# Callers' addresses are personal data: by default the log contains a digest, which tells them
# apart.
LOG_ADDRESSES = env_bool("LOG_ADDRESSES", default=False)
# A second destination of the log, which an intruder here cannot change: syslog over TLS.
LOG_COLLECTOR = os.environ.get("LOG_COLLECTOR", "")
LOG_COLLECTOR_CA = os.environ.get("LOG_COLLECTOR_CA", "")
LOG_COLLECTOR_CERTIFICATE = os.environ.get("LOG_COLLECTOR_CERTIFICATE", "")
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "compliance.security.logs.Formatter",
            "format": "%(asctime)s %(levelname)s %(name)s %(message)s%(context)s",
        },
        "json": {"()": "compliance.security.logs.JsonFormatter"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}
    },
    "loggers": {
        "pikepdf": {"level": "WARNING"},
        "fontTools": {"level": "WARNING"},
        # It logs every key that a person registers.
        "fido2": {"level": "WARNING"},
        # Its warning about malformed headers of a response has the whole URL, which may hold a
        # token, such as that of a Slack webhook.
        "urllib3.connection": {"level": "ERROR"},
    },
    "root": {"handlers": ["console"], "level": os.environ.get("LOG_LEVEL", "INFO")},
}
if LOG_COLLECTOR:
    # Here, because Django sets up the log before any check could say this.
    if fault := log_collector.fault_of(
        LOG_COLLECTOR, LOG_COLLECTOR_CA, LOG_COLLECTOR_CERTIFICATE
    ):
        raise ImproperlyConfigured(fault)
    LOGGING["handlers"]["collector"] = {
        "()": "compliance.tracing.log_collector.CollectorHandler",
        "url": LOG_COLLECTOR,
        "authorities": LOG_COLLECTOR_CA,
        "certificate": LOG_COLLECTOR_CERTIFICATE,
        "formatter": LOG_FORMAT,
    }
    LOGGING["root"]["handlers"].append("collector")
# A library of template tags in place of another: "i18n", on purpose (TEMPLATES).
SILENCED_SYSTEM_CHECKS = ["templates.W003"]
