"""Privacy at the hub: what it holds of people, and the erasure of one applicant of one account. The
interface calls it. It never touches what another account has."""
