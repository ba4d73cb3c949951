"""Ranking methods, one module each; a module takes part by defining `METHOD`."""
