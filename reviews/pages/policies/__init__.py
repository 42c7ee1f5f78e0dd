"""Pages of the decision policy: versions, editor, trials (what-ifs), and the switch."""
