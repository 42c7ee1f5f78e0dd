"""What the checks found, as it counts now: runs, confirmation, dismissals, review state.

Jobs, decisions and the faces call it. It asks no service and ends no case.
"""
