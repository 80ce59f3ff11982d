// The controller: requests data, shows it, and handles user input.

import { h } from "inspector/charts.js";
import * as compare from "inspector/compare.js";
import { PageFrame } from "inspector/frame.js";
import { TreeList } from "inspector/list.js";
import * as panels from "inspector/panels.js";
import { ReaderView } from "inspector/reader.js";
import { gradient, rgb } from "inspector/scale.js";
import { SiteView } from "inspector/site.js";
import * as source from "inspector/source.js";

const at = (id) => document.getElementById(id);
const state = { page: 0, method: "engine", other: "", bias: 0, keepFrom: null, view: "page", tab: "sections", selected: -1 };
const shown = { copy: null, first: null, second: null, kept: [], keptSecond: [], other: null };
let opening, site, list, reader, run = 0;

const first = new PageFrame(at("first"), {
  title: "The page, without scripts and addresses",
  onHover: (i) => hovered(i), onSelect: (i) => choose(i, false), onScroll: (top) => follow(second, top),
});
const second = new PageFrame(at("second"), {
  title: "The page by the other method", onScroll: (top) => follow(first, top),
});

start();

async function start() {
  dress();
  first.say("loading", "Reading the page …");
  try {
    opening = await source.open();
  } catch (error) {
    return fail(error);
  }
  site = new SiteView(at("site"), { names: opening.pages, held: heldPages(), onPage: (page) => openPage(page), onWorth: openWorth, say });
  reader = new ReaderView(at("reader"), {
    keepOn: source.isReport || source.isService ? [] : opening.edits ? ["page", "site"] : ["page"],
    onSelect: (i) => choose(i, true), onHover: (i) => first.light(i), onKeep: (i, where) => (where === "site" ? decide({ action: "keep" }, i) : decideHere("keep", i)), onUndo: undoPage, onDownload: download, onCopy: copyArticle, say,
  });
  options(at("page"), opening.pages.slice(0, heldPages()).map((name, i) => [i, shortName(name)]));
  if (heldPages() < opening.pages.length) at("page").append(h("option", { disabled: "" }, `${panels.count(opening.pages.length - heldPages(), "more page")} not in this report`));
  options(at("method"), opening.methods.map((name) => [name, name]));
  state.method = opening.methods[0];
  at("other").replaceChildren(...compare.choices(opening, shortName));
  state.other = at("other").value = compare.firstChoice(opening);
  document.querySelector(".picker").hidden = opening.pages.length < 2;
  at("bias-control").hidden = source.isReport;
  if (innerWidth < 900) at("width").value = 390;  // on a small screen, the page as small screens have it
  listen();
  if (source.isService) return showOpener();
  go(["site", "compare", "read"].find((view) => location.hash === `#${view}`) ?? (opening.against == null ? "page" : "compare"));
  if (state.view !== "site") load();
}

// A report may hold only the first of the pages.
const heldPages = () => opening.held ?? opening.pages.length;

// Within the service, the user provides the page.
function showOpener() {
  first.say("empty", "");
  document.querySelector("[data-go=site]").hidden = true;
  const toggle = (isOpen) => { at("opener").hidden = !isOpen; at("open").hidden = isOpen; };
  at("open").addEventListener("click", () => toggle(true));
  at("opener").addEventListener("submit", async (event) => {
    event.preventDefault();
    const file = at("open-file").files[0], html = at("open-html").value, url = at("open-url").value.trim();
    if (!file && !html && !url) return say("Choose a file, paste HTML, or enter an address.");
    const page = file ? { base64: await base64(file) } : html ? { html } : {};
    source.setPage({ ...page, ...(url ? { url } : {}) }, at("open-token").value);
    toggle(false);
    load();
  });
  toggle(true);
}

function base64(file) {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(file);
  });
}

// ------------------------------------------------------------------------------------------------ asking

