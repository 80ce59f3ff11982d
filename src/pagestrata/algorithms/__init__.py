"""The published methods, one paper a file. Each reads a `Page` and cuts it into sections; none knows another."""
