"""What stands at the top until the inspector does: which doors there are."""

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

router = APIRouter(include_in_schema=False)

_PAGE = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>pagestrata</title>
<h1>pagestrata</h1>
<p>POST a page as JSON to <code>/extract</code> or <code>/sections</code>, pages of a site to <code>/learn</code>;
<a href="/sites">/sites</a> lists what was learned. Language models connect to <code>/mcp</code>.
<p><a href="/openapi.json">OpenAPI</a>, <a href="/health">health</a>, <a href="/metrics">metrics</a>.
</html>
"""


@router.get("/")
async def landing() -> HTMLResponse:
    """A page for people."""
    return HTMLResponse(_PAGE)
