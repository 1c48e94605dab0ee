"""A judge is asked the item's own question; it informs and never grades."""
