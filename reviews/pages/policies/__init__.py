"""Pages of the decision policy: its versions, the editor, what-ifs, and the switch."""