async function load() {
  const turn = ++run;
  const comparing = state.view === "compare";
  if (!shown.first) first.say("loading", "Reading the page …");
  document.querySelector(".side").setAttribute("aria-busy", "true");  // it shows the page before this one
  try {
    const [copy, one] = await Promise.all([source.copy(state.page), source.view(state)]);
    const other = comparing ? await compare.readOther(state, copy, one) : null;
    if (turn !== run) return;
    const isNew = copy !== shown.copy, isOtherNew = other?.kind === "version" && (isNew || other.copy !== shown.other?.copy);
    Object.assign(shown, { copy, first: one, second: other?.view ?? null, other });
    const frames = [[first, copy, one], ...(comparing ? [[second, other.copy, other.view]] : [])];
    await Promise.all(frames.map(([frame, itsCopy, view]) => {
      const width = Number(at("width").value);
      if (frame.copy === itsCopy && frame.width === width) return frame.ready;
      frame.width = width;
      return frame.load(itsCopy, view.sections);
    }));
    if (turn !== run) return;
    if (!copy.blocks.length) first.say("empty", one.reason || "The page has no text.");
    at("first").dataset.page = state.page;
    if (comparing) follow(second, first.scroller.scrollTop);
    if (isNew || state.selected >= one.sections.parent.length) state.selected = -1;
    const written = show();
    if (isNew) {
      const start = begin(first, one.sections, shown.kept);
      list?.begin(start);
    }
    if (isOtherNew) begin(second, other.view.sections, shown.keptSecond);
    if (isNew && first.isPlain) say("The styles of the page hide its text until scripts run: it is drawn without them.");
    await written;
  } catch (error) {
    if (turn === run) fail(error);
  } finally {
    if (turn === run) document.querySelector(".side").removeAttribute("aria-busy");
  }
}

// Open a page at its first kept section, and return its number: above it there is often only a menu.
function begin(frame, { parent }, kept) {
  const isLeaf = panels.leavesOf(parent);
  const start = Math.max(0, parent.findIndex((_, i) => isLeaf[i] && kept[i] && frame.boxes[i]));
  frame.begin(start);
  return start;
}

function fail(error) {
  shown.copy = null;
  at("first").dataset.page = state.page;
  first.say("error", error.message);
  reader?.fail(error.message);
  at("panel").replaceChildren();
  at("why").replaceChildren();
  at("facts").replaceChildren(h("h2", {}, "The page cannot be shown"), h("p", { class: "reason", role: "alert" }, error.message));
}

// ----------------------------------------------------------------------------------------------- showing

function show() {
  updateKept();
  drawHistogram();
  drawTab(true);
  drawWhy();
  return drawReader();
}

// Update everything that shows which sections are kept; called for every move of a slider.
function updateKept() {
  const { first: one, second: other } = shown;
  shown.kept = panels.keptBy(one.sections, state.keepFrom);
  first.caption.textContent = one.method;
  first.selected = state.selected;
  first.draw(one, shown.kept);
  at("facts").replaceChildren(...panels.facts(one, shown.kept));
  if (state.keepFrom === null) at("threshold").value = one.keep_from ?? between(one.sections);
  at("threshold-said").value = Number(at("threshold").value).toFixed(2);
  at("threshold-reset").hidden = state.keepFrom === null;
  if (other) {
    shown.keptSecond = panels.keptBy(other.sections, null);
    const isVersion = shown.other.kind === "version";
    first.caption.textContent = isVersion ? shortName(opening.pages[state.page]) : one.method;
    second.caption.textContent = isVersion ? at("other").selectedOptions[0].textContent : other.method;
    Object.assign(shown, compare.differ(shown));
    first.differing = shown.differing[0];
    second.differing = shown.differing[1];
    second.draw(other, shown.keptSecond);
    first.paint();
  } else {
    first.differing.clear();
    first.paint();
  }
}

// A threshold for a method without one: between the lowest importance that it keeps and the highest that it drops.
function between({ importance, kept, fixed, parent }) {
  const isLeaf = panels.leavesOf(parent);
  let lowestKept = 1, highestDropped = 0;
  importance.forEach((value, i) => {
    if (!isLeaf[i] || fixed[i]) return;
    if (kept[i]) lowestKept = Math.min(lowestKept, value);
    else highestDropped = Math.max(highestDropped, value);
  });
  return lowestKept >= highestDropped ? (lowestKept + highestDropped) / 2 : lowestKept;
}

