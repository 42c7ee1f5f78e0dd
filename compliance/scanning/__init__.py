"""The malware scanner: what it answers about a file, over ClamAV's protocol or ICAP, and rows of scans.

Apps call `scanner.scan` and make their rows from `rows.Scan`. It decides nothing about cases, and stores no file.
"""
