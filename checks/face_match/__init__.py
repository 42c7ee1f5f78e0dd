"""Whether the face on an ID is that of the person, as far as two pictures can show."""
