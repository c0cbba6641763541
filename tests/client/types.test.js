// client.d.ts declares what client.js is.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { promisify } from "node:util";

const run = promisify(execFile);
const check = [
  ...[
    "--ignoreConfig",
    "--noEmit",
    "--strict",
    "--exactOptionalPropertyTypes",
    "--allowJs",
    "--checkJs",
  ],
  ...["--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom,dom.iterable"],
  ...["--types", ""],
];

/** The compiler's errors in a file. */
const compile = (file) =>
  run("tsc", [...check, file]).then(
    () => "",
    ({ stdout, message }) => stdout || message,
  );

test("the types of the client are those of its code, and the other way round", async () => {
  // Beside its declarations the compiler would not look at the code: so it gets another name.
  const folder = ".wrangler/client-types";
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync("public/client.d.ts", `${folder}/client.d.ts`);
  copyFileSync("public/client.js", `${folder}/code.js`);
  const same = (of, is) => `export const ${of}IsDeclared: typeof ${is} = ${of};\n`;
  writeFileSync(
    `${folder}/same.ts`,
    `import * as declared from "./client.js";\nimport * as code from "./code.js";\n${same("code", "declared")}${same("declared", "code")}`,
  );
  assert.equal(await compile(`${folder}/same.ts`), "");
});

test("a program in TypeScript can use it, and its mistakes are noticed", async () => {
  assert.equal(await compile("tests/client/usage.ts"), "");
});
