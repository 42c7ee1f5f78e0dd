"""Documents that show where money comes from."""
