"""Agents: the checks they run, and what they require of a case before Approve.

Jobs, pages and the interface call it. It reads no document and sends nothing.
"""
