"""Diagnosis of judgements: findings that could mislead, one module per finding (or family)."""
