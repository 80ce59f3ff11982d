"""The same as a service over HTTP: pages in, sections out, for many clients that do not trust each other."""
