// Inside the ruler: a frame without an origin, in which this script alone may run. It lays out the copy of a page that
// it is sent, and reports where the numbered nodes stand.
//
// The copy is read by a parser that runs nothing, and is looked through once more before it comes into the document.

const ALLOWED_ATTRIBUTES = new Set("[[attributes]]".split(" "));
const ACTIVE = "script, meta, base, link, iframe, frame, object, embed, portal, form[action], svg, math, template";

addEventListener("message", async ({ data, ports: [answer] }) => {
  const page = new DOMParser().parseFromString(data, "text/html");
  for (const element of page.querySelectorAll(ACTIVE)) element.remove();
  for (const element of page.querySelectorAll("*")) removeAttributes(element);
  document.replaceChild(document.adoptNode(page.documentElement), document.documentElement);
  await hasRoom();
  await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  answer.postMessage(measured());
}, { once: true });

// The frame may live in a process of its own, which hears of its size only some time after it has loaded.
async function hasRoom() {
  while (!innerWidth) await new Promise((done) => setTimeout(done, 5));
}

function removeAttributes(element) {
  for (const { name, value } of [...element.attributes]) {
    const isPicture = name === "src" && value.startsWith("data:image/");
    if (!ALLOWED_ATTRIBUTES.has(name) && !isPicture) element.removeAttribute(name);
  }
}

// Five numbers a node: its number, left, top, right and bottom; nodes without room are left out.
function measured() {
  const width = document.documentElement.clientWidth, boxes = [];
  for (const element of document.querySelectorAll("[data-n]")) {
    const box = rect(element, width);
    if (box) boxes.push(Number(element.dataset.n), box.left, box.top, box.right, box.bottom);
  }
  const height = Math.max(document.documentElement.scrollHeight, document.body?.scrollHeight ?? 0);
  return { boxes: Float64Array.from(boxes), height };
}

// An empty element, such as one that holds only floats, gets the box of its content.
function rect(element, width) {
  let box = inside(element.getBoundingClientRect(), width);
  if (!box) for (const child of [...element.children].slice(0, 50)) box = around(box, inside(child.getBoundingClientRect(), width));
  return box;
}

function inside({ left, top, right, bottom }, width) {
  const box = { left: Math.max(0, left), top: Math.max(0, top), right: Math.min(width, right), bottom };
  return box.right > box.left && box.bottom > box.top ? box : null;
}

function around(one, other) {
  if (!one || !other) return one ?? other;
  return {
    left: Math.min(one.left, other.left), top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right), bottom: Math.max(one.bottom, other.bottom),
  };
}
