"""What published totals alone can say about how they came about."""