function drawHistogram() {
  const canvas = at("histogram"), bins = new Array(40).fill(0);
  const { importance, words, parent } = shown.first.sections;
  const isLeaf = panels.leavesOf(parent);
  importance.forEach((value, i) => { if (isLeaf[i]) bins[Math.min(39, Math.floor(value * 40))] += words[i]; });
  const width = (canvas.width = canvas.clientWidth * devicePixelRatio), height = (canvas.height = canvas.clientHeight * devicePixelRatio);
  const pen = canvas.getContext("2d"), most = Math.max(1, ...bins);
  bins.forEach((count, i) => {
    const tall = count ? Math.max(2 * devicePixelRatio, Math.sqrt(count / most) * height) : 0;
    pen.fillStyle = rgb((i + 0.5) / 40);
    pen.fillRect((i * width) / 40 + 1, height - tall, width / 40 - 2, tall);
  });
}

function drawTab(isNew = false) {
  const panel = at("panel");
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const isOn = tab.id === `tab-${state.tab}`;
    tab.setAttribute("aria-selected", isOn);
    tab.tabIndex = isOn ? 0 : -1;
  }
  panel.setAttribute("aria-labelledby", `tab-${state.tab}`);
  panel.dataset.tab = state.tab;
  at("why").hidden = state.tab !== "sections";
  if (state.tab === "sections") return drawList(isNew);
  list = null;
  if (state.tab === "metadata") return panel.replaceChildren(panels.metadata(shown.first));
  if (state.tab === "limits") return panel.replaceChildren(panels.limits(shown.first));
  if (state.tab === "difference") return panel.replaceChildren(...drawDifference());
  return drawWritten(state.tab);
}

function drawList(isNew) {
  const row = panels.sectionRow(shown.copy, shown.first, shown.kept);
  if (!list) {
    at("panel").replaceChildren();
    list = new TreeList(at("panel"), { label: "Sections", row, onHover: (i) => first.light(i), onSelect: (i) => choose(i, true) });
    isNew = true;
  }
  list.row = row;
  if (isNew) {
    list.fill(shown.first.sections.parent);
    list.selected = state.selected;
  }
  list.draw();
}

const SERVED = { text: "text", md: "md", json: "json" };

async function drawWritten(tab) {
  const panel = at("panel");
  if (source.isReport && state.keepFrom !== null && tab === "text") {
    const blocks = panels.keptBlocks(shown.first.sections, shown.kept);
    return panel.replaceChildren(panels.written(shown.copy.blocks.filter((_, i) => blocks[i]).join("\n"), tab));
  }
  const request = JSON.stringify([state.page, state.method, state.bias, state.keepFrom, tab, run]);
  drawWritten.request = request;
  if (!panel.querySelector(`.${tab}`)) panel.replaceChildren(h("p", { class: "hint" }, "Writing …"));
  try {
    const text = await source.render(state, SERVED[tab]);
    if (drawWritten.request !== request || state.tab !== tab) return;
    const pane = panels.written(text, tab);
    const note = source.isReport && (state.keepFrom !== null || (tab === "json" && state.method !== opening.methods[0]));
    const top = panel.querySelector("pre")?.scrollTop ?? 0;
    panel.replaceChildren(...(note ? [h("p", { class: "hint" }, `With the threshold of ${tab === "json" ? opening.methods[0] : "the method"}: a report cannot be rendered again.`)] : []), pane);
    pane.scrollTop = top;
  } catch (error) {
    panel.replaceChildren(h("p", { class: "hint", role: "alert" }, error.message));
  }
}

function drawDifference() {
  if (!shown.second) return [h("p", { class: "hint" }, "Choose what to compare with.")];
  const isVersion = shown.other.kind === "version";
  const labels = isVersion ? ["removed", "added"] : [`only ${shown.first.method}`, `only ${shown.second.method}`];
  const rows = compare.differenceRows(shown.difference, labels, ({ block, other_block: otherBlock }) => {
    scrollTo(first, shown.first, block);
    if (otherBlock !== undefined) scrollTo(second, shown.second, otherBlock);
  });
  const note = source.isReport && isVersion && (state.keepFrom !== null || state.method !== opening.methods[0]);
  return [...(note ? [h("p", { class: "hint" }, `With the threshold of ${opening.methods[0]}: a report cannot compare again.`)] : []), ...rows];
}

function scrollTo(frame, { sections }, block) {
  const isLeaf = panels.leavesOf(sections.parent);
  const i = sections.parent.findIndex((_, each) => isLeaf[each] && sections.block_start[each] <= block && block < sections.block_end[each]);
  if (i >= 0) frame.select(i, true);
}

