"""Slash commands and the panels that they open."""
