"""The loop that cuts a page into the largest elements whose blocks are of one kind, and runs of small elements.

Compiled with the types in `_cut.pxd` where there is a compiler, interpreted unchanged where there is none.
"""


def cut(end, container, first_block, node_end, kind, changes, waiting, starts, ends):
    """Write the ranges of nodes that the page is cut into to `starts` and `ends`; return how many there are.

    An element whose blocks are all of one `kind` is one range. Another is cut into its children, and small neighbours
    of one kind among these form a run. A block belongs to the range that it begins in, so that no line is split. Ranges
    are not sorted; `waiting`, `starts` and `ends` have room for one number per node, `changes` for one per block.
    """
    count, size = 0, 1
    for b in range(1, len(kind)):
        changes[b] = changes[b - 1] + (kind[b] != kind[b - 1])
    waiting[0] = 0
    while size > 0:
        size -= 1
        node = waiting[size]
        child, stop = node + 1, end[node]
        run_start = run_end = -1
        while child < stop:
            after = end[child]
            first, last = first_block[child], first_block[after]
            if first < last:
                is_uniform = changes[last - 1] == changes[first]
                is_small = container[child] != child or last - first == 1
                joins = is_uniform and is_small and run_start >= 0 and kind[first_block[run_start]] == kind[first]
                if run_start >= 0 and not joins:
                    starts[count], ends[count] = run_start, run_end
                    count += 1
                    run_start = -1
                if not is_uniform:
                    waiting[size] = child
                    size += 1
                elif is_small:
                    run_start, run_end = (run_start if joins else child), after
                else:
                    starts[count], ends[count] = child, after
                    count += 1
            child = after
        if run_start >= 0:
            starts[count], ends[count] = run_start, run_end
            count += 1
    for i in range(count):
        first, last = first_block[starts[i]], first_block[ends[i]]
        if first > 0:
            starts[i] = max(starts[i], node_end[first - 1])
        ends[i] = max(ends[i], node_end[last - 1])
    return count
