"""Personal data in the tables of Django and django-allauth: it is about staff."""

from __future__ import annotations

from compliance.security.data_map import Table

_STAFF = "Who works here. The trail names them: they are made inactive, never removed."
_LOGIN = "To sign in."
_USER = "as long as the user."

TABLES = (
    Table(
        "auth.User",
        plain="id password last_login is_superuser is_staff is_active date_joined groups user_permissions",
        personal={
            "username": "the name at sign-in",
            "first_name": "the first name",
            "last_name": "the last name",
            "email": "the address",
        },
        why=_LOGIN,
        kept="for good; name and address can be emptied.",
        note=_STAFF,
    ),
    Table(
        "admin.LogEntry",
        plain="id action_time content_type object_id action_flag",
        personal={
            "user": "who did it",
            "object_repr": "what it was done to, in words",
            "change_message": "which fields were changed",
        },
        why="The log of Django's admin.",
        kept="for good.",
        note="Erasure empties the words of the entries about what it erases.",
    ),
    Table(
        "account.EmailAddress",
        plain="id user verified primary",
        personal={"email": "the address"},
        why=_LOGIN,
        kept=_USER,
        note=_STAFF,
    ),
    Table("account.EmailConfirmation", plain="id email_address created sent key"),
    Table("mfa.Authenticator", plain="id user type data created_at last_used_at"),
    Table(
        "socialaccount.SocialAccount",
        plain="id user provider last_login date_joined",
        personal={
            "uid": "the number at the company's provider",
            "extra_data": "what the provider says of the person",
        },
        why=_LOGIN,
        kept=_USER,
        note=_STAFF,
    ),
    Table(
        "socialaccount.SocialApp",
        plain="id provider provider_id name client_id secret key settings",
    ),
    Table(
        "socialaccount.SocialToken",
        plain="id app account token token_secret expires_at",
    ),
    Table(
        "usersessions.UserSession",
        plain="id user created_at last_seen_at session_key data",
        personal={"ip": "the address of the browser", "user_agent": "the browser"},
        why="So that a person sees and ends their logins.",
        kept="until the login ends.",
        note=_STAFF,
    ),
    Table(
        "sessions.Session",
        plain="session_key session_data expire_date",
    ),
    Table("compliance.LocalePreference", plain="user language time_zone"),
    Table("auth.Group", plain="id name permissions"),
    Table("auth.Permission", plain="id name content_type codename"),
    Table("contenttypes.ContentType", plain="id app_label model"),
    Table(
        "compliance.DirectoryToken",
        plain="id prefix digest created_at last_used_at expires_at revoked_at name",
    ),
    Table(
        "compliance.DirectoryUser",
        plain="id user deleted_at changed_at",
        personal={"external_id": "the number in the directory"},
        why="So that the directory finds the person again.",
        kept=_USER,
        note=_STAFF,
    ),
    Table(
        "compliance.DirectoryGroup",
        plain="id name external_id members created_at changed_at",
    ),
    Table("compliance.DataKey", plain="id wrapped wrapper created_at erased_at"),
    Table("compliance.CspReport", plain="id at directive source page"),
    Table("compliance.Heartbeat", plain="id name kind queues skew_seconds at"),
    Table("compliance.Tally", plain="id kind name outcome slot count seconds"),
)
