"""The schemas of the OpenAPI description: bodies, responses by subject, webhooks, examples."""
