"""Kept nodes out again: text, Markdown, HTML, JSON, XML."""
