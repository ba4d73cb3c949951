"""The grain of salt: what in these judgements could mislead. One module a finding (or family)."""
