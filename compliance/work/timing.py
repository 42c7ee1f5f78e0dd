"""The times of the workers: all that are tuned stand here, at most eight, each in seconds.

What an operator may want to change (the lease, the sweep of Celery's beat) is in settings.py.
"""

from __future__ import annotations

# Wake-ups for one queue within this time are one message, because the webhooks of a job come
# together. The first of them is sent at once. A person does not notice so short a delay.
COALESCE_SECONDS = 0.02
# A task claims and works for so long, then wakes another worker for the rest. A worker that has to
# stop waits for its tasks, so this is also how long a restart may take.
DRAIN_SECONDS = 20.0
# Without a broker: how often a worker checks whether another process wrote to the database. The
# check costs microseconds on SQLite, and half of this time is added to a wake-up that was lost.
POLL_SECONDS = 0.05
# Without a broker: how often a worker looks for rows that became due by time alone, such as the
# next attempt of a webhook. Their times are minutes and hours: a second more does not matter.
SWEEP_SECONDS = 1.0
# While a child process reads a document: how often its parent renews the lease and checks whether
# it has to stop. Far below the shortest lease that makes sense.
TICK_SECONDS = 1.0
# A receiver whose last response took longer than this is slow: only one thread waits for it. Most
# receivers answer within half a second.
SLOW_RECEIVER_SECONDS = 2.0
# How long a delivery is postponed while another thread waits for the same slow receiver. At most
# one attempt to it is under way, and an attempt takes up to ten seconds.
POSTPONE_SECONDS = 5.0
# The results of short checks of a job that end within this time are written in one transaction. To
# write each by itself takes longer than most of these checks.
GROUP_RESULTS_SECONDS = 0.05
