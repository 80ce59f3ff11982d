"""Adapters for other tools: each module needs one of them, and is loaded only by its users."""
