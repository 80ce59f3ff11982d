// The site: its pages and layouts, the template as a tree, how it was learned, what people decided.

import { curve, driftLine, h } from "inspector/charts.js";
import { TreeList } from "inspector/list.js";
import { count } from "inspector/panels.js";
import * as source from "inspector/source.js";

export class SiteView {
  constructor(place, { names, held, onPage, onWorth, say }) {
    Object.assign(this, { place, names, held, onPage, onWorth, say });
    this.layout = 0;
  }

  async show() {
    this.place.replaceChildren(h("p", { class: "hint big" }, "Learning the site …"));
    try {
      this.draw(await source.site());
    } catch (error) {
      this.place.replaceChildren(h("p", { class: "hint big", role: "alert" }, error.message));
    }
  }

  draw(site) {
    this.site = site;
    if (!site) {
      this.place.replaceChildren(h("p", { class: "hint big" },
        "Nothing was learned about the site, because one page cannot show what recurs. Inspect a folder with several of its pages, or run pagestrata learn first."));
      return;
    }
    const layout = site.layouts[this.layout];
    this.place.replaceChildren(
      h("section", { class: "card pages", "aria-label": "Pages and layouts" },
        h("h2", {}, site.name), h("p", { class: "hint" }, this.summary(site)),
        this.layouts(site), this.pages(site)),
      h("section", { class: "card template", "aria-label": "Template" }, ...this.template(layout)),
      h("section", { class: "card learned", "aria-label": "How it was learned" },
        h("h3", {}, "Learning curve"), ...this.curve(site),
        h("h3", {}, "Drift"), driftLine(layout.distances, layout.recent),
        h("p", { class: "hint" }, site.drift || (layout.recent.length
          ? `No drift: later pages are at most ${site.drift_from} farther away.`
          : "No page was read later, so drift is not known yet.")),
        h("h3", {}, "Edits"), this.edits(site),
        ...(layout.article.length ? [h("h3", {}, "The article is at"), ...layout.article.map((path) => h("code", { class: "path" }, path))] : []),
        ...(site.notes.length ? [h("h3", {}, "Notes"), h("ul", {}, ...site.notes.map((note) => h("li", {}, note)))] : [])));
    this.fillTemplate(layout);
  }

  summary(site) {
    const seen = site.fits.length < this.names.length ? `, ${site.fits.length} of ${count(this.names.length, "page")} shown` : "";
    const dates = `learned ${site.learned}${site.updated ? `, updated ${site.updated}` : ""}`;
    return `${count(site.layouts.length, "layout")}${seen}, ${dates}; ${site.stored ? `stored in ${site.where}` : "not stored; the first edit stores it"}`;
  }

  layouts(site) {
    return h("div", { class: "chips", role: "group", "aria-label": "Layouts" }, ...site.layouts.map((layout, i) =>
      h("button", { type: "button", class: "pill", "aria-pressed": String(i === this.layout), onclick: () => { this.layout = i; this.draw(site); } },
        `${layout.name} · ${count(site.fits.filter((fit) => fit.layout === layout.name).length, "page")}`)));
  }

  pages(site) {
    const row = (fit) => h("li", {}, h("button", { type: "button", class: "page", onclick: () => this.onPage(fit.page), ...(fit.page < this.held ? {} : { disabled: "", title: "not in this report" }) },
      h("span", { class: "name", title: this.names[fit.page] ?? null }, short(this.names[fit.page] ?? `page ${fit.page + 1}`)),
      h("span", { class: fit.layout ? "pill" : "pill warn" }, fit.layout || "fits none"),
      h("span", { class: "number", title: "distance from the template" }, fit.distance.toFixed(2))),
    fit.page < this.held ? h("button", { type: "button", class: "worth", title: "Compare the page without and with the model of the site", onclick: () => this.onWorth(fit.page) }, fit.worth) : null);
    return h("div", {}, h("p", { class: "columns", "aria-hidden": "true" }, h("span", {}, "page"), h("span", {}, "layout · distance")),
      h("ul", { class: "page-list" }, ...site.fits.map(row)));
  }

