"""Who works on what and until when: assignment, SLA, presence, notes.

The queue and the faces call it. It decides nothing.
"""
