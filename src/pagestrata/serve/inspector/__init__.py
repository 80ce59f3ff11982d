"""The inspector shows a page with its sections and why each is kept, and a site with its template."""
