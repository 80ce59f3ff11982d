// The reader view: the kept sections as an article, with a line wherever something was left out, which says why.

import { h } from "inspector/charts.js";
import { chip, count, facts, leavesOf, snippet } from "inspector/panels.js";
import * as source from "inspector/source.js";

const ELEMENTS = new Set("p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd pre code blockquote table tr td th hr br em strong s sup aside".split(" "));
const NUMBERS = ["colspan", "rowspan", "start"];
const DOWNLOADS = { md: "Markdown", document: "HTML", epub: "EPUB" };
// Words that are left out in one place; fewer are only dots, so that they do not disturb the reading.
const MIN_LABELLED = 15;
const SUFFIXES = { document: "html" };

export class ReaderView {
  // `keepOn` lists where a section can be kept: "page", "site".
  constructor(place, { keepOn, onSelect, onHover, onKeep, onUndo, onDownload, onCopy, say }) {
    Object.assign(this, { place, keepOn, onSelect, onHover, onKeep, onUndo, say });
    this.facts = h("p", { class: "reader-facts" });
    this.search = h("input", { type: "search", "aria-label": "Find text that is missing", placeholder: "Something missing? Type it" });
    this.article = h("article", { class: "article", tabindex: 0, "aria-label": "The article" });
    const button = (text, act) => h("button", { type: "button", onclick: act }, text);
    place.replaceChildren(
      h("div", { class: "reader-bar" }, button("Copy", onCopy),
        ...source.DOWNLOADS.map((format) => button(`${DOWNLOADS[format]} ↓`, () => onDownload(format, SUFFIXES[format] ?? format))),
        h("form", { class: "missing", onsubmit: (event) => { event.preventDefault(); this.find(this.search.value); } },
          this.search, h("button", { type: "submit" }, "Why?"))),
      this.facts, this.article);
    this.article.addEventListener("pointerover", (event) => this.onHover(sectionAt(event.target)));
    this.article.addEventListener("pointerleave", () => this.onHover(-1));
  }

  // `parts` are the kept sections as markup of ours; without them, their text is shown as plain paragraphs.
  draw(copy, view, kept, parts) {
    const isNew = copy !== this.copy;
    Object.assign(this, { copy, view, kept });
    this.leaves = [...leavesOf(view.sections.parent).entries()].filter(([, isLeaf]) => isLeaf).map(([i]) => i);
    const content = new Map(parts ? parts.map(({ section, html }) => [section, passive(html)]) : this.plainParts());
    const [, numbers, ...reasons] = facts(view, kept);
    this.facts.replaceChildren(...numbers.childNodes, ...(view.page_edits.length ? [this.undoButton()] : []));
    const top = isNew ? 0 : this.article.scrollTop;
    this.article.replaceChildren(
      h("h1", {}, view.title || "Page without a title"), ...byline(view), ...reasons,
      ...(parts ? [] : [h("p", { class: "hint" }, "As plain text: a report has the formatted article only for the default method and threshold.")]),
      ...this.rows(content));
    this.article.scrollTop = top;
  }

  fail(message) {
    this.facts.replaceChildren();
    this.article.replaceChildren(h("p", { class: "reason", role: "alert" }, message));
  }

  undoButton() {
    const { length } = this.view.page_edits;
    return h("button", { type: "button", class: "text", onclick: this.onUndo }, `undo ${count(length, "decision")} about this page`);
  }

  plainParts() {
    const { block_start, block_end } = this.view.sections;
    return this.leaves.filter((i) => this.kept[i]).map((i) =>
      [i, this.copy.blocks.slice(block_start[i], block_end[i]).filter(Boolean).map((text) => h("p", {}, text))]);
  }

  rows(content) {
    const rows = [];
    let left = [];
    const close = () => { if (left.length) rows.push(this.gap(left)); left = []; };
    for (const i of this.leaves) {
      if (!this.kept[i]) {
        if (this.view.sections.words[i]) left.push(i);
      } else if (content.get(i)?.length) {
        close();
        rows.push(h("div", { class: "part", "data-section": i }, ...content.get(i)));
      }
    }
    close();
    return rows;
  }

