"""The steps of reading one reply: each is pure, bounded and linear."""
