"""Who owns and who controls a business, in plain Python: exact sums over a graph of holdings.

The desk may call it. It imports no Django and nothing else of this project, reads no settings and
writes nowhere. A share is a fraction of one, as an interval where it is not known exactly.
"""
