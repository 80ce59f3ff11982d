// Where answers come from: the desk of `pagestrata inspect`, the data inside a report, or the service, to which the
// page is sent with every question.

const within = JSON.parse(document.getElementById("data").textContent);

export const isReport = Boolean(within?.pages);
export const isService = Boolean(within?.service);
let given = null, token = "";

export const open = () => (within ? Promise.resolve(within.opening ?? within.service) : ask("")).then(checked);

export async function copy(page) {
  if (isReport) return held(page).copy;
  if (!isService) return remembered(`/copy?page=${page}`, () => ask(`/copy?page=${page}`));
  return remembered(given, async () => (await look({ copy: true })).copy);
}

export async function view({ page, method, bias }) {
  if (isReport) return held(page).views[method];
  if (isService) return (await look({ method, options: { bias } })).view;
  return ask("/view?" + new URLSearchParams({ page, method, bias }));
}

export async function render({ page, method, bias, keepFrom }, format) {
  if (isReport) return format === "json" ? held(page).json : held(page).views[method].rendered[format];
  if (isService) {
    const wanted = format === "json" ? { json: true } : { formats: [format] };
    return (await look({ method, options: { bias }, keep_from: keepFrom, ...wanted })).view.rendered[format];
  }
  const words = { page, method, bias, format, ...(keepFrom === null ? {} : { keep_from: keepFrom }) };
  return call("/inspector/desk/render?" + new URLSearchParams(words)).then((answer) => answer.text());
}

export const site = () => (isReport ? Promise.resolve(within.site) : ask("/site"));
export const edit = (decision) => ask("/edits", { method: "POST", body: JSON.stringify(decision) });
export const undo = (number) => ask(`/edits/${number}`, { method: "DELETE" });

function held(page) {
  const found = within.pages[page];
  if (found.error) throw new Error(found.error);
  return found;
}

// The page that the service is asked about, as its fields: html or base64, and url.
export function give(page, withToken) {
  given = page;
  token = withToken;
}

const known = new Map();

function remembered(key, find) {
  if (!known.has(key)) known.set(key, find().catch((error) => { known.delete(key); throw error; }));
  if (known.size > 8) known.delete(known.keys().next().value);
  return known.get(key);
}

const ask = (path, options) => call("/inspector/desk" + path, options).then((answer) => answer.json());

function look(wanted) {
  const headers = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  return call("/look", { method: "POST", headers, body: JSON.stringify({ ...given, ...wanted }) }).then((answer) => answer.json());
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
