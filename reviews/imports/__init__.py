"""Import of cases from a file: read, mapped, checked as a whole, then opened in the background."""
