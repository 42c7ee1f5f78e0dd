"""Documents of cases: stored with their hash, offered by signed URLs, drawn page by page.

Intake, jobs and the faces call it. It does not judge the text of a document: the hub does.
"""
