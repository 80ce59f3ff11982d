"""What is known of a site: learned from a few of its pages, kept as data that a person can read and edit."""
