"""Reports to an authority: draft with evidence, approval by a second person, file, deadline.

The faces call it. It sends nothing, and decides no case.
"""
