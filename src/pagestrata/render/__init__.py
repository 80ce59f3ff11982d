"""Renderers: the kept part of a page as text, Markdown, HTML, JSON or XML."""
