"""From scores to a decision, one step a file. The engine and the site method take the same steps."""
