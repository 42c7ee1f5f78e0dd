"""How alike two names are: words aligned, sounds, scripts, misspellings, and keys to find a name.

`engine.py` calls it, and the hub to index names. It knows names alone: it reads no list, and
decides nothing about a hit.
"""
