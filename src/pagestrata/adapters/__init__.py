"""Adapters for other frameworks; each module needs the framework it is named after."""
