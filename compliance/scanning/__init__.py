"""Malware scanning over ClamAV's protocol or ICAP, and the base class of rows of scans.

Apps call `scanner.scan`, and derive their rows from `rows.Scan`. It decides nothing about cases and
stores no file.
"""
