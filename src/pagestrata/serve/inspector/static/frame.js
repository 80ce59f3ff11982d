// The page in a frame that runs nothing and belongs to nobody, and the sections drawn over it by us.
//
// The frame that is seen has an empty sandbox, so that nobody can look into it, we neither. Where its parts stand is
// told by a ruler: a second frame, unseen, that belongs to nobody either, and in which one script of ours may run, by
// its hash. It lays the same neutral copy out and sends back numbers (see ruler.js). A frame of our own origin that may
// run nothing would be simpler; but if its walls fell, a page would be in the inspector. Here it would be nowhere.

import { h } from "inspector/charts.js";
import { leavesOf } from "inspector/panels.js";
import { ink, rgb } from "inspector/scale.js";

const MAX_HEIGHT = 60000;
const MEASURE_TIMEOUT = 30000;
const MIN_DRAWN = 0.5;
// The share of the kept words that the page's own styles must show; otherwise it is drawn without them.
const PAGE_STYLE = /<style class="page">[^]*?<\/style>/;
const PLAIN_STYLE = `<style>* { display: revert !important; visibility: visible !important; opacity: 1 !important;
  position: static !important; transform: none !important; height: auto !important; max-height: none !important; }
  body { max-width: 1000px; margin: 1.5rem auto; } nav ul, header ul, footer ul { columns: 3; }</style>`;
const RULER = JSON.parse(document.getElementById("ruler").textContent);

