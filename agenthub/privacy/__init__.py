"""Privacy at the hub: the data map, and the erasure of one applicant for one account.

The interface calls it. It never touches data of other accounts."""
