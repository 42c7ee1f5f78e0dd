"""The report and the evidence pack of a case.

URLs lead here. They only read.
"""
