"""Other cases of the same account that seem to be of the same person or business."""
