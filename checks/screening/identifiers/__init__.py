"""Numbers of people, companies, vessels and wallets: their kinds and normal forms, when two are the
same, and which members of attested data contain them.

The records of screening and the readers of lists use it. It needs no list and no database.
"""
