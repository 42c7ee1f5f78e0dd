"""Creates accounts of the hub, each with an API key and an agent of each kind.

`python -m bench.fair_hub_seed COUNT` prints the API keys as JSON. The agents of account 3 are
"kyb-3" and "kyc-3".
"""

from __future__ import annotations

import json
import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")


def _make(count: int) -> list[str]:
    from agenthub.accounts import api_keys
    from agenthub.models import Account, Agent

    keys = []
    for number in range(count):
        account = Account.objects.create(name=f"Account {number}")
        _, key = api_keys.create(account, name="bench")
        keys.append(key)
        for kind, check in (
            ("kyb", "kyb.incorporation_document_verification"),
            ("kyc", "kyc.date_of_birth"),
        ):
            Agent.objects.create(
                account=account,
                key=f"{kind}-{number}",
                name=kind,
                kind=kind,
                checks=[{"check_id": check}],
            )
    return keys


if __name__ == "__main__":
    django.setup()
    print(json.dumps(_make(int(sys.argv[1]))))
