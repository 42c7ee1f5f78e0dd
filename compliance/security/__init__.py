"""Security: encryption, sign-in, isolation, bearer keys, logs.

Apps and settings call it. It imports no app and stores nothing of its own but hashes.
"""
