"""Whether the website of a business is there, and is its own."""
