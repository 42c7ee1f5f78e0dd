"""Dates of calendars other than ours. It reads texts alone, and knows no page."""
