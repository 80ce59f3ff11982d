"""Models of sites: learned from a few pages of a site, kept as data that a person can read and edit."""
