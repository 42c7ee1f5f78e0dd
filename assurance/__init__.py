"""What the project states of its own code and packages: rules, the list of packages, the audit.

`make check`, `make sbom` and `make audit` run it. It is no part of an installation, and imports nothing
of ours.
"""
