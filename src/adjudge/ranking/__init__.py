"""Ranking methods, one module each, and rankings with their uncertainty."""
