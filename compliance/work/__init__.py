"""Work in the background: rows that are due, the queues that claim them, and who wakes the workers.

The apps declare their queues in their tasks.py; any module may notify. Nothing here knows what the
rows mean, and nothing here imports an app.
"""
