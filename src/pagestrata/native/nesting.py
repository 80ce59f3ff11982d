"""The nesting of ranges of nodes. Ranges are subtrees in document order: they nest or are disjoint."""


def nest(starts, ends, outer):
    """Fill `outer` with the place of the nearest range around each range; -1 where there is none."""
    around = -1
    for i in range(len(starts)):
        while around >= 0 and ends[around] <= starts[i]:
            around = outer[around]
        outer[i] = around
        around = i


def find_innermost(starts, ends, outer, nodes, innermost):
    """Fill `innermost` with the place of the smallest range around each node, in document order; -1 for none."""
    around, following = -1, 0
    for i in range(len(nodes)):
        while following < len(starts) and starts[following] <= nodes[i]:
            around = following
            following += 1
        while around >= 0 and ends[around] <= nodes[i]:
            around = outer[around]
        innermost[i] = around
