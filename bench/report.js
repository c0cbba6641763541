// Formats the figures as Markdown tables, for the terminal and for docs/performance.md.

import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { BASELINE, EINMAL, MIDDLEWARE, PORT, SEQUENTIAL } from "./candidates.js";
import { ratio, spread } from "./figures.js";
import { LOADS } from "./loads.js";

/** Einmal is compared with these. */
const OTHERS = [BASELINE, PORT, SEQUENTIAL, MIDDLEWARE];

/**
 * Every table by its name, as in the document's markers.
 * @param {object} results
 * @param {import("./rounds.js").Cell[]} results.cells
 * @param {object[]} results.costs
 * @param {object[]} results.starts
 * @param {import("./candidates.js").Candidate[]} results.candidates
 * @param {string[]} results.machine lines that describe it
 * @returns {Record<string, string>}
 */
export function tables({ cells, costs, starts, candidates, machine }) {
  const loads = [...new Set(cells.map(({ load }) => load))];
  return {
    ratios: ratios(cells, "rates"),
    processor: ratios(cells, "processor"),
    growth: growth(cells),
    noise: noise(cells, candidates.at(-1).name),
    costs: costTable(costs),
    oversold: oversold(cells),
    startup: startup(starts),
    sizes: sizes(candidates),
    machine: machine.map((line) => `- ${line}`).join("\n"),
    ...Object.fromEntries(loads.map((load) => [load, absolute(cells, load)])),
  };
}

/** Replaces the tables between their markers in a document; throws if a marker is missing. */
export function writeTables(path, named) {
  let text = readFileSync(path, "utf8");
  for (const [name, table] of Object.entries(named)) {
    const [begin, end] = [`<!-- bench: ${name} -->`, `<!-- bench: end of ${name} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`expected ${begin} and ${end} in ${path}`);
    text = `${text.slice(0, from + begin.length)}\n${table}\n${text.slice(to)}`;
  }
  writeFileSync(path, text);
}

/** A cell's neighbours: the same load at the same size, by candidate. */
function neighbours(cells, { load, existing }) {
  const here = cells.filter((cell) => cell.load === load && cell.existing === existing);
  return (name) => here.find(({ candidate }) => candidate === name);
}

/** Einmal's requests a second, or its processor time, against those of the others. */
function ratios(cells, figure) {
  const rows = cells
    .filter(({ candidate }) => candidate === EINMAL)
    .map((cell) => {
      const against = neighbours(cells, cell);
      const shares = OTHERS.map((name) => times(ratio(cell[figure], against(name)[figure])));
      return [cell.load, whole(cell.existing), ...shares];
    });
  return table(["load", "existing", ...OTHERS.map((name) => `÷ ${name}`)], byLoad(rows));
}

function growth(cells) {
  const smallest = Math.min(...cells.map(({ existing }) => existing));
  const rows = cells
    .filter(({ existing, candidate }) => existing > smallest && candidate !== BASELINE)
    .map((cell) => {
      const base = neighbours(cells, { ...cell, existing: smallest })(cell.candidate);
      const share = times(ratio(cell.rates, base.rates));
      return [cell.load, whole(cell.existing), cell.candidate, share];
    });
  const head = ["load", "existing", "candidate", `requests/s ÷ those at ${whole(smallest)}`];
  return table(head, byLoad(rows));
}

function noise(cells, again) {
  const rows = cells
    .filter(({ candidate }) => candidate === again)
    .map((cell) => {
      const einmal = neighbours(cells, cell)(EINMAL);
      const each = cell.rates.map((rate, round) => rate / einmal.rates[round]);
      return [
        ...[cell.load, whole(cell.existing), times(spread(each))],
        `${decimals(Math.min(...each), 2)}–${decimals(Math.max(...each), 2)}`,
        times(ratio(cell.processor, einmal.processor)),
      ];
    });
  const head = ["load", "existing", `${again} ÷ ${EINMAL}`, "minimum–maximum of a round"];
  return table([...head, "CPU time, likewise"], byLoad(rows));
}

function costTable(costs) {
  const rows = costs.map(({ candidate, load, existing, calls, read, written }) => [
    ...[load, whole(existing), candidate],
    ...[calls, read, written].map((count) => whole(count, 2)),
  ]);
  return table(
    ["load", "existing", "candidate", "D1 calls", "rows read", "rows written"],
    byLoad(rows),
  );
}

function oversold(cells) {
  const rows = cells
    .filter(({ load, candidate }) => load === "crowd" && candidate !== BASELINE)
    .map(({ candidate, existing, oversold: places }) => [
      whole(existing),
      candidate,
      whole(places),
    ]);
  return table(["existing", "candidate", "places reserved beyond the capacity"], rows);
}

function startup(starts) {
  const port = starts.find(({ candidate }) => candidate === PORT);
  const rows = starts.map(({ candidate, milliseconds }) => [
    ...[candidate, times(ratio(milliseconds, port.milliseconds))],
    within(spread(milliseconds), 1),
  ]);
  return table(["candidate", `÷ ${PORT}`, "ms"], rows);
}

function sizes(candidates) {
  const rows = candidates.flatMap(({ name, modules }) =>
    Object.entries(modules).map(([file, { contents }]) => {
      const bytes = Buffer.from(contents);
      const kind = file.endsWith(".wasm") ? "WebAssembly" : "JavaScript";
      return [name, kind, whole(bytes.length), whole(gzipSync(bytes, { level: 9 }).length)];
    }),
  );
  return table(["candidate", "file", "bytes", "bytes gzip"], rows);
}

function absolute(cells, load) {
  const rows = cells
    .filter((cell) => cell.load === load)
    .map(({ candidate, existing, rates, p50, p99, processor }) => [
      ...[whole(existing), candidate, within(spread(rates), 0)],
      ...[p50, p99, processor].map((values) => within(spread(values), 1)),
    ]);
  const head = ["existing", "candidate", "requests/s", "p50 ms", "p99 ms", "CPU ms"];
  return `${LOADS[load].label}; ${LOADS[load].connections} connections:\n\n${table(head, rows)}`;
}

/** Rows whose first column is a load, load by load. */
function byLoad(rows) {
  const order = Object.keys(LOADS);
  return rows.toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b));
}

/** The first row and column to the left, numbers to the right. */
function table(head, rows) {
  const widths = head.map((title, column) =>
    Math.max(...[title, ...rows.map((row) => row[column])].map((text) => text.length)),
  );
  const isNumber = head.map((_, column) =>
    rows.every((row) => /^[\d.,–() ]+$|^–$/.test(row[column])),
  );
  const line = (cells) =>
    `| ${cells.map((text, n) => (isNumber[n] ? text.padStart(widths[n]) : text.padEnd(widths[n]))).join(" | ")} |`;
  const rule = `| ${widths.map((width, n) => "-".repeat(width - 1) + (isNumber[n] ? ":" : "-")).join(" | ")} |`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}

/** A median with its quartiles, as a factor. */
const times = (figures) => within(figures, 2);

function within({ low, median, high }, places) {
  if (!Number.isFinite(median)) return "–";
  const [from, middle, to] = [low, median, high].map((value) => decimals(value, places));
  return `${middle} (${from}–${to})`;
}

const decimals = (value, places) => value.toFixed(places);

const whole = (value, places = 0) =>
  value.toLocaleString("en", { maximumFractionDigits: places, useGrouping: true });
