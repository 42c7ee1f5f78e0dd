"""What is kept for later: the report of a case and the signed evidence pack.

The faces call it. It only reads.
"""
