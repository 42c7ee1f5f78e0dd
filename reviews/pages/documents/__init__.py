"""Pages for documents and the images of their pages, for users who may see the case.

URLs lead here. They change documents only by calling the rooms.
"""
