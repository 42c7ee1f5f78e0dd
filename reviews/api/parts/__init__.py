"""The parts of the description: bodies, answers by subject, webhooks and examples."""
