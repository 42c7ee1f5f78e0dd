"""Registers of companies and of registered-agent addresses that were loaded here.

Checks ask it through the lookups of a job. It visits no register over the network.
"""
