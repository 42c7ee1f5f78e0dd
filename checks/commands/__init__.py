"""The command line `python -m checks`, for a program or a person.

Only `checks/__main__.py` calls it. It reads files and prints results. The examination itself is
done by the checks.
"""
