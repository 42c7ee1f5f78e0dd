"""Pages of the risk policy: versions, editor, and trials of a version."""
