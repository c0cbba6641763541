// The rules that a compiler does not know: words, long lines, dead files, dead links, lists kept by
// hand, and which folder may import which. Reads the files that git tracks, or is about to.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { Marked } from "marked";

const LINE_LENGTH_MAX = 120;

const listing = ["ls-files", "--cached", "--others", "--exclude-standard"];
const files = execFileSync("git", listing, { encoding: "utf8" })
  .trim()
  .split("\n")
  // A file that is deleted stays listed until that is committed.
  .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
const texts = new Map(
  files
    .filter((file) => !/\.(png|lock|svg)$|package-lock\.json$|^LICENSE/.test(file))
    .map((file) => [file, readFileSync(file, "utf8")]),
);
const ofType = (...types) => [...texts].filter(([file]) => types.includes(file.split(".").pop()));

/** Fails with one line for each problem. */
function assertNone(problems) {
  assert.equal(problems.join("\n"), "");
}

/** Phrases that sound translated, and what the field says. */
const PHRASES = {
  "also if": "even if",
  "also when": "even when",
  "also where": "even where",
  "also without": "even without",
  anew: "again, or a new request",
  "are told": "receive, learn",
  "bring about": "cause",
  "heard of": "received",
  "hears of": "receives",
  "is believed": "is trusted",
  "is nobody's": "belongs to no one",
  "is none of": "is not one of, does not belong to",
  "is told": "receives, learns",
  "it is not known who": "authentication required",
  judged: "compared, validated",
  "lets a request pass": "accepts the request",
  "not believed": "is ignored",
  "passes by itself": "is transient",
  "somebody else asks": "the actor has changed",
  "the fewest": "the minimum",
  "there is nothing here": "not found",
  "to the letter": "exactly",
  "uses up no key": "does not consume the key",
  "was told": "received",
  "who asks": "the actor, the client",
  whoever: "anyone who, the reader, the caller",
};

