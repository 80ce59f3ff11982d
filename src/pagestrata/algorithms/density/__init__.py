"""Article, comments or many areas, from one styled and weighted tree: the SD Algorithm (Pappas et al., 2012).

The densest region of a page that has a title is its article; regions beside it that contain comments are comments;
several equal ones make a page of multiple areas. Steps and words are the paper's. What it leaves open, and our answers:

- A region's density is the text merged into it, not that of its subtree, or the outermost node would always win.
  Lists, tables and code amid running text are merged into that text.
- What is mostly links, or in a form, is never the article.
- Regions whose titles lead to other pages of the site are teasers: multiple areas, and never the article.
- The paper's keywords find the word "user" in any article, and "Leave a reply" where nobody did. So a comment is also
  signed: a short line beside it says when it was written. Then one further sign will do: a keyword in its names or
  those around it, in its title or in a line beside it; a box to write in; another comment like it. Names are a help,
  not a need.
- A comment may be denser than the article, and does not compete with it.
- Article and comments have a common parent below `body`, or are children of `body` both.
- The strong tags are those named in `page.content_blocks`: the paper's table, tr, div, ul, tbody, and today's likes.
- Several candidates are multiple areas if they are on one level and of one group.

`tree` builds the regions, `decide` decides with `teasers` and `comments`, `published` decides as the paper does,
`sections` turns regions into sections, `method` puts these together.
"""

from pagestrata.algorithms.density.method import MEASURES, Density, density_published, fit
from pagestrata.algorithms.density.regions import PageKind, Region, Regions

__all__ = ["MEASURES", "Density", "PageKind", "Region", "Regions", "density_published", "fit"]
