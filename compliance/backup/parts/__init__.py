"""What a backup has, one module for each kind: how it is read here, and how it is written back.

The modules above call it. It decides nothing about when or whether.
"""
