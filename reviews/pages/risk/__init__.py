"""Pages of the risk policy: its versions, the editor, and what a version would change."""
