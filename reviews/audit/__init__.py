"""The audit trail: lines chained by hashes, their anchors, and the triggers that protect them.

Every function that changes a case records a line here. Nothing updates or deletes a line.
"""