async function drawReader() {
  if (state.view !== "read" || !shown.first) return;
  const request = JSON.stringify([state.page, state.method, state.bias, state.keepFrom, run]);
  drawReader.request = request;
  const { copy, first: view, kept } = shown;
  try {
    const parts = await source.reader(state);
    if (drawReader.request === request) reader.draw(copy, view, kept, parts);
  } catch (error) {
    say(error.message);
  }
}

function drawWhy() {
  at("why").replaceChildren(...panels.why(shown.first, shown.kept, state.selected, source.isReport || source.isService ? null : editing));
}

// ---------------------------------------------------------------------------------------------- deciding

function editing(i) {
  const roles = h("select", { "aria-label": "Give it a role" }, h("option", { value: "" }, "role …"),
    ...opening.roles.map((role) => h("option", { value: role }, role)));
  roles.addEventListener("change", () => roles.value && decide({ action: "role", role: roles.value }, i));
  const row = (where, act, ...more) => h("div", { class: "decide", role: "group", "aria-label": `Decide for this ${where}` },
    h("span", {}, `On this ${where}:`),
    ...["keep", "drop"].map((action) => h("button", { type: "button", onclick: () => act(action) }, action === "keep" ? "Keep" : "Drop")), ...more);
  return [
    ...(opening.edits ? [row("site", (action) => decide({ action }, i), roles)] : []),
    row("page", (action) => decideHere(action, i), shown.first.page_edits.length ? h("button", { type: "button", onclick: undoPage }, "Undo all") : null),
  ];
}

async function decide(decision, i) {
  const selector = shown.first.sections.css[i];
  try {
    await source.edit({ ...decision, selector });
  } catch (error) {
    return say(error.message);
  }
  say(`${decision.role ? `role ${decision.role}` : decision.action}: saved for the site and applied`);
  state.method = at("method").value = "site";
  state.keepFrom = null;
  await load();
  const again = shown.first.sections.css.indexOf(selector);
  if (again >= 0) choose(again, true);
}

// Keep or drop a section on this page only, as long as the inspector runs.
async function decideHere(action, i) {
  const selector = shown.first.sections.css[i];
  await changePage(() => source.edit({ action, selector, page: state.page }), `${action === "keep" ? "Kept" : "Dropped"} on this page.`);
  const again = shown.first.sections.css.indexOf(selector);
  if (again < 0) return;
  choose(again, true);
  if (state.view === "read") reader.open(again);
}

const undoPage = () => changePage(() => source.undoPage(state.page), "What was decided about this page is undone.");

async function changePage(change, message) {
  try {
    await change();
  } catch (error) {
    return say(error.message);
  }
  state.keepFrom = null;
  await load();
  say(message);
}

