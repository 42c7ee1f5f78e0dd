"""The pages of privacy: rules, holds and erasures of all cases, and those of one. They show, and call
reviews.privacy; they hold no rules of their own."""
