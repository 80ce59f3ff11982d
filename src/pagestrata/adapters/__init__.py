"""Doors in other people's tools: each file needs one of them, and is loaded by those only who use it."""
