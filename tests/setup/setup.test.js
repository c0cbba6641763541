// scripts/setup.sh in a copy of its own, with stand-ins for the programs that it runs: what it
// installs, when, and what it states when that fails.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

const versions = readFileSync("scripts/versions.sh", "utf8");
const [, WASM_BINDGEN] = /^WASM_BINDGEN_VERSION=(.*)$/m.exec(versions);
const [, WORKER_BUILD] = /^WORKER_BUILD_VERSION=(.*)$/m.exec(versions);

const CLI = `cargo install wasm-bindgen-cli =${WASM_BINDGEN}: wasm-bindgen wasm-bindgen-test-runner`;
const BUILD = `cargo install worker-build =${WORKER_BUILD}: worker-build`;

/** A run takes far less here, unless something that should have ended still runs. */
const RUN_MS_MAX = 20_000;

const folders = [];
const groups = [];
after(() => {
  for (const group of groups) end(group);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/**
 * Each stand-in logs that it was run. A file `$here/<program>-fails` makes it fail, and
 * `$here/<program>-waits` makes it wait until that file is gone.
 */
const START = `#!/bin/sh
set -eu
began() {
  echo "$1" >>"$here/log"
  while [ -f "$here/$2-waits" ]; do sleep 0.05; done
  [ ! -f "$here/$2-fails" ] || { echo "$2: no network" >&2; exit 101; }
}
program() { mkdir -p "\${2%/*}" && printf '#!/bin/sh\\necho "%s"\\n' "$1" >"$2" && chmod +x "$2"; }
`;

/** `cargo install`, and as cargo-binstall `cargo binstall`: programs that state their version. */
const INSTALLER = `command=$1; shift
root= version= crate= programs= force=
while [ $# -gt 0 ]; do
  case $1 in
    --root) root=$2; shift ;;
    --version) version=$2; shift ;;
    --bin) programs="$programs $2"; shift ;;
    --force) force=yes ;;
    --disable-strategies) shift ;;
    -*) ;;
    *) crate=$1 ;;
  esac
  shift
done`;

const STAND_INS = {
  cargo: `[ "$1" != binstall ] || exec cargo-binstall "$@"
${INSTALLER}
mkdir -p "$CARGO_TARGET_DIR"
echo "$CARGO_TARGET_DIR $CARGO_PROFILE_RELEASE_OPT_LEVEL" >>"$here/compiling"
began "cargo $command $crate $version:$programs" cargo
for name in $programs; do
  [ -n "$force" ] || [ ! -e "$root/bin/$name" ] || exit 101
  program "$name \${version#=}" "$root/bin/$name"
done`,

  npm: `began "npm $1" npm
program "" node_modules/.bin/wrangler
program 24 node_modules/.bin/node`,

  rustc: `case $1 in
  --version) echo "rustc 1.95.0 (0 2026-01-01)" ;;
  --print) echo "$here/target" ;;
esac`,

  rustup: `began "rustup $*" rustup
mkdir -p "$here/target"
touch "$here/target/libcore-0.rlib" "$here/target/libtest-0.rlib"`,

  // Never the machine's own: a test installs nothing.
  "apt-get": "exit 1",
  cc: "exit 1",
  curl: "exit 1",
};

const BINSTALL = `${INSTALLER}
began "$command $crate $version" binstall
case $crate in
  wasm-bindgen-cli) programs="wasm-bindgen wasm-bindgen-test-runner wasm2es6js" ;;
  *) programs=$crate ;;
esac
[ -f "$here/other-version" ] && version==9.9.9
for name in $programs; do program "$name \${version#=}" "$root/bin/$name"; done`;

/** A machine with nothing but the stand-ins, and a copy of what set-up reads. */
function machine({ binstall = false, target = true } = {}) {
  const here = mkdtempSync(join(tmpdir(), "einmal setup "));
  folders.push(here);
  const project = join(here, "project");
  const programs = join(here, "programs");
  mkdirSync(programs);
  cpSync("scripts", join(project, "scripts"), { recursive: true });
  for (const name of ["Cargo.toml", "package-lock.json"]) cpSync(name, join(project, name));
  const add = (name, script) => {
    writeFileSync(join(programs, name), `${START}here='${here}'\n${script}\n`);
    chmodSync(join(programs, name), 0o755);
  };
  for (const [name, script] of Object.entries(STAND_INS)) add(name, script);
  if (binstall) add("cargo-binstall", BINSTALL);
  symlinkSync(process.execPath, join(programs, "node"));
  if (target) {
    mkdirSync(join(here, "target"));
    for (const name of ["core", "test"])
      writeFileSync(join(here, "target", `lib${name}-0.rlib`), "");
  }

  const file = (name) => join(here, name);
  const lines = (name) =>
    existsSync(file(name)) ? readFileSync(file(name), "utf8").trim().split("\n") : [];
  const begin = () => {
    rmSync(file("log"), { force: true });
    const child = spawn("sh", ["scripts/setup.sh"], {
      cwd: project,
      env: { PATH: `${programs}:/usr/bin:/bin` },
      stdio: ["ignore", "pipe", "pipe"],
      // A process group of its own, as a shell gives to what is typed: Ctrl-C reaches all of it.
      detached: true,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    groups.push(child.pid);
    let late = false;
    const deadline = setTimeout(() => {
      late = true;
      end(child.pid);
    }, RUN_MS_MAX);
    const ended = once(child, "close").then(([code]) => {
      clearTimeout(deadline);
      assert.ok(!late, `expected an end within ${RUN_MS_MAX} ms, found none after:\n${output}`);
      return { code, output, log: lines("log") };
    });
    return { child, ended };
  };
  return {
    project,
    begin,
    run: () => begin().ended,
    lines,
    set: (name) => writeFileSync(file(name), ""),
    unset: (name) => rmSync(file(name), { force: true }),
    /** Until every one of these lines is logged. */
    async logged(...wanted) {
      const deadline = Date.now() + 10_000;
      while (!wanted.every((line) => lines("log").includes(line))) {
        if (Date.now() > deadline) assert.fail(`expected ${wanted}, found ${lines("log")}`);
        await pause(20);
      }
    },
  };
}

/** Ends what a failed test has left. */
function end(group) {
  try {
    process.kill(-group, "SIGKILL");
  } catch (error) {
    assert.equal(error.code, "ESRCH");
  }
}

/** Until no process of the group is left. */
async function gone(group) {
  const deadline = Date.now() + 5000;
  while (Date.now() < deadline) {
    try {
      process.kill(-group, 0);
    } catch (error) {
      assert.equal(error.code, "ESRCH");
      return;
    }
    await pause(20);
  }
  assert.fail("expected every program to have ended, but one still runs");
}

/** npm runs beside cargo, so the order of their lines is open. */
function assertLog({ log }, ...expected) {
  assert.deepEqual(log.toSorted(), expected.toSorted());
}

test("the first run installs the npm packages and three pinned programs, the second nothing", async () => {
  const { project, run, lines } = machine();
  const first = await run();
  assert.equal(first.code, 0, first.output);
  assertLog(first, "npm ci", CLI, BUILD);
  assert.ok(!existsSync(join(project, ".tools/compiling")), "the compiler's files are left");

  // One folder for both, so that crates in common are compiled once, and no optimization.
  const compiling = lines("compiling");
  assert.equal(compiling.length, 2);
  assert.equal(new Set(compiling).size, 1);
  assert.match(compiling[0], /\/\.tools\/compiling 0$/);

  const second = await run();
  assert.deepEqual(second, { code: 0, output: "", log: [] });
});

test("the first run of every command leaves nothing for another one to compile", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  for (const name of ["start", "test", "check", "build", "deploy"]) {
    assert.match(scripts[name], /^sh scripts\/run\.sh /, name);
  }
  assert.match(readFileSync("scripts/run.sh", "utf8"), /^sh scripts\/setup\.sh \$with$/m);
});

test("npm and the compiler run at the same time", async () => {
  const { begin, set, unset, logged } = machine();
  set("npm-waits");
  set("cargo-waits");
  const { ended } = begin();
  await logged("npm ci", CLI);
  unset("cargo-waits");
  await logged(BUILD);
  unset("npm-waits");
  const { code, output } = await ended;
  assert.equal(code, 0, output);
});

test("a tool of another version is replaced, and only that", async () => {
  const { project, run } = machine();
  await run();
  writeFileSync(join(project, ".tools/bin/worker-build"), "#!/bin/sh\necho 0.0.1\n");
  const again = await run();
  assert.equal(again.code, 0, again.output);
  assertLog(again, BUILD);
});

test("a missing test runner is compiled together with wasm-bindgen", async () => {
  const { project, run } = machine();
  await run();
  rmSync(join(project, ".tools/bin/wasm-bindgen-test-runner"));
  assertLog(await run(), CLI);
});

test("other npm packages are installed again", async () => {
  const { project, run } = machine();
  await run();
  writeFileSync(join(project, "package-lock.json"), "{}");
  assertLog(await run(), "npm ci");
});

test("with cargo-binstall both tools are downloaded, as exactly pinned, and nothing is compiled", async () => {
  const { run } = machine({ binstall: true });
  const first = await run();
  assert.equal(first.code, 0, first.output);
  assertLog(
    first,
    "npm ci",
    `binstall wasm-bindgen-cli =${WASM_BINDGEN}`,
    `binstall worker-build =${WORKER_BUILD}`,
  );
  assert.deepEqual(await run(), { code: 0, output: "", log: [] });
});

for (const [trouble, file] of [
  ["fails", "binstall-fails"],
  ["brings another version", "other-version"],
]) {
  test(`when cargo-binstall ${trouble}, both tools are compiled`, async () => {
    const { run, set } = machine({ binstall: true });
    set(file);
    const result = await run();
    assert.equal(result.code, 0, result.output);
    assert.ok(result.log.includes(CLI) && result.log.includes(BUILD), String(result.log));
    assert.match(result.output, /cargo-binstall did not bring wasm-bindgen-cli/);
  });
}

test("when npm fails, its output is shown, and the next run begins with npm alone", async () => {
  const { run, set, unset } = machine();
  set("npm-fails");
  const failed = await run();
  assert.equal(failed.code, 1);
  assert.match(failed.output, /npm: no network\n\nset-up: the npm packages could not be installed/);
  unset("npm-fails");
  const next = await run();
  assert.equal(next.code, 0, next.output);
  assertLog(next, "npm ci");
});

test("when cargo fails, npm is ended too, and the next run installs what is missing", async () => {
  const { begin, run, set, unset, logged } = machine();
  set("npm-waits");
  set("cargo-waits");
  set("cargo-fails");
  const { ended } = begin();
  await logged("npm ci", CLI);
  unset("cargo-waits");
  const failed = await ended;
  assert.equal(failed.code, 1);
  assert.match(
    failed.output,
    /cargo: no network\n\nset-up: wasm-bindgen-cli .* could not be installed/,
  );
  unset("npm-waits");
  unset("cargo-fails");
  const next = await run();
  assert.equal(next.code, 0, next.output);
  assertLog(next, "npm ci", CLI, BUILD);
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  test(`${signal} ends npm and the compiler, and the next run installs everything`, async () => {
    const { begin, run, set, unset, logged, project } = machine();
    set("npm-waits");
    set("cargo-waits");
    const { child, ended } = begin();
    await logged("npm ci", CLI);
    process.kill(-child.pid, signal);
    const { code, output } = await ended;
    assert.ok(code > 128, `it ended with ${code}`);
    assert.doesNotMatch(output, /could not|failed/);
    await gone(child.pid);
    assert.ok(existsSync(join(project, ".tools/compiling")), "what was compiled is lost");
    unset("npm-waits");
    unset("cargo-waits");
    const next = await run();
    assert.equal(next.code, 0, next.output);
    assertLog(next, "npm ci", CLI, BUILD);
  });
}

test("rustup brings a missing wasm32 target", async () => {
  const { run } = machine({ target: false });
  const first = await run();
  assert.equal(first.code, 0, first.output);
  assertLog(first, "rustup target add wasm32-unknown-unknown", "npm ci", CLI, BUILD);
});

test("without a way to the wasm32 target nothing is compiled", async () => {
  const { run, set } = machine({ target: false });
  set("rustup-fails");
  const { code, output, log } = await run();
  assert.equal(code, 1);
  assert.match(output, /wasm32-unknown-unknown target could not be had/);
  assert.ok(!log.includes(CLI));
});

test("tools of another version than Cargo.toml's wasm-bindgen are refused", async () => {
  const { project, run } = machine();
  const manifest = readFileSync(join(project, "Cargo.toml"), "utf8");
  writeFileSync(join(project, "Cargo.toml"), manifest.replace(`"=${WASM_BINDGEN}"`, '"=0.0.1"'));
  const { code, output, log } = await run();
  assert.equal(code, 1);
  assert.match(output, /Cargo.toml does not pin wasm-bindgen/);
  assert.deepEqual(log, []);
});
