"""Documents of jobs: fetching, uploads, extracted facts, fingerprints, quarantine.

Jobs and the interface call it. It does not assess documents: checks do.
"""
