"""What replaces words of a page without leaving them in its text: clips, masks and patches on scans."""
