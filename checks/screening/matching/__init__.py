"""How similar two names are: aligned words, sounds, scripts, misspellings, and keys to find a name.

`engine.py` calls it, and the hub uses it to index names. It only knows names: it reads no list, and
decides nothing about a hit.
"""
