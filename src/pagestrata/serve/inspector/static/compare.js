// Comparisons: what a page can be compared with, the other side, and the difference as text in colour.

import { h } from "inspector/charts.js";
import { keptBlocks, keptBy } from "inspector/panels.js";
import * as source from "inspector/source.js";

const SAME_SHOWN = 160;
const TEXT_SHOWN = 1200;
const ROWS_SHOWN = 2000;
const WELL_KNOWN = ["trafilatura", "readability-lxml", "resiliparse"];
const SIGNS = { same: "", lost: "−", extra: "+", moved: "↕", changed: "~", title: "~" };

// Other methods, other extractors, other versions of the page; as options of a list.
export function choices(opening, shortName) {
  const group = (label, rows) => (rows.length ? [h("optgroup", { label }, ...rows.map(([value, text]) => h("option", { value }, text)))] : []);
  const pages = opening.pages.map((name, i) => [`version ${i}`, shortName(name)]);
  const versions = source.isReport ? pages.filter((_, i) => i === opening.against) : pages.length < 2 ? [] : pages;
  return [
    ...group("Methods", opening.methods.map((name) => [`method ${name}`, name])),
    ...group("Other extractors", (opening.peers ?? []).map((name) => [`peer ${name}`, name])),
    ...group("Another version", versions),
  ];
}

// What Compare opens with: the other version, or else an extractor that is in wide use, or else the method most like one.
export function firstChoice({ methods, peers = [], against }) {
  if (against != null) return `version ${against}`;
  const peer = WELL_KNOWN.find((name) => peers.includes(name)) ?? peers[0];
  return peer ? `peer ${peer}` : `method ${methods.includes("density") ? "density" : methods[1]}`;
}

// The other side of a comparison: its page and sections, and for other extractors and versions the difference.
export async function readOther(state, copy, one) {
  const [kind, name] = state.other.split(/ (.*)/);
  if (kind === "method") return { kind, copy, view: await source.view({ ...state, method: name }) };
  if (kind === "peer") {
    const peer = await source.peer(state, name), kept = keptBy(one.sections, state.keepFrom);
    return { kind, copy, peer, ...peerView(one, copy, peer, kept) };
  }
  const page = Number(name);
  const [itsCopy, view, changes] = await Promise.all([source.copy(page), source.view({ ...state, page }), source.changes(state, page)]);
  return { kind, copy: itsCopy, view, changes };
}

// The difference of two sides, and for each the sections most of whose words differ.
export function differ({ copy, first, second, kept, keptSecond, other }) {
  if (other.kind === "version") {
    const changed = other.changes.passages.filter(({ kind }) => kind !== "same");
    return {
      difference: { ...other.changes, rows: joined(other.changes.passages) },
      differing: [
        differingSections(copy, first.sections, new Set(changed.map(({ block }) => block))),
        differingSections(other.copy, second.sections, new Set(changed.map((each) => each.other_block))),
      ],
    };
  }
  const one = keptBlocks(first.sections, kept), two = other.blocks ?? keptBlocks(second.sections, keptSecond);
  const changed = new Set([...copy.words.keys()].filter((block) => Boolean(one[block]) !== Boolean(two[block])));
  const counted = other.peer ? { words: other.peer.words, agreement: other.peer.agreement } : {};
  return {
    difference: { ...blockDifference(copy, one, two), ...counted },
    differing: [first, second].map(({ sections }) => differingSections(copy, sections, changed)),
  };
}

// Passages that both versions have in a row are one.
function joined(passages) {
  const rows = [];
  for (const passage of passages) {
    const last = rows[rows.length - 1];
    if (last?.kind === "same" && passage.kind === "same") last.text += "\n" + passage.text;
    else rows.push({ ...passage });
  }
  return rows;
}

