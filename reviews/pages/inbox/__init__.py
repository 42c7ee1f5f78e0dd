"""The page of a person's inbox. It calls the verbs of `reviews.inbox`, and holds no rules."""
