// The source of all data: the session of `pagestrata inspect`, the data inside a report, or the service, to which the
// page is sent with every request.

const embedded = JSON.parse(document.getElementById("data").textContent);

export const isReport = Boolean(embedded?.pages);
export const isService = Boolean(embedded?.service);
export const DOWNLOADS = embedded ? ["md"] : ["md", "document", "epub"];
let sentPage = null, token = "";

export const open = () => (embedded ? Promise.resolve(embedded.opening ?? embedded.service) : ask("")).then(checked);

export async function copy(page) {
  if (isReport) return held(page).copy;
  if (!isService) return cached(`/copy?page=${page}`, () => ask(`/copy?page=${page}`));
  return cached(sentPage, async () => (await look({ copy: true })).copy);
}

export async function view({ page, method, bias }) {
  if (isReport) return held(page).views[method];
  if (isService) return (await look({ method, options: { bias } })).view;
  return ask("/view?" + new URLSearchParams({ page, method, bias }));
}

export async function render(state, format) {
  const { page, method, bias, keepFrom } = state;
  if (isReport) return format === "json" ? held(page).json : held(page).views[method].rendered[format];
  if (isService) {
    const output = format === "json" ? { json: true } : { formats: [format] };
    return (await look({ method, options: { bias }, keep_from: keepFrom, ...output })).view.rendered[format];
  }
  return rendered(state, format).then((answer) => answer.text());
}

export async function download(state, format) {
  if (embedded) return new Blob([await render(state, format)]);
  return rendered(state, format).then((answer) => answer.blob());
}

// The kept sections for the reader view; null if a report does not have them.
export async function reader(state) {
  if (isReport) return state.method === embedded.opening.methods[0] && state.keepFrom === null ? held(state.page).reader : null;
  if (isService) return (await look({ method: state.method, options: { bias: state.bias }, keep_from: state.keepFrom, reader: true })).reader;
  return ask("/reader?" + parameters(state));
}

export const peer = (state, name) => ask(`/peer?${parameters(state)}&name=${encodeURIComponent(name)}`);
// What changed in another version; a report holds it for one other version, and the default method and threshold.
export async function changes(state, other) {
  return isReport ? held(state.page).changes : ask(`/changes?${parameters(state)}&other=${other}`);
}

const rendered = (state, format) => call(`/inspector/desk/render?${parameters(state)}&format=${format}`);

const parameters = ({ page, method, bias, keepFrom }) =>
  new URLSearchParams({ page, method, bias, ...(keepFrom === null ? {} : { keep_from: keepFrom }) });

export const site = () => (isReport ? Promise.resolve(embedded.site) : ask("/site"));
export const edit = (decision) => ask("/edits", { method: "POST", body: JSON.stringify(decision) });
export const undoPage = (page) => ask(`/page-edits/${page}`, { method: "DELETE" });
export const undo = (number) => ask(`/edits/${number}`, { method: "DELETE" });

function held(page) {
  const entry = embedded.pages[page];
  if (entry.error) throw new Error(entry.error);
  return entry;
}

// Set the page that is sent to the service, as the fields of a request: html or base64, and url.
export function setPage(page, withToken) {
  sentPage = page;
  token = withToken;
}

const cache = new Map();

function cached(key, find) {
  if (!cache.has(key)) cache.set(key, find().catch((error) => { cache.delete(key); throw error; }));
  if (cache.size > 8) cache.delete(cache.keys().next().value);
  return cache.get(key);
}

const ask = (path, options) => call("/inspector/desk" + path, options).then((answer) => answer.json());

function look(fields) {
  const headers = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  return call("/look", { method: "POST", headers, body: JSON.stringify({ ...sentPage, ...fields }) }).then((answer) => answer.json());
}

async function call(path, options) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error("The inspector does not answer. Is it still running?");
  }
  if (!answer.ok) {
    const problem = await answer.json().catch(() => ({}));
    throw new Error(problem.detail || problem.title || `The inspector answered ${answer.status}.`);
  }
  return answer;
}

function checked(opening) {
  if (!opening.pages.length && !isService) throw new Error("There are no pages here.");
  return opening;
}
