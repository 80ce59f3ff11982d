"""Links of the text: how many of them lead to the page's own site."""

import numpy as np

from pagestrata.landmarks import Floats, covered, running_sum
from pagestrata.page import tags
from pagestrata.page.hosts import host_in, own_host
from pagestrata.page.page import Page


def inward_links(page: Page, core: int) -> Floats:
    """Return the share of the link text of each block that leads to the page's own site; 1 for a block without links.

    A list of links to other sites in the text is part of the content. Links outside of the core are not checked.
    """
    outward = outward_links(page, core)
    if not outward:
        return np.ones(len(page.blocks))
    nodes, blocks = page.nodes, page.blocks
    leads_out = covered(page, np.array(outward, np.intp)) > 0
    outward_sums = running_sum(
        np.where(nodes.is_text & nodes.in_link & leads_out, nodes.text_end - nodes.text_start, 0)
    )
    outward_characters = outward_sums[blocks.node_end] - outward_sums[blocks.node_start]
    return np.asarray(1 - outward_characters / np.maximum(1, blocks.link_characters), np.float64).clip(0, 1)


def outward_links(page: Page, core: int) -> list[int]:
    """Return the links in a container, or around it, that lead to another site."""
    page_host = host_in(page.url or "") or own_host(page, [host_in(target) for _, target in page.links])
    hosts = ((node, host_in(target)) for node, target in links_inside(page, core))
    return [node for node, host in hosts if host and host != page_host and not host.endswith("." + page_host)]


def links_inside(page: Page, core: int) -> list[tuple[int, str]]:
    """Return the links in a container with their targets; all of the page if the container is itself in a link."""
    nodes = page.nodes
    if not len(nodes) or nodes.in_link[core]:
        return page.links
    end = int(nodes.end[core])
    if not page.url:  # all links are read already, to find the host of the page
        return [link for link in page.links if core <= link[0] < end]
    is_anchor = nodes.tag == tags.TAG["a"]
    return [(node, target) for node, target in page.values_of("href", among=range(core, end)) if is_anchor[node]]
