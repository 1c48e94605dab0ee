"""Runs in a process of its own: reads, validates and counts a label file, prints JSON."""

from __future__ import annotations

import json
import resource
import sys
import time

import toolkit as tk


def main() -> None:
    """Take the label file and the schema file as arguments; print seconds and peak memory in MB."""
    path, schema = sys.argv[1:]
    # Loaded here: what importing takes is a line of its own.
    read_labels, agreement = tk.read_labels, tk.agreement
    start = time.perf_counter()
    labels = read_labels(path, schema=schema)
    read = time.perf_counter()
    agreement(labels)
    counted = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Linux counts kilobytes, macOS bytes.
    megabytes = peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6
    print(json.dumps({"read": read - start, "all": counted - start, "megabytes": megabytes}))


if __name__ == "__main__":
    main()
