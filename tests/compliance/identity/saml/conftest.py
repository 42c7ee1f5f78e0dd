from __future__ import annotations

import pytest

from reviews.access import roles
from tests.compliance.identity.saml import provider

ATTRIBUTES = {
    "uid": [""],
    "username": ["uid"],
    "email": ["mail"],
}


@pytest.fixture
def saml(settings, tmp_path):
    """The company's provider speaks SAML."""
    set_provider(settings, tmp_path)
    set_app(settings)
    return settings


def set_provider(settings, folder, sign_in: str = provider.SIGN_IN) -> None:
    file = folder / "metadata.xml"
    file.write_text(provider.metadata(sign_in=sign_in))
    settings.DESK_URL = provider.DESK
    settings.SAML_IDP_ENTITY_ID = provider.ENTITY_ID
    settings.SAML_IDP_METADATA_FILE = str(file)
    settings.SINGLE_SIGN_ON_ROLES = frozenset({("kyc-staff", roles.ANALYST)})


def set_app(settings, **options: object) -> None:
    """What settings.py makes of the environment for django-allauth."""
    app = {
        "provider_id": provider.ENTITY_ID,
        "client_id": "company",
        "name": "Example SSO",
        "settings": {
            "attribute_mapping": ATTRIBUTES,
            "verified_email": ["example.com"],
            **options,
        },
    }
    settings.SOCIALACCOUNT_PROVIDERS = {"saml": {"APPS": [app]}}
