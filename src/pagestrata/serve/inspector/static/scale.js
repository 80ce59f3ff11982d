// Colours of importance: sand, teal, indigo. Lightness falls all the way, so that the scale can be read
// without seeing hues, and by those who do not tell red from green.
const STOPS = [[233, 205, 132], [128, 184, 138], [47, 143, 150], [45, 90, 146], [46, 42, 110]];

export function colour(importance) {
  const place = Math.min(Math.max(importance, 0), 1) * (STOPS.length - 1);
  const first = Math.min(Math.floor(place), STOPS.length - 2);
  return STOPS[first].map((low, i) => Math.round(low + (STOPS[first + 1][i] - low) * (place - first)));
}

export const rgb = (importance, alpha = 1) => `rgb(${colour(importance).join(" ")} / ${alpha})`;

// Dark letters on the light half, white ones on the dark half.
export const ink = (importance) => (importance < 0.55 ? "#14171f" : "#fff");

export const gradient = () => `linear-gradient(90deg, ${[0, 0.25, 0.5, 0.75, 1].map((at) => rgb(at)).join(", ")})`;
