"""Cases that begin with the applicant: invitations, and the forms that they open.

Pages call it. It opens cases by the verbs of reviews/intake alone.
"""
