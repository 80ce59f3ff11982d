"""Measuring ourselves and others on the same pages."""
