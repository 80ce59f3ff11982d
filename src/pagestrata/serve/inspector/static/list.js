// A tree of any size as a list: only the rows in sight are in the document.

import { h } from "inspector/charts.js";

export class TreeList {
  constructor(place, { label, rowHeight = 34, row, onHover = () => {}, onSelect = () => {} }) {
    Object.assign(this, { rowHeight, row, onHover, onSelect });
    this.name = `row-${TreeList.count = (TreeList.count || 0) + 1}-`;
    this.space = h("div", { class: "space", role: "presentation" });
    this.box = h("div", { class: "tree", tabindex: 0, role: "tree", "aria-label": label }, this.space);
    place.append(this.box);
    this.selected = this.lit = -1;
    this.parent = [];
    this.open = [];
    this.shown = [];
    this.box.addEventListener("scroll", () => this.draw(), { passive: true });
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("pointermove", (event) => this.light(this.at(event), true));
    this.box.addEventListener("pointerleave", () => this.light(-1, true));
    this.box.addEventListener("click", (event) => this.click(event));
    this.watch = new ResizeObserver(() => { this.reveal(this.selected); this.draw(); });
    this.watch.observe(this.box);
  }

  // Parents come first; those with more than `openTo` levels above them begin closed.
  fill(parent, openTo = 99) {
    this.parent = parent;
    this.depth = [];
    this.hasKids = new Array(parent.length).fill(false);
    parent.forEach((above, i) => {
      this.depth[i] = above < 0 ? 0 : this.depth[above] + 1;
      if (above >= 0) this.hasKids[above] = true;
    });
    this.open = this.depth.map((depth) => depth < openTo);
    this.selected = this.lit = -1;
    this.lay();
  }

  lay() {
    const hidden = new Array(this.parent.length).fill(false);
    this.shown = [];
    this.parent.forEach((above, i) => {
      hidden[i] = above >= 0 && (hidden[above] || !this.open[above]);
      if (!hidden[i]) this.shown.push(i);
    });
    this.placeOf = new Map(this.shown.map((item, place) => [item, place]));
    this.space.style.height = `${this.shown.length * this.rowHeight}px`;
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / this.rowHeight) - 6);
    const last = Math.min(this.shown.length, first + Math.ceil(this.box.clientHeight / this.rowHeight) + 12);
    const rows = [];
    for (let place = first; place < last; place++) rows.push(this.element(this.shown[place], place));
    this.space.replaceChildren(...rows);
    const active = this.placeOf?.get(this.selected);
    if (active >= first && active < last) this.box.setAttribute("aria-activedescendant", this.name + this.selected);
    else this.box.removeAttribute("aria-activedescendant");
  }

  element(item, place) {
    const hasKids = this.hasKids[item], isOpen = this.open[item];
    const twist = h("span", { class: "twist", "aria-hidden": "true" }, hasKids ? (isOpen ? "▾" : "▸") : "");
    const row = h("div", {
      id: this.name + item, class: item === this.lit ? "row lit" : "row", "data-item": item, role: "treeitem",
      "aria-level": this.depth[item] + 1, "aria-posinset": place + 1, "aria-setsize": this.shown.length,
      "aria-selected": String(item === this.selected), "aria-expanded": hasKids ? String(isOpen) : null,
    }, twist, ...this.row(item));
    row.style.top = `${place * this.rowHeight}px`;
    row.style.height = `${this.rowHeight}px`;
    row.style.paddingLeft = `${8 + Math.min(this.depth[item], 14) * 14}px`;
    return row;
  }

  at(event) {
    const row = event.target.closest(".row");
    return row ? Number(row.dataset.item) : -1;
  }

  click(event) {
    const item = this.at(event);
    if (item < 0) return;
    if (event.target.className === "twist" && this.hasKids[item]) this.turn(item, !this.open[item]);
    this.select(item, true);
  }

  turn(item, open) {
    this.open[item] = open;
    this.lay();
  }

  light(item, tell = false) {
    if (item === this.lit) return;
    this.space.querySelector(".lit")?.classList.remove("lit");
    this.lit = item;
    document.getElementById(this.name + item)?.classList.add("lit");
    if (tell) this.onHover(item);
  }

  select(item, tell = false) {
    for (let above = this.parent[item]; above >= 0; above = this.parent[above]) {
      if (!this.open[above]) { this.open[above] = true; this.stale = true; }
    }
    this.selected = item;
    if (this.stale) { this.stale = false; this.lay(); }
    this.reveal(item);
    this.draw();
    if (tell) this.onSelect(item);
  }

  // Scroll to an item, with the two rows before it, unless it can be seen from the top.
  begin(item) {
    const top = (this.placeOf?.get(item) ?? 0) * this.rowHeight;
    this.box.scrollTop = top < this.box.clientHeight / 2 ? 0 : top - 2 * this.rowHeight;
  }

  reveal(item) {
    const place = this.placeOf?.get(item);
    if (place === undefined) return;
    const top = place * this.rowHeight;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    const bottom = top + this.rowHeight - this.box.clientHeight;
    if (bottom > this.box.scrollTop) this.box.scrollTop = bottom;
  }

  key(event) {
    const place = this.placeOf.get(this.selected) ?? -1;
    const item = this.selected;
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.rowHeight) - 1);
    const moves = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: this.shown.length - 1, PageDown: place + page, PageUp: place - page };
    if (event.key in moves) {
      const to = Math.min(Math.max(moves[event.key], 0), this.shown.length - 1);
      if (to >= 0) this.select(this.shown[to], true);
    } else if (event.key === "ArrowRight" && item >= 0 && this.hasKids[item]) {
      if (!this.open[item]) this.turn(item, true);
      else this.select(this.shown[place + 1], true);
    } else if (event.key === "ArrowLeft" && item >= 0) {
      if (this.hasKids[item] && this.open[item]) this.turn(item, false);
      else if (this.parent[item] >= 0) this.select(this.parent[item], true);
    } else {
      return;
    }
    event.preventDefault();
  }
}
