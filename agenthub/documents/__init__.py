"""Documents of jobs: fetched, uploaded, what was read from them, and their fingerprints.

Jobs and the interface call it. It judges no document: checks do.
"""
