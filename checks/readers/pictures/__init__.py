"""Reads a picture file: frames, metadata, camera data, traces of editing in its pixels.

The evidence and the indicators use it. It returns facts, and never says that a picture is forged.
"""
