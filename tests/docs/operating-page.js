// Parses docs/operating.md for the tests.

import { readFileSync } from "node:fs";

const page = readFileSync("docs/operating.md", "utf8");

/** The text below a heading, up to the next heading. */
export function section(heading) {
  const start = page.search(new RegExp(`^#+ ${heading}$`, "m"));
  if (start < 0) throw new Error(`docs/operating.md has no section ${heading}`);
  const [text] = page.slice(page.indexOf("\n", start)).split(/^#+ /m);
  return text;
}

/** The fenced blocks of a language in a text, also those within a list. */
export function blocks(language, text = page) {
  const pattern = new RegExp(`^ *\`\`\`${language}\\n(.*?)^ *\`\`\`$`, "gms");
  return [...text.matchAll(pattern)].map(([, block]) => block);
}

/** The rows of the only table in a text, without its head, each as its cells. */
export function table(text) {
  const rows = text.split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

/** Every command of the page, with its continued lines. */
export function commands() {
  return blocks("sh").flatMap((block) =>
    block
      .replaceAll("\\\n", " ")
      .split("\n")
      .map((line) => line.replace(/(^|\s)#.*$/, "").trim())
      .filter((line) => line !== ""),
  );
}
