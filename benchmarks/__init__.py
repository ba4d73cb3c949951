"""Ours and the peer's on the same data in one run: `make bench`, or `python -m benchmarks NAME`."""
