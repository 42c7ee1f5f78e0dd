"""The rows of owners and officers in the form of a business. The forms call it."""
