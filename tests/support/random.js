// Reproducible random values.

/**
 * @param {number} seed a whole number
 * @returns `random`, at least 0 and below 1; `below(bound)`, a whole number; `pick` one of what
 *   it is given; `often` the first, or one of the others; `uuid` of version 4
 */
export function seeded(seed) {
  // Mulberry32.
  let state = seed >>> 0;
  function random() {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (bound) => Math.floor(random() * bound);
  const pick = (...choices) => choices[below(choices.length)];
  const often = (usual, ...choices) => (random() < 0.7 ? usual : pick(...choices));
  function uuid() {
    const digits = Array.from({ length: 32 }, () => below(16).toString(16)).join("");
    const parts = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/.exec(digits).slice(1);
    return `${parts[0]}-${parts[1]}-4${parts[2]}-${pick("8", "9", "a", "b")}${parts[3]}-${parts[4]}`;
  }
  return { random, below, pick, often, uuid };
}
