"""Reports to an authority: the draft with its evidence, the second person, the file, the deadline.

The faces call it. It sends nothing anywhere, and decides no case.
"""