function differingSections(copy, { block_start, block_end }, changed) {
  const differing = new Set();
  block_start.forEach((from, i) => {
    const [words, changedWords] = wordsOf(copy, from, block_end[i], (block) => changed.has(block));
    if (words && changedWords * 2 > words) differing.add(i);
  });
  return differing;
}

// How many words a run of blocks has, and how many of them are in blocks that meet a condition.
function wordsOf(copy, start, end, meets) {
  let words = 0, some = 0;
  for (let block = start; block < end; block++) {
    words += copy.words[block];
    if (meets(block)) some += copy.words[block];
  }
  return [words, some];
}

// What only the first of two keeps ("lost"), what only the second keeps ("extra"), and what both keep ("same").
function blockDifference(copy, first, second) {
  const rows = [], words = { same: 0, lost: 0, extra: 0 };
  copy.words.forEach((count, block) => {
    const one = Boolean(first[block]), other = Boolean(second[block]);
    if (!count || !(one || other)) return;
    const kind = one && other ? "same" : one ? "lost" : "extra";
    words[kind] += count;
    const last = rows[rows.length - 1];
    if (last?.kind === kind) last.text += "\n" + copy.blocks[block];
    else rows.push({ kind, text: copy.blocks[block], block });
  });
  const { same, lost, extra } = words;
  return { rows, words, agreement: same ? (2 * same) / (2 * same + lost + extra) : Number(!lost && !extra) };
}

// A difference as text in colour; `labels` say what only the first and only the second side has.
export function differenceRows({ rows, words, agreement }, labels, onSelect) {
  const figure = (label, value, kind = "") => h("div", { class: kind }, h("dt", {}, label), h("dd", {}, value));
  const label = { same: "both", lost: labels[0], extra: labels[1], moved: "moved", changed: "changed", title: "title" };
  const row = (each) => h("li", { class: each.kind, tabindex: 0, title: label[each.kind], onclick: () => onSelect(each),
    onkeydown: (event) => event.key === "Enter" && onSelect(each) },
  h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[each.kind]), h("span", { class: "unseen" }, `${label[each.kind]}: `),
  ...(each.pieces?.length ? each.pieces.flatMap(([kind, text]) => [h(kind === "lost" ? "del" : kind === "extra" ? "ins" : "span", {}, text), " "]) : [shortened(each)]));
  return [
    h("dl", { class: "agreement" }, figure("agreement", agreement.toFixed(3)), figure("in both", words.same.toLocaleString("en")),
      figure(`− ${label.lost}`, words.lost.toLocaleString("en"), "lost"), figure(`+ ${label.extra}`, words.extra.toLocaleString("en"), "extra")),
    rows.some(({ kind }) => kind !== "same") ? h("ol", { class: "difference" }, ...rows.slice(0, ROWS_SHOWN).map(row))
      : h("p", { class: "hint" }, "Both keep the same words."),
  ];
}

// One line of what both keep, all lines of what only one of them keeps.
function shortened(row) {
  const isSame = row.kind === "same";
  const most = isSame ? SAME_SHOWN : TEXT_SHOWN, text = isSame ? row.text.replaceAll("\n", " ") : row.text;
  return text.length <= most ? text : `${text.slice(0, most / 2)} … ${text.slice(-most / 2)}`;
}

// Another extractor has no sections: ours are shown, each as important as the share of its words that it keeps.
function peerView(view, copy, peer, kept) {
  const blocks = keptBlocks(view.sections, kept).map(Boolean);
  for (const block of peer.lost) blocks[block] = false;
  for (const block of peer.extra) blocks[block] = true;
  const { block_start, block_end } = view.sections;
  const share = block_start.map((from, i) => {
    const [words, keptWords] = wordsOf(copy, from, block_end[i], (block) => blocks[block]);
    return words ? keptWords / words : 0;
  });
  return { blocks, view: { ...view, method: peer.name, sections: { ...view.sections, importance: share, kept: share.map((each) => each >= 0.5) } } };
}
