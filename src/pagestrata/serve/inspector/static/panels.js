// The panels on the right: facts, the reasons of a section, rendered text, metadata, limits, differences.

import { h, signalBars } from "inspector/charts.js";
import { ink, rgb } from "inspector/scale.js";

export const count = (number, thing) => `${number.toLocaleString("en")} ${thing}${number === 1 ? "" : "s"}`;

export function chip(importance) {
  const element = h("span", { class: "chip" }, importance.toFixed(2));
  element.style.background = rgb(importance);
  element.style.color = ink(importance);
  return element;
}

export function facts(view, kept) {
  const { words, parent } = view.sections;
  const isLeaf = leavesOf(parent);
  const all = sum(words, (i) => isLeaf[i]), chosen = sum(words, (i) => isLeaf[i] && kept[i]);
  return [
    h("h2", {}, view.title || "Page without a title"),
    h("p", {},
      h("b", {}, `${all ? Math.round((100 * chosen) / all) : 0}%`), ` of ${count(all, "word")} kept · `,
      `${count(isLeaf.filter(Boolean).length, "section")} · `,
      view.page_type === "unknown" ? null : `${view.page_type} · `,
      `confidence ${view.confidence.toFixed(2)}`,
      view.learned_from ? ` · learned from ${view.learned_from}` : null),
    view.reason ? h("p", { class: "reason" }, view.reason) : null,
  ].filter(Boolean);
}

const sum = (values, wanted) => values.reduce((total, value, i) => total + (wanted(i) ? value : 0), 0);

export function leavesOf(parent) {
  const isLeaf = new Array(parent.length).fill(true);
  for (const above of parent) if (above >= 0) isLeaf[above] = false;
  return isLeaf;
}

// Which sections a threshold keeps; a parent is kept if one of its children is.
export function keptBy(sections, keepFrom) {
  if (keepFrom === null) return sections.kept;
  const isLeaf = leavesOf(sections.parent);
  const kept = sections.kept.map((was, i) => isLeaf[i] && (sections.fixed[i] ? was : sections.importance[i] >= keepFrom));
  for (let i = kept.length - 1; i > 0; i--) if (kept[i] && sections.parent[i] >= 0) kept[sections.parent[i]] = true;
  return kept;
}

export function keptBlocks(sections, kept) {
  const blocks = [];
  const isLeaf = leavesOf(sections.parent);
  sections.kept.forEach((_, i) => {
    if (!isLeaf[i]) return;
    for (let block = sections.block_start[i]; block < sections.block_end[i]; block++) blocks[block] = kept[i];
  });
  return blocks;
}

export function snippet(copy, sections, i, length = 90) {
  for (let block = sections.block_start[i]; block < sections.block_end[i]; block++) {
    if (copy.blocks[block]) return copy.blocks[block].slice(0, length);
  }
  return "";
}

export function sectionRow(copy, view, kept) {
  const { role, importance, words } = view.sections;
  return (i) => [
    h("span", { class: kept[i] ? "state-kept" : "state-dropped", title: kept[i] ? "kept" : "not kept" },
      h("span", { "aria-hidden": "true" }, kept[i] ? "●" : "○"), h("span", { class: "unseen" }, kept[i] ? "kept" : "not kept")),
    chip(importance[i]),
    h("span", { class: "role" }, role[i]),
    h("span", { class: "start" }, snippet(copy, view.sections, i)),
    h("span", { class: "words", title: "words" }, words[i].toLocaleString("en")),
  ];
}

export function why(view, kept, i, editing) {
  if (i < 0) return [h("p", { class: "hint" }, "Select a section on the page or in the list to see why it is kept or not.")];
  const { role, importance, reasons, signals, xpath, words } = view.sections;
  return [
    h("h3", {}, chip(importance[i]), ` ${role[i]} `, h("span", { class: kept[i] ? "verdict yes" : "verdict no" }, kept[i] ? "kept" : "not kept"),
      h("small", {}, count(words[i], "word"))),
    h("code", { class: "path" }, xpath[i]),
    ...(editing ? editing(i) : []),
    h("ul", { class: "reasons" }, ...reasons[i].map((reason) => h("li", {}, reason))),
    Object.keys(signals[i]).length ? h("h4", {}, "Signals", h("small", {}, view.method === "engine" ? "log odds" : "the method's own numbers")) : null,
    Object.keys(signals[i]).length ? signalBars(signals[i]) : null,
  ].filter(Boolean);
}

export const written = (text, kind) => h("pre", { class: `written ${kind}`, tabindex: 0 }, text || "Nothing is kept.");

export function metadata(view) {
  const rows = Object.entries(view.metadata);
  if (!rows.length) return h("p", { class: "hint" }, "The page has no metadata.");
  return h("div", { class: "table", tabindex: 0, role: "region", "aria-label": "Metadata" }, h("table", {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Field"), h("th", { scope: "col" }, "Value"), h("th", { scope: "col" }, "Source"))),
    h("tbody", {}, ...rows.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name.replaceAll("_", " ")),
      h("td", {}, [].concat(value).join(" · ")), h("td", {}, h("span", { class: "source" }, view.metadata_sources[name] ?? "")))))));
}

export function limits(view) {
  const limitsHit = view.limits.map((limit) => h("li", {}, h("b", {}, limit.name),
    ` ${limit.found.toLocaleString("en")} where ${limit.allowed.toLocaleString("en")} are allowed: ${limit.effect}`));
  return h("div", { class: "notes", tabindex: 0, role: "region", "aria-label": "Limits and warnings" },
    h("h3", {}, "Limits"), limitsHit.length ? h("ul", {}, ...limitsHit) : h("p", { class: "hint" }, "No limit was hit: the page was read to its end."),
    h("h3", {}, "Warnings"), view.warnings.length ? h("ul", {}, ...view.warnings.map((warning) => h("li", {}, warning))) : h("p", { class: "hint" }, "None."),
    h("h3", {}, "Read as"), h("p", {}, view.encoding, view.url ? ` · ${view.url}` : "", view.source ? ` · ${view.source}` : ""));
}