test("words: the terms of the field instead of phrases that sound translated", () => {
  // A phrase may go on in the next line of a comment.
  const gap = /\s+(?:(?:\/\/[/!]?|\*|--|#)\s+)?/g;
  const phrases = Object.keys(PHRASES).map((phrase) => phrase.replaceAll(" ", gap.source));
  const pattern = new RegExp(`\\b(?:${phrases.join("|")})\\b`, "gi");
  const problems = [...texts].flatMap(([file, text]) => {
    if (file === "tests/docs/tidy.test.js") return [];
    return [...text.matchAll(pattern)].map(({ 0: phrase, index }) => {
      const plain = phrase.replaceAll(gap, " ").toLowerCase();
      const line = text.slice(0, index).split("\n").length;
      return `${file}:${line}: "${plain}"; say: ${PHRASES[plain]}`;
    });
  });
  assertNone(problems);
});

test(`line length: at most ${LINE_LENGTH_MAX} characters, but for what cannot be broken`, () => {
  const unbreakable = [
    /https?:\/\//,
    // D1's import splits a migration at semicolons, so a trigger is one line.
    /^CREATE TRIGGER /,
    // One text: a message, the title of a test, data.
    /^\s*(?:[\w.]+: |\w+\(|(?:const|let) \w+ = )*(?:"|'|`|b?r?#*").*["'`]#*[,;)]*$/,
    /^\s*test\(".*", (?:async )?\(\w*\) => \{$/,
  ];
  const problems = ofType("rs", "js", "sql", "sh", "ts").flatMap(([file, text]) =>
    text.split("\n").flatMap((line, index) => {
      const { length } = line;
      if (length <= LINE_LENGTH_MAX || unbreakable.some((rule) => rule.test(line))) return [];
      return [`${file}:${index + 1}: ${length} characters`];
    }),
  );
  assertNone(problems);
});

test("dead files: each file of code is used by another one", () => {
  const code = [...texts].filter(([file]) => !file.endsWith(".md"));
  const problems = ofType("js", "sql", "rs", "sh", "css").flatMap(([file]) => {
    if (isEntry(file)) return [];
    const reference = referenceTo(file);
    const isUsed = code.some(([other, text]) => other !== file && reference.test(text));
    return isUsed ? [] : [`${file}: nothing names it`];
  });
  assertNone(problems);
});

/** Files that a tool finds by itself: suites, the targets of Cargo, migrations. */
function isEntry(file) {
  return (
    file.endsWith(".test.js") ||
    /(^|\/)(src\/lib|tests\/\w+\/main|src\/main)\.rs$/.test(file) ||
    /(^|\/)migrations\/\d{4}_\w+\.sql$/.test(file)
  );
}

/** How another file names this one: by a path, in Rust as a module, in SQL without the ending. */
function referenceTo(file) {
  const name = basename(file);
  const [stem] = name.split(".");
  const folder = basename(dirname(file));
  if (file.endsWith(".rs")) return new RegExp(`\\bmod ${stem === "mod" ? folder : stem};`);
  if (file.endsWith(".sql"))
    return new RegExp(`["'\`/]${stem}(?:\\.sql)?["'\`]|\\b${stem}\\.sql\\b`);
  // Several folders have one of this name, so the folder is part of it.
  const path = ["main", "index"].includes(stem)
    ? `(?:${folder}|\\.)/${name}`
    : `(?<![\\w-])${name}`;
  return new RegExp(path.replaceAll(".js", "\\.js"));
}

const marked = new Marked();
const pages = new Map(
  ofType("md").map(([file, text]) => {
    const [links, anchors] = [[], []];
    marked.walkTokens(marked.lexer(text), (token) => {
      if (token.type === "heading") anchors.push(anchorOf(token.text, anchors));
      if (token.type === "link" || token.type === "image") links.push(token.href);
    });
    return [file, { links, anchors }];
  }),
);

/** The anchor of a heading, as GitHub makes it. */
function anchorOf(heading, taken) {
  const anchor = heading
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
  const same = taken.filter((other) => other === anchor || other.startsWith(`${anchor}-`)).length;
  return taken.includes(anchor) ? `${anchor}-${same}` : anchor;
}

test("links: every relative link in Markdown leads to a file, and to a heading of it", () => {
  const problems = [...pages].flatMap(([file, { links }]) =>
    links.flatMap((link) => {
      if (/^[a-z]+:|^\//.test(link)) return [];
      const [path, anchor] = link.split("#");
      const target = path === "" ? file : normalize(join(dirname(file), path));
      if (!existsSync(target)) return [`${file}: there is no ${target}`];
      const page = pages.get(target);
      if (anchor === undefined || page === undefined || page.anchors.includes(anchor)) return [];
      return [`${file}: ${target} has no heading #${anchor}`];
    }),
  );
  assertNone(problems);
});

test("lists: the suites of scripts/test.js are the folders with tests, and the rows of tests/README.md", () => {
  const source = texts.get("scripts/test.js");
  const suites = [...source.matchAll(/^ {2}\{ name: "([^"]+)", command: (.*) \},$/gm)];
  const named = suites.map(([, name]) => name).sort();
  const run = suites.flatMap(([, , command]) => {
    const [, folder, target] = /"tests\/(\w+)"|"--test", "(\w+)"/.exec(command) ?? [];
    return folder ?? target ?? [];
  });
  const withTests = files.flatMap(
    (file) => /^tests\/(\w+)\/(?:.*\.test\.js|main\.rs)$/.exec(file)?.[1] ?? [],
  );
  const rows = [...texts.get("tests/README.md").matchAll(/^\| (`.*?`) \|/gm)];
  const listed = rows.flatMap(([, cell]) => cell.split(", ").map((name) => name.slice(1, -1)));
  assert.deepEqual([...new Set(run)].sort(), [...new Set(withTests)].sort());
  assert.deepEqual(listed.sort(), named);
});

test("lists: every npm script that a text names is one of package.json", () => {
  const { scripts } = JSON.parse(texts.get("package.json"));
  const problems = [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/\bnpm run (?:-s |--silent )?([a-z][\w:-]*)/g)]
      .filter(([, name]) => !(name in scripts))
      .map(([line]) => `${file}: ${line}`),
  );
  assertNone(problems);
});

test("imports: a product imports no test folder, and a tool none but tests/support", () => {
  const products = /^(public|organiser|conformance|bench\/workers|src|worker|examples)\//;
  const tools = /^(scripts|bench)\//;
  const problems = ofType("js", "ts", "rs").flatMap(([file, text]) => {
    if (!products.test(file) && !tools.test(file)) return [];
    const paths = text.matchAll(
      /(?:\bfrom |\bimport[ (]|include_\w+!\(|#\[path = )\s*"(\.[^"]*)"/g,
    );
    const targets = [...paths].map(([, path]) => normalize(join(dirname(file), path)));
    return targets
      .filter((target) => target.startsWith("tests/"))
      .filter((target) => products.test(file) || !target.startsWith("tests/support/"))
      .map((target) => `${file}: imports ${target}`);
  });
  assertNone(problems);
});
