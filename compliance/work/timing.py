"""The times of the workers, all of them. The length of a lease and the sweep are settings."""

from __future__ import annotations

# Wake-ups for one queue within so many seconds are one message: the webhooks of a job come
# together. The first is sent at once.
COALESCE_SECONDS = 0.02
# A task claims and works for so long, then wakes another worker for the rest. A worker that is told
# to stop waits for it.
DRAIN_SECONDS = 20.0
# Without a broker: between two looks whether another process has written to the database.
POLL_SECONDS = 0.05
# Without a broker: between two looks for rows that became due by the time alone.
SWEEP_SECONDS = 1.0
