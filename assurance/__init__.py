"""Checks what the project claims about its own code and packages: rules, package list, audit.

`make check`, `make sbom` and `make audit` run it. It is not installed with the product.
"""
