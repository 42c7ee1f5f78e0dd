"""Views of who controls: the trail and reports, privacy, the decision policy."""
