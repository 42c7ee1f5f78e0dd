"""Agents: the checks they run, and what a case must bring before Approve.

Jobs, pages and the interface call it. It reads no document and sends nothing.
"""
