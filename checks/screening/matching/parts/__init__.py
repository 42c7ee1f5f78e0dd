"""What a word of a person's name is: a title, a particle, or a name that many people have."""
