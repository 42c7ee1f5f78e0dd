"""The timings of the workers in one place: at most eight, each in seconds.

What an operator may want to change (the lease, the sweep of Celery's beat) is in settings.py.
"""

from __future__ import annotations

# Notifications for one queue within this time are one message, because the webhooks of a job arrive
# together. The first is sent at once. A person does not notice so short a delay.
COALESCE_SECONDS = 0.02
# A task claims and handles rows for this long, then notifies another worker for the rest. A worker
# that shuts down waits for its tasks, so this is also how long a restart may take.
DRAIN_SECONDS = 20.0
# Without a broker: how often a worker checks whether another process wrote to the database. The
# check costs microseconds on SQLite. A lost notification is delayed by half of this on average.
POLL_SECONDS = 0.05
# Without a broker: how often a worker looks for rows that became due by time alone, such as the
# next attempt of a webhook. Their delays are minutes and hours: one more second does not matter.
SWEEP_SECONDS = 1.0
# While a child process reads a document: how often its parent renews the lease and checks whether
# to stop. Far below the shortest sensible lease.
TICK_SECONDS = 1.0
# A receiver whose last response took longer than this is slow: only one thread waits for it. Most
# receivers answer within half a second.
SLOW_RECEIVER_SECONDS = 2.0
# How long a delivery is postponed while another thread waits for the same slow receiver. At most
# one attempt to it runs at a time, and an attempt takes up to ten seconds.
POSTPONE_SECONDS = 5.0
# Results of a job's short checks that end within this time are written in one transaction. Writing
# each by itself takes longer than most of these checks.
GROUP_RESULTS_SECONDS = 0.05
