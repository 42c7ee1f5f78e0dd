"""Screening: names in, explained matches out.

`engine.screen(subject, lists)` is the way in. Lists are behind the Protocol `index.Lists`; the
hub implements it on its tables, `index.MemoryLists` in memory.
"""
