"""The policy of decisions: its content, its versions, what-ifs, and automatic approvals.

Decisions and the faces call it. It joins the rules for a second person, and replaces none of them.
"""
