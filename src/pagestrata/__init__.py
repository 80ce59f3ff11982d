"""Cuts web pages into sections, says how important each one is and why, and gives back the clean content."""
