"""Cases that the applicant starts: invitations, and the forms behind their links.

Pages call it. It opens cases only through reviews/intake.
"""
