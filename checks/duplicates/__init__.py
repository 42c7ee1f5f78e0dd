"""Other cases of the same account that may be of the same person or business."""
