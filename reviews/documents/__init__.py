"""Documents of cases: kept with their hash, sent by signed links, drawn page by page.

Intake, jobs and the faces call it. It reads no words for a verdict: the hub does.
"""
