"""Submits cases like the form does: `python -m bench.submit AGENT COUNT`."""

from __future__ import annotations

import sys
import time

import django


def main() -> None:
    django.setup()
    from django.contrib.auth.models import User

    from compliance.work.timing import COALESCE_SECONDS
    from reviews.intake import cases
    from reviews.models import Agent

    actor = User.objects.get(username="bench")
    agent = Agent.objects.select_related("connection").get(pk=sys.argv[1])
    for number in range(int(sys.argv[2])):
        name = f"Business {number} Ltd"
        cases.submit(
            actor=actor,
            agent=agent,
            subject=name,
            country="GB",
            data={"business_name": name, "website": f"https://b{number}.example"},
            documents=[],
        )
    time.sleep(2 * COALESCE_SECONDS)  # wait for the last wake-up of the worker


if __name__ == "__main__":
    main()