async function download(format, suffix) {
  try {
    const address = URL.createObjectURL(await source.download(state, format));
    const name = (shown.first.title || "page").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 80) || "page";
    h("a", { href: address, download: `${name}.${suffix}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
  } catch (error) {
    say(error.message);
  }
}

// Formatted text for word processors, Markdown for everything else; a report holds only the latter.
async function copyArticle() {
  try {
    const formats = { "text/plain": "md", ...(source.isReport ? {} : { "text/html": "html" }) };
    const blobs = await Promise.all(Object.entries(formats).map(async ([type, format]) =>
      [type, new Blob([await source.render(state, format)], { type })]));
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
    say("Copied.");
  } catch (error) {
    say(`Not copied: ${error.message}`);
  }
}

function say(text) {
  at("message").textContent = text;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { at("message").textContent = ""; }, 6000);
}

// ------------------------------------------------------------------------------------------------ moving

function hovered(i) {
  if (!list || i < 0) return list?.light(-1);
  list.light(i);
  list.reveal(i);
}

function choose(i, fromList) {
  if (i < 0) return;
  state.selected = i;
  first.select(i, fromList);
  if (state.view === "read") return fromList ? undefined : reader.open(i);
  if (!fromList) {
    if (state.tab !== "sections") { state.tab = "sections"; drawTab(); }
    list.select(i);
  }
  drawWhy();
}

function follow(frame, top) {
  if (state.view === "compare" && shown.other?.kind !== "version" && Math.abs(frame.scroller.scrollTop - top) > 1) frame.scroller.scrollTop = top;
}

function go(view) {
  state.view = view;
  document.body.dataset.view = view;
  document.querySelector(".stage").hidden = view === "site";
  document.querySelector(".controls").hidden = view === "site";
  at("site").hidden = view !== "site";
  for (const button of document.querySelectorAll("[data-go]")) {
    if (button.dataset.go === view) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  }
  first.onlyDropped = view === "read";
  if (view === "site") site.show();
  if (view === "compare") state.tab = "difference";
  else if (state.tab === "difference") state.tab = "sections";
}

function openPage(page) {
  state.page = Math.min(Math.max(page, 0), heldPages() - 1);
  at("page").value = state.page;
  state.keepFrom = null;
  if (state.view === "site") { go("page"); state.method = at("method").value = "site"; }
  load();
}

// Compare a page as the default method reads it with what the model of the site makes of it.
function openWorth(page) {
  state.method = at("method").value = opening.methods[0];
  state.other = at("other").value = "method site";
  go("compare");
  openPage(page);
}

function listen() {
  const move = (id, act) => at(id).addEventListener("input", act);
  for (const button of document.querySelectorAll("[data-go]")) {
    button.addEventListener("click", () => { go(button.dataset.go); if (state.view !== "site") load(); });
  }
  at("page").addEventListener("change", () => openPage(Number(at("page").value)));
  at("previous").addEventListener("click", () => openPage(state.page - 1));
  at("next").addEventListener("click", () => openPage(state.page + 1));
  at("method").addEventListener("change", () => { state.method = at("method").value; state.keepFrom = null; load(); });
  at("other").addEventListener("change", () => { state.other = at("other").value; load(); });
  at("width").addEventListener("change", load);
  at("overlays").addEventListener("change", () => {
    first.showing = second.showing = at("overlays").checked;
    first.paint();
    second.paint();
  });
  const later = () => { clearTimeout(listen.timer); listen.timer = setTimeout(load, 60); };
  // Other extractors and versions are compared by the server.
  move("threshold", () => { state.keepFrom = Number(at("threshold").value); rechoose(); if (shown.other && shown.other.kind !== "method") later(); });
  at("threshold-reset").addEventListener("click", () => { state.keepFrom = null; rechoose(); });
  move("bias", () => {
    state.bias = Number(at("bias").value);
    state.keepFrom = null;
    at("bias-said").value = state.bias ? state.bias.toFixed(1) : "0";
    later();
  });
  for (const tab of document.querySelectorAll("[role=tab]")) {
    tab.addEventListener("click", () => { state.tab = tab.id.slice(4); if (shown.first) drawTab(); });
    tab.addEventListener("keydown", turnTabs);
  }
  document.addEventListener("keydown", shortcuts);
  addEventListener("resize", () => shown.first && drawHistogram());
}

function rechoose() {
  if (!shown.first) return;
  updateKept();
  drawTab();
  drawWhy();
  drawReader();
}

function turnTabs(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tabs = [...document.querySelectorAll("[role=tab]")].filter((tab) => tab.offsetParent);
  const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
  next.focus();
  next.click();
}

function shortcuts(event) {
  if (event.target.closest("select, input, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  const canEdit = opening.edits && state.selected >= 0 && state.view !== "site";
  if (event.key === "[") openPage(state.page - 1);
  else if (event.key === "]") openPage(state.page + 1);
  else if (event.key === "o") at("overlays").click();
  else if (event.key === "k" && canEdit) decide({ action: "keep" }, state.selected);
  else if (event.key === "d" && canEdit) decide({ action: "drop" }, state.selected);
}

// ----------------------------------------------------------------------------------------------- looking

function dress() {
  document.documentElement.style.setProperty("--scale", gradient());
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const wear = (theme) => { document.documentElement.dataset.theme = theme; };
  wear(dark.matches ? "dark" : "light");
  dark.addEventListener("change", () => wear(dark.matches ? "dark" : "light"));
  at("theme").addEventListener("click", () => wear(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
}

function options(select, rows) {
  select.replaceChildren(...rows.map(([value, text]) => h("option", { value }, text)));
}

const shortName = (name) => (name.length > 60 ? "…" + name.slice(-58) : name);
