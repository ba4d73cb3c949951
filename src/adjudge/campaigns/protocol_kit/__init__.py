"""Shared parts of protocols."""
