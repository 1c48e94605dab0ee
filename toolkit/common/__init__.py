"""What every package needs at its door: strict YAML, strict models, UTF-8, near misses."""
