// Reads pages with an extractor written in JavaScript: one JSON string a line on stdin, one JSON object a line on
// stdout. The first answer is {} once the packages are loaded; then each page gets {"html": …} or {"error": …}.
// Pages are parsed by jsdom, as a browser does; linkedom is faster, but drops text of pages that are not well-formed.
import { createInterface } from "node:readline";

console.log = console.info = console.warn = console.error; // stdout has answers only

async function defuddle() {
  const { Defuddle } = await import("defuddle/node");
  const options = { useAsync: false }; // never fetch from other services
  return async (document) => (await Defuddle(document, undefined, options)).content;
}

async function readability() {
  const { Readability } = await import("@mozilla/readability");
  return (document) => new Readability(document).parse()?.content; // null if it finds no article
}

async function withDocument(read) {
  const { JSDOM } = await import("jsdom");
  return async (page) => {
    const { window } = new JSDOM(page);
    try {
      return await read(window.document);
    } finally {
      window.close();
    }
  };
}

const answer = (row) => process.stdout.write(JSON.stringify(row) + "\n");
const failure = (error) => ({ error: String(error).slice(0, 1000) });

try {
  const extractor = { defuddle, "readability-js": readability }[process.argv.at(-1)];
  const read = await withDocument(await extractor());
  answer({});
  for await (const line of createInterface({ input: process.stdin })) {
    try {
      answer({ html: (await read(JSON.parse(line))) ?? "" });
    } catch (error) {
      answer(failure(error));
    }
  }
} catch (error) {
  answer(failure(error));
}