export class PageFrame {
  constructor(place, { title, onHover = () => {}, onSelect = () => {}, onScroll = () => {} }) {
    Object.assign(this, { place, onHover, onSelect });
    this.paper = h("div", { class: "paper" });
    this.scroller = h("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": `${title}, drawn` }, this.paper);
    this.layer = h("div", { class: "layer", "aria-hidden": "true" });
    this.state = h("div", { class: "state" });
    this.caption = h("h2", { class: "caption" });
    place.replaceChildren(this.caption, this.scroller, this.state);
    this.title = title;
    this.width = 1200;
    this.boxes = [];
    this.rects = new Map();
    this.lit = this.selected = -1;
    this.showing = true;
    this.onlyDropped = false;
    this.differing = new Set();
    this.scroller.addEventListener("scroll", () => { this.later(); onScroll(this.scroller.scrollTop); }, { passive: true });
    this.layer.addEventListener("pointermove", (event) => this.hover(this.hit(event)));
    this.layer.addEventListener("pointerleave", () => this.hover(-1));
    this.layer.addEventListener("click", (event) => this.onSelect(this.hit(event)));
    new ResizeObserver(() => this.fit()).observe(this.scroller);
  }

  say(kind, text = "") {
    this.place.dataset.state = kind;
    this.state.textContent = text;
  }

  // Lay the copy out; `ready` is the current attempt, and after a failure the next call starts again.
  load(copy, sections) {
    this.ready = this.lay(copy, sections).catch((error) => {
      if (this.copy === copy) this.copy = null;
      throw error;
    });
    return this.ready;
  }

  // Measure the boxes of all numbered nodes, and show the copy; without its styles if they hide the kept sections.
  async lay(copy, sections) {
    this.copy = copy;
    this.boxes = [];
    this.rects = new Map();
    this.shown = null;
    this.isPlain = false;
    this.paper.replaceChildren();
    if (!copy.html) {
      this.say("too-large", `The page has ${copy.nodes.toLocaleString("en")} nodes: too many to draw here. Its sections are all in the list.`);
      return;
    }
    this.say("loading", "Drawing the page …");
    const turn = (this.turn = (this.turn || 0) + 1);
    let html = copy.html;
    this.take(await this.measured(html));
    if (turn === this.turn && this.drawnShare(sections) < MIN_DRAWN) {
      html = html.replace(PAGE_STYLE, PLAIN_STYLE);
      this.take(await this.measured(html));
      this.isPlain = true;
    }
    if (turn !== this.turn) return;
    this.shown = this.frame("", "seen");
    this.shown.title = this.title;
    this.paper.append(this.layer);
    await this.filled(this.shown, html);
    if (turn !== this.turn) return;
    this.say("ready");
    this.fit();
  }

  async measured(html) {
    const ruler = this.frame("allow-scripts", "ruler");
    ruler.setAttribute("aria-hidden", "true");
    await this.filled(ruler, RULER);
    const answer = await measure(ruler, html);
    ruler.remove();
    return answer;
  }

  // The share of the kept words whose sections have a place on the page.
  drawnShare({ cover, kept, words }) {
    let all = 0, drawn = 0;
    cover.forEach((nodes, i) => {
      if (!kept[i] || !nodes.length) return;
      all += words[i];
      if (nodes.some((node) => this.rects.has(node))) drawn += words[i];
    });
    return all ? drawn / all : 1;
  }

  frame(sandbox, kind) {
    const frame = h("iframe", { class: kind, sandbox, referrerpolicy: "no-referrer", tabindex: -1 });
    frame.style.width = `${this.width}px`;
    frame.style.height = kind === "ruler" ? "800px" : `${this.height}px`;
    return frame;
  }

  filled(frame, html) {
    return new Promise((done) => {
      frame.addEventListener("load", done, { once: true });
      frame.srcdoc = html;
      this.paper.append(frame);
    });
  }

  // Store the measured boxes, converted to numbers because the ruler is not trusted.
  take({ boxes, height }) {
    this.rects = new Map();
    const numbers = Float64Array.from(boxes);
    for (let i = 0; i + 4 < numbers.length; i += 5) {
      this.rects.set(numbers[i], { left: numbers[i + 1], top: numbers[i + 2], right: numbers[i + 3], bottom: numbers[i + 4] });
    }
    this.height = Math.min(MAX_HEIGHT, Math.max(Number(height) || 0, 200));
  }

  // Compute the boxes of all sections; a parent encloses its children.
  draw(view, kept) {
    this.view = view;
    this.kept = kept;
    const { parent, cover } = view.sections;
    const isLeaf = leavesOf(parent);
    this.boxes = cover.map((nodes) => nodes.map((node) => this.rects.get(node)).reduce(around, null));
    for (let i = parent.length - 1; i > 0; i--) {
      if (parent[i] >= 0) this.boxes[parent[i]] = around(this.boxes[parent[i]], this.boxes[i]);
    }
    this.leaves = parent.map((_, i) => i).filter((i) => isLeaf[i] && this.boxes[i]);
    this.paint();
  }

  fit() {
    if (!this.shown) return;
    const room = this.scroller.clientWidth;
    this.zoom = Math.min(1, room / this.width);
    this.shown.style.width = `${this.width}px`;
    this.shown.style.height = `${this.height}px`;
    this.shown.style.transform = `scale(${this.zoom})`;
    this.paper.style.width = `${this.width * this.zoom}px`;
    this.paper.style.height = `${this.height * this.zoom}px`;
    this.paint();
  }

  later() {
    this.waiting ??= requestAnimationFrame(() => { this.waiting = null; this.paint(); });
  }

  // Only the sections in sight.
  paint() {
    if (!this.view || !this.zoom) return;
    const top = this.scroller.scrollTop / this.zoom - 400;
    const bottom = top + this.scroller.clientHeight / this.zoom + 800;
    const seen = (i) => this.boxes[i] && this.boxes[i].bottom > top && this.boxes[i].top < bottom;
    const inSight = this.showing ? this.leaves.filter((i) => seen(i) && !(this.onlyDropped && this.kept[i])) : [];
    const marks = inSight.map((i) => this.mark(i, "", inSight.some((j) => encloses(this.boxes[i], this.boxes[j]))));
    for (const [i, kind] of [[this.selected, "selected"], [this.lit, "lit"]]) {
      if (i >= 0 && this.boxes[i]) marks.push(this.mark(i, kind));
    }
    this.layer.replaceChildren(...marks);
  }

  mark(i, kind = "", isAround = false) {
    const { importance, role } = this.view.sections;
    const box = roomy(this.boxes[i], this.width), zoom = this.zoom;
    const mark = h("div", { class: `mark ${this.kept[i] ? "kept" : "dropped"} ${kind}` });
    if (!kind && this.differing.has(i)) mark.classList.add("differs");
    mark.classList.toggle("around", isAround);
    mark.style.cssText = `left:${box.left * zoom}px;top:${box.top * zoom}px;width:${(box.right - box.left) * zoom}px;height:${(box.bottom - box.top) * zoom}px`;
    mark.style.setProperty("--colour", rgb(importance[i]));
    mark.style.setProperty("--wash", rgb(importance[i], 0.17));
    mark.style.setProperty("--hatch", rgb(importance[i], 0.9));
    if (kind || (box.bottom - box.top) * zoom > 26) {
      const label = h("span", { class: "label" }, `${role[i]} ${importance[i].toFixed(2)}`);
      label.style.background = rgb(importance[i]);
      label.style.color = ink(importance[i]);
      mark.append(label);
    }
    return mark;
  }

  hit(event) {
    const edge = this.layer.getBoundingClientRect();
    const x = (event.clientX - edge.left) / this.zoom, y = (event.clientY - edge.top) / this.zoom;
    let best = -1, least = Infinity;
    for (const i of this.leaves ?? []) {
      const box = this.boxes[i];
      if (x < box.left || x > box.right || y < box.top || y > box.bottom) continue;
      if (area(box) < least) { least = area(box); best = i; }
    }
    return best;
  }

  hover(i) {
    if (i === this.lit) return;
    this.light(i);
    this.onHover(i);
  }

  light(i) {
    this.lit = i;
    this.later();
  }

  // Scroll to where a section begins, unless it can be seen from the top.
  begin(i) {
    const top = (this.boxes[i]?.top ?? 0) * this.zoom, room = this.scroller.clientHeight;
    this.scroller.scrollTop = top < room / 2 ? 0 : top - 40;
  }

  select(i, follow) {
    this.selected = i;
    const box = this.boxes[i];
    if (follow && box) {
      const top = box.top * this.zoom, room = this.scroller.clientHeight;
      const inSight = top >= this.scroller.scrollTop && top < this.scroller.scrollTop + room * 0.7;
      if (!inSight) this.scroller.scrollTo({ top: Math.max(0, top - room / 5) });
    }
    this.later();
  }
}

// A little more than the letters take, so that no line touches them.
const roomy = ({ left, top, right, bottom }, width) =>
  ({ left: Math.max(1, left - 7), top: Math.max(1, top - 3), right: Math.min(width - 1, right + 7), bottom: bottom + 3 });

// Measure a copy in the ruler over a private message channel, because the ruler has no origin to address it by.
function measure(ruler, html) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((done, failed) => {
    const clock = setTimeout(() => failed(new Error("The page could not be drawn in time.")), MEASURE_TIMEOUT);
    port1.onmessage = ({ data }) => { clearTimeout(clock); port1.close(); done(data); };
    ruler.contentWindow.postMessage(html, "*", [port2]);
  });
}

// Whether a box lies around a much smaller one: the inner one must not look as if it were part of it.
const encloses = (one, other) => one.left <= other.left && one.top <= other.top && one.right >= other.right
  && one.bottom >= other.bottom && area(one) > 1.5 * area(other);

const area = ({ left, top, right, bottom }) => (right - left) * (bottom - top);

function around(one, other) {
  if (!one || !other) return one ?? other ?? null;
  return {
    left: Math.min(one.left, other.left), top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right), bottom: Math.max(one.bottom, other.bottom),
  };
}
