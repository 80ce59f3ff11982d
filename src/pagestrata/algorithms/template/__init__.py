"""Sections from a site's tree regular expression (Mehta and Madaan, WWW 2008)."""

from pagestrata.algorithms.template.expression import read_expression
from pagestrata.algorithms.template.learn import TemplateBuilder, TemplateLearner
from pagestrata.algorithms.template.match import Match
from pagestrata.algorithms.template.structure import Structure, structure_of
from pagestrata.algorithms.template.template import Template

__all__ = [
    "Match",
    "Structure",
    "Template",
    "TemplateBuilder",
    "TemplateLearner",
    "read_expression",
    "structure_of",
]
