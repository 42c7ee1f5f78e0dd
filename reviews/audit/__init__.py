"""The audit trail: lines bound by hash, and the triggers that keep rows as they are.

Every verb that changes a case calls it. Nobody changes or removes a line.
"""
