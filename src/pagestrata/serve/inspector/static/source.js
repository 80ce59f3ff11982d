// Where answers come from: a server, or the data inside a report.

const within = JSON.parse(document.getElementById("data").textContent);

export const isReport = within !== null;

export const open = () => (isReport ? Promise.resolve(within.opening) : ask("")).then(checked);
export const copy = (page) => (isReport ? Promise.resolve(within.copy) : remembered(`/copy?page=${page}`));
export const site = () => (isReport ? Promise.resolve(within.site) : ask("/site"));

export function view({ page, method, bias }) {
  if (isReport) return Promise.resolve(within.views[method]);
  return ask("/view?" + new URLSearchParams({ page, method, bias }));
}

export function render({ page, method, bias, keepFrom }, format) {
  if (isReport) {
    if (format === "json") return Promise.resolve(within.json);
    return Promise.resolve(within.views[method].rendered[format]);
  }
  const words = { page, method, bias, format, ...(keepFrom === null ? {} : { keep_from: keepFrom }) };
  return call("/render?" + new URLSearchParams(words)).then((answer) => answer.text());
}

export const edit = (decision) => ask("/edits", { method: "POST", body: JSON.stringify(decision) });
export const undo = (number) => ask(`/edits/${number}`, { method: "DELETE" });

const known = new Map();

function remembered(path) {
  if (!known.has(path)) known.set(path, ask(path).catch((error) => { known.delete(path); throw error; }));
  if (known.size > 8) known.delete(known.keys().next().value);
  return known.get(path);
}

const ask = (path, options) => call(path, options).then((answer) => answer.json());

async function call(path, options) {
  let answer;
  try {
    answer = await fetch("/inspector/desk" + path, options);
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
  if (!opening.pages.length) throw new Error("There are no pages here.");
  return opening;
}
