"""The page of a user's inbox. It calls functions of `reviews.inbox` and holds no rules."""
