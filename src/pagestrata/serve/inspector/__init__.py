"""The inspector: a page with its sections drawn on it, and why each is kept; a site with its template."""
