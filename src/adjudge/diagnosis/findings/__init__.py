"""What could mislead, one module a finding (or family), found by its `FINDING`."""
