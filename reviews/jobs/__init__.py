"""Jobs at a service: they are sent and polled, and their results update the case.

Tasks and the webhook receiver call this package. Only a confirmed answer of the service ends a
job.
"""
