"""Who works on which case and until when: assignment, SLA, presence, notes.

The queue and the faces call it. It decides no case.
"""
