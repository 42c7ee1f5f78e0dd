"""Endpoints for control: audit trail and reports, privacy, policies."""
