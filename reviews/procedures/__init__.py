"""Procedures: fields of one's own and a checklist for each kind of case, in versions.

Intake, decisions and the faces call it. It never decides a case, and asks no service.
"""
