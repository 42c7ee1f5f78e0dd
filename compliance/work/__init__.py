"""Background work: due rows, the queues that claim them, and notifications of workers.

Apps declare their queues in their tasks.py; any module may notify. Nothing here knows the meaning
of the rows, and nothing here imports an app.
"""