  template(layout) {
    this.treePlace = h("div", { class: "tree-place" });
    this.nodePlace = h("div", { class: "node" }, source.isReport ? null : h("p", { class: "hint" }, "Select a node to mark it as noise, optional or one section."));
    return [
      h("h3", {}, "Template", h("small", {}, `${count(layout.tree.label.length, "node")}, learned from ${count(layout.pages, "page")}`)),
      h("p", { class: "legend" }, h("span", {}, h("b", { class: "operator" }, "*"), " any number"), h("span", {}, h("b", { class: "operator" }, "?"), " at most once"),
        h("span", {}, h("b", { class: "operator" }, "|"), " one of"), h("span", {}, h("i", { class: "noise-key" }), " noise confidence")),
      this.treePlace, this.nodePlace,
      h("details", {}, h("summary", {}, "As an expression"), h("pre", { class: "written", tabindex: 0 }, layout.expression)),
    ];
  }

  fillTemplate({ tree, pages }) {
    const list = new TreeList(this.treePlace, {
      label: "Template", rowHeight: 28, onSelect: (i) => this.choose(tree, i),
      row: (i) => [
        h("span", { class: "label-part" }, tree.label[i] === "|" ? "one of" : tree.label[i] || "sequence"),
        operatorOf(tree, i),
        h("span", { class: "start" }, slotOf(tree, i)),
        noiseBar(tree.noise[i]),
        h("span", { class: "words", title: "pages that have it" }, `${tree.support[i]}/${pages}`),
      ],
    });
    list.fill(tree.parent, 7);
  }

  // A text stands for the element around it. A choice or a sequence is no element of a page, and has no path.
  choose(tree, i) {
    const path = tree.path[tree.label[i] === "#text" ? tree.parent[i] : i];
    const mark = ([action, label]) => h("button", { type: "button", onclick: () => this.change(() => source.edit({ action, node: path })) }, label);
    this.nodePlace.replaceChildren(...(path
      ? [h("code", { class: "path" }, path), source.isReport ? "" : h("div", { class: "decide", role: "group", "aria-label": "Mark this node" }, h("span", {}, "On later pages:"), ...MARKS.map(mark))]
      : [h("p", { class: "hint" }, "A choice or a sequence: select a node in it.")]));
  }

  curve(site) {
    if (!site.curve.length) return [h("p", { class: "hint" }, "Six pages of a layout are needed for a curve.")];
    const last = site.curve[site.curve.length - 1];
    return [curve(site.curve), h("p", { class: "hint" },
      `The distance of three held-out pages${site.layouts.length > 1 ? ` of ${site.layouts[0].name}` : ""} from its template after learning from 1 to ${last.pages} pages. The last template has ${count(last.nodes, "node")}.`)];
  }

  edits(site) {
    if (!site.edits.length) return h("p", { class: "hint" }, "None yet. Select a section of a page to keep it, drop it or change its role, or a node of the template.");
    return h("ol", { class: "edits" }, ...site.edits.map((edit, i) => h("li", {},
      h("b", {}, edit.role ? `${edit.action} ${edit.role}` : edit.action), h("code", { class: "path" }, edit.selector),
      source.isReport ? null : h("button", { type: "button", class: "text", onclick: () => this.change(() => source.undo(i)) }, "undo"))));
  }

  async change(request) {
    try {
      this.draw(await request());
    } catch (error) {
      this.say(error.message);
    }
  }
}

const MARKS = [["noise", "Noise"], ["optional", "Optional"], ["section", "One section"]];

const short = (name) => name.split("/").pop() || name;

function operatorOf(tree, i) {
  const sign = tree.label[i] === "|" ? "|" + tree.operator[i] : tree.operator[i];
  const meanings = { "*": "any number of times", "?": "at most once", "|": "one of these", "|*": "one of these, any number of times" };
  return sign ? h("b", { class: "operator", title: meanings[sign] ?? "one of these, at most once" }, sign) : h("b", { class: "operator none" });
}

// The recurring text, or a note that this is a slot, whose text differs between pages.
function slotOf(tree, i) {
  if (tree.says[i]) return `“${tree.says[i]}”`;
  const kind = tree.noise[i] < 0.5 ? "slot" : "recurs";
  const words = tree.words[i] ? `${kind} · ${tree.words[i].toLocaleString("en")} words` : "";
  return tree.records[i] ? `${words} · ${tree.records[i]} records` : words;
}

function noiseBar(noise) {
  const bar = h("i", {});
  bar.style.width = `${Math.max(0, noise) * 100}%`;
  const label = noise < 0 ? "not on the pages here" : `noise confidence ${noise.toFixed(2)}`;
  return h("span", { class: "noise", title: label, role: "img", "aria-label": label }, bar);
}
