"""The quality of screening hits by the labels of people, and the screening policy.

Pages and the REST interface call this package. reviews.findings applies the thresholds.
"""
