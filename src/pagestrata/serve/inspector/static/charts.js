// Small pictures, as SVG: bars to both sides of zero, a curve, points on a line.

const SPACE = "http://www.w3.org/2000/svg";

export function svg(name, attributes = {}, ...inside) {
  const element = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...inside);
  return element;
}

export function h(name, attributes = {}, ...inside) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== false && value !== null) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...inside.filter((each) => each !== null && each !== undefined));
  return element;
}

// What each signal adds to the log odds, the strongest first.
export function signalBars(signals) {
  const rows = Object.entries(signals).filter(([, value]) => value).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  const widest = Math.max(1e-9, ...rows.map(([, value]) => Math.abs(value)));
  return h("ul", { class: "signals" }, ...rows.map(([name, value]) => {
    const bar = h("i", { class: value < 0 ? "against" : "for" });
    bar.style.width = `${(Math.abs(value) / widest) * 50}%`;
    return h("li", {}, h("span", { class: "name" }, name), h("span", { class: "bar", "aria-hidden": "true" }, bar),
      h("span", { class: "value" }, (value > 0 ? "+" : "−") + Math.abs(value).toFixed(2)));
  }));
}

// How badly fresh pages fit after each page that was learned from.
export function curve(points) {
  const width = 360, height = 150, left = 38, bottom = 26, top = 8;
  const most = Math.max(0.05, ...points.map((point) => point.distance)) * 1.1;
  const x = (count) => left + ((count - 1) / Math.max(1, points.length - 1)) * (width - left - 12);
  const y = (distance) => top + (1 - distance / most) * (height - top - bottom);
  const label = (at, text, anchor = "middle") => svg("text", { x: at[0], y: at[1], "text-anchor": anchor }, text);
  const line = points.map((point, i) => `${i ? "L" : "M"}${x(point.pages)} ${y(point.distance)}`).join("");
  const last = points[points.length - 1];
  return svg("svg", {
    viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img",
    "aria-label": `Distance of fresh pages: ${points[0].distance.toFixed(2)} after one page, ${last.distance.toFixed(2)} after ${last.pages}`,
  },
  ...[0, most / 2, most].flatMap((value) => [
    svg("line", { x1: left, x2: width - 6, y1: y(value), y2: y(value), class: "grid" }),
    label([left - 6, y(value) + 4], value.toFixed(2), "end"),
  ]),
  svg("path", { d: `${line}L${x(last.pages)} ${y(0)}L${x(1)} ${y(0)}Z`, class: "area" }),
  svg("path", { d: line, class: "line" }),
  ...points.map((point) => svg("circle", { cx: x(point.pages), cy: y(point.distance), r: 3.5, class: "dot" },
    svg("title", {}, `${point.pages} pages: ${point.nodes} nodes, distance ${point.distance.toFixed(3)}`))),
  ...points.filter((_, i) => points.length < 9 || i % 2 === 0).map((point) => label([x(point.pages), height - 8], point.pages)));
}

// How far pages are from the template: those learned from above the line, later ones below it.
export function driftLine(distances, recent) {
  const width = 360, height = 74, left = 8;
  const most = Math.max(0.4, ...distances, ...recent);
  const x = (value) => left + (value / most) * (width - 2 * left);
  const dots = (values, y, kind) => values.map((value) => svg("circle", { cx: x(value), cy: y, r: 4, class: kind }));
  const label = (at, text, anchor = "start") => svg("text", { x: at[0], y: at[1], "text-anchor": anchor }, text);
  return svg("svg", {
    viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img",
    "aria-label": `Distances from the template: ${distances.length} pages learned from, ${recent.length} later pages`,
  },
  svg("line", { x1: left, x2: width - left, y1: 42, y2: 42, class: "axis" }),
  ...dots(distances, 32, "then"), ...dots(recent, 52, "now"),
  label([left, 16], `learned from (${distances.length})`), label([left, 70], `later (${recent.length})`),
  label([width - left, 70], most.toFixed(1), "end"));
}
