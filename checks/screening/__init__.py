"""Screening: names in, explained matches out.

`engine.screen(subject, lists)` is the way in. Lists are behind the Protocol `lists.Lists`; the
hub implements it on its tables, `lists.MemoryLists` in memory. Nothing here asks another server.
"""
