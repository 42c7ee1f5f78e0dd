"""Numbers of people, companies, vessels and wallets: their kinds, their normal forms, when two are
the same, and which members of attested data hold them.

The records of screening and the readers of lists call it. It asks no list and no database.
"""
