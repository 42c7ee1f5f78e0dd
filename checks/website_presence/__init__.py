"""Whether the website of a business exists and is its own."""
