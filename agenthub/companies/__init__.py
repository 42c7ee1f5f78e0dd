"""Registers of companies, and lists of registered-agent addresses, loaded into this installation.

Checks query them through the lookups of a job. Nothing here queries a register over the network.
"""
