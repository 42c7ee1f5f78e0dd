"""What the middleware and error handlers do with responses."""
