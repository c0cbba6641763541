// Medians, spreads and ratios. Pure.

/** The quantile of a sorted list, interpolated linearly. */
export function quantile(sorted, share) {
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below);
}

/** The median and the quartiles. */
export function spread(values) {
  const sorted = Float64Array.from(values).sort();
  const [low, median, high] = [0.25, 0.5, 0.75].map((share) => quantile(sorted, share));
  return { low, median, high };
}

/** The spread of `a / b`, by round. */
export const ratio = (a, b) => spread(a.map((value, round) => value / b[round]));

/** Shuffles reproducibly: Fisher-Yates with mulberry32. */
export function shuffle(list, seed) {
  const shuffled = [...list];
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other], shuffled[last]];
  }
  return shuffled;
}