  // What was left out between two kept sections; its content is made when it is opened.
  gap(sections) {
    const words = sections.reduce((sum, i) => sum + this.view.sections.words[i], 0);
    const rows = h("ul", {});
    const fill = () => { if (!rows.childElementCount) rows.append(...sections.map((i) => this.leftOut(i))); };
    const label = `${count(sections.length, "section")} left out, ${count(words, "word")}`;
    const summary = words < MIN_LABELLED ? h("summary", { title: label }, "⋯", h("span", { class: "unseen" }, label)) : h("summary", {}, label, h("b", {}, "Why?"));
    const gap = h("details", { class: words < MIN_LABELLED ? "gap small" : "gap", "data-section": sections[0], ontoggle: fill }, summary, rows);
    gap.sections = sections;
    gap.fill = fill;
    return gap;
  }

  leftOut(i) {
    const { role, importance, words, reasons } = this.view.sections;
    const button = (text, act) => h("button", { type: "button", onclick: act }, text);
    return h("li", { "data-section": i },
      h("p", { class: "what" }, chip(importance[i]), h("b", {}, role[i]), h("small", {}, count(words[i], "word"))),
      h("p", { class: "start-of-text" }, snippet(this.copy, this.view.sections, i, 240)),
      h("ul", { class: "reasons" }, ...reasons[i].map((reason) => h("li", {}, reason))),
      h("div", { class: "decide" }, button("Show it", () => this.onSelect(i)),
        ...this.keepOn.map((where) => button(`Keep on this ${where}`, () => this.onKeep(i, where)))));
  }

  // Scroll to a section, or to the reason why it is missing.
  open(i) {
    for (const old of this.article.querySelectorAll(".chosen")) old.classList.remove("chosen");
    const gap = [...this.article.querySelectorAll(".gap")].find(({ sections }) => sections.includes(i));
    if (gap) { gap.open = true; gap.fill(); }
    const shown = this.article.querySelector(`${gap ? ".gap li" : ".part"}[data-section="${i}"]`) ?? this.article.firstElementChild;
    shown.classList.add("chosen");
    shown.scrollIntoView({ block: "nearest" });
  }

  // Find words on the page, first in what was left out.
  find(words) {
    const wanted = plain(words);
    if (!wanted) return;
    const { block_start, block_end } = this.view.sections;
    const holds = (i) => plain(this.copy.blocks.slice(block_start[i], block_end[i]).join(" ")).includes(wanted);
    const found = this.leaves.filter(holds).sort((a, b) => this.kept[a] - this.kept[b])[0];
    if (found === undefined) return this.say("These words are not in the text of the page. Text that scripts add later needs --render.");
    if (this.kept[found]) this.say("These words are kept.");
    this.onSelect(found);
    this.open(found);
  }
}

const plain = (text) => text.toLowerCase().replace(/\s+/g, " ").trim();

const sectionAt = (element) => Number(element.closest("[data-section]")?.dataset.section ?? -1);

function byline({ metadata, url }) {
  const date = (metadata.date_published ?? "").slice(0, 10);
  const site = metadata.site_name ?? (url ? new URL(url, "https://page.invalid").hostname : "");
  const line = [[metadata.authors ?? []].flat().join(", "), date, site].filter(Boolean);
  const text = [...new Set(line)].join(" · "); // the site may be its own author
  return text ? [h("p", { class: "byline" }, text)] : [];
}

// Copy markup of ours element by element from an allow-list: nothing in it can load, run or lead away.
function passive(markup) {
  return [...new DOMParser().parseFromString(markup, "text/html").body.childNodes].flatMap(copied);
}

function copied(node) {
  if (node.nodeType === Node.TEXT_NODE) return [node.data];
  const inside = [...node.childNodes].flatMap(copied);
  if (node.localName === "a") return [h("span", { class: "link", title: node.getAttribute("href") }, ...inside)];
  if (node.localName === "span") return [h("span", { class: "image" }, ...inside)];
  if (!ELEMENTS.has(node.localName)) return inside;
  const numbers = NUMBERS.filter((name) => node.hasAttribute(name)).map((name) => [name, node.getAttribute(name)]);
  return [h(node.localName, Object.fromEntries(numbers), ...inside)];
}
