"""Sections from a site's tree regular expression (Mehta and Madaan, WWW 2008).

`skeleton`, `labels`, `features` and `structure` say what of a page counts, `fold` how siblings are
compared, `growth` grows the `tree`, `frozen` freezes it, `match`, `noise` and `sections` read pages with it,
`expression` writes and reads it, `template` puts all of these together. `loops` are compiled.

Follows the paper where it decides: supports, noise confidence, the threshold of node support, sections from the
uppermost `*`, Cond1 to Cond3, importance. All else is ours and named in docs/papers/template.md: likeness, alignment,
periods, choices for medleys, masked texts, the rule for pages of the sample, leaves known by their path, and that
sections are cut further where some lines repeat and others do not (`cut_mixed`).
"""

from pagestrata.algorithms.template.match import Match
from pagestrata.algorithms.template.structure import Structure, structure_of
from pagestrata.algorithms.template.template import (
    Template,
    TemplateBuilder,
    TemplateLearner,
    read_expression,
    template_published,
)

__all__ = [
    "Match",
    "Structure",
    "Template",
    "TemplateBuilder",
    "TemplateLearner",
    "read_expression",
    "structure_of",
    "template_published",
]
