"""The factor of listed owners: its value, and the cases that it concerns when owners change."""
