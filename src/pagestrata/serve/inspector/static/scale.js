// Colours of importance. The stops are those of render/scale.py: sand, teal, indigo; the darker, the more important.
const STOPS = JSON.parse("[[stops]]");

export function colour(importance) {
  const place = Math.min(Math.max(importance, 0), 1) * (STOPS.length - 1);
  const first = Math.min(Math.floor(place), STOPS.length - 2);
  return STOPS[first].map((low, i) => Math.round(low + (STOPS[first + 1][i] - low) * (place - first)));
}

export const rgb = (importance, alpha = 1) => `rgb(${colour(importance).join(" ")} / ${alpha})`;

// Black or white letters, whichever stands out more: 4.5 to 1 at least (WCAG), as 0.179 is where both are equal.
export const ink = (importance) => (luminance(colour(importance)) > 0.179 ? "#000" : "#fff");

function luminance(parts) {
  const [red, green, blue] = parts.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export const gradient = () => `linear-gradient(90deg, ${[0, 0.25, 0.5, 0.75, 1].map((at) => rgb(at)).join(", ")})`;
