"""What lies over the words of a page: things drawn later, clips, masks, patches on scans, annotations."""
