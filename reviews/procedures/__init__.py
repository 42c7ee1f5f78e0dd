"""Procedures: custom fields and a checklist for each kind of case, in versions.

Intake, decisions and the faces call it. It never decides a case and calls no service.
"""
