"""Records for later: the report of a case, the signed evidence pack, the report of a period.

Pages and the REST interface call this package. It changes no case; it only records in the trail
who took a file.
"""
