"""The pages of parties: the list of all, and one party with its picture. Views only; the rules are
in reviews.parties."""
