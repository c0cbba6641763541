// Generates public/contract.html from docs/contract.md, so that every service serves its own contract.
// `npm run contract-page` writes it; a test checks that it is up to date.

import { readFileSync, writeFileSync } from "node:fs";
import { Marked } from "marked";

/** The page as it should be. */
export function contractPage() {
  const marked = new Marked({
    renderer: {
      // The anchors that `type` in a problem document and the page's own links point at.
      heading({ tokens, depth, text }) {
        const id = text
          .toLowerCase()
          .replace(/[^\w\s-]/g, "")
          .replaceAll(" ", "-");
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
  });
  const contract = marked.parse(readFileSync("docs/contract.md", "utf8"));
  return `<!doctype html>
<!-- Made of docs/contract.md by scripts/contract-page.js. -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The contract</title>
<link rel="stylesheet" href="style.css">
<link rel="stylesheet" href="contract.css">
</head>
<body>
<main class="document">
${contract}</main>
</body>
</html>
`;
}

if (import.meta.main) writeFileSync("public/contract.html", contractPage());
