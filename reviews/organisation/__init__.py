"""Who the sender of requests is: name, contact, colours and logo of the organisation.

The pages and mails for applicants call it. It knows nothing of cases.
"""
