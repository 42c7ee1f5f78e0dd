"""Jobs at a service: started, polled, their results recorded, the case moved on.

Tasks and the receiver call it. Only the service's confirmed answer ends a job.
"""
