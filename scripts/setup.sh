#!/bin/sh
# Brings what the project needs to be built, run and tested, each pinned and only if it
# is missing. Safe to interrupt and to run again: a tool counts as there only once it
# is whole.
#
# With `browser` it also brings a Chromium for the browser suite, if the machine has no browser
# that the suite can drive.
#
# Installed outside the project's folder: Rust's wasm32 target and that Chromium, nothing else.
set -eu
cd "$(dirname "$0")/.."
. scripts/versions.sh

say() { printf 'set-up: %s\n' "$*" >&2; }
fail() {
    printf '\nset-up: %s\n' "$1" >&2
    shift
    for line; do printf '        %s\n' "$line" >&2; done
    exit 1
}

# --- What has to be there already ---------------------------------------------------

missing=
need() { command -v "$1" >/dev/null 2>&1 || missing="$missing
        $1: $2"; }
need cargo "Rust's stable toolchain, 1.91 or newer, from https://rustup.rs"
need rustc "Rust's stable toolchain, 1.91 or newer, from https://rustup.rs"
need node "Node.js 20 or newer, from https://nodejs.org"
need npm "comes with Node.js"
need curl "a package of your system"
need cc "a C compiler: build-essential on Debian and Ubuntu, xcode-select --install on macOS"
[ -z "$missing" ] || fail "these programs are missing:$missing"

at_least() { # at_least NAME FOUND WANTED_MAJOR WANTED_MINOR HOW
    [ -n "$2" ] || fail "$1 does not say its version, but $3.$4 or newer is needed." "$5"
    major=${2%%.*} rest=${2#*.}
    minor=${rest%%.*}
    if [ "$major" -lt "$3" ] || { [ "$major" -eq "$3" ] && [ "$minor" -lt "$4" ]; }; then
        fail "$1 is $2, but $3.$4 or newer is needed." "$5"
    fi
}
# On the second run npm has put the project's own Node.js first; that one fits too.
at_least "Node.js" "$(node -p process.versions.node)" 20 0 "Get it from https://nodejs.org"
at_least "Rust" "$(rustc --version 2>/dev/null | cut -d ' ' -f 2)" 1 91 "Run: rustup default stable, and rustup update stable"

grep -q "^wasm-bindgen = { version = \"=$WASM_BINDGEN_VERSION\"" Cargo.toml ||
    fail "Cargo.toml does not pin wasm-bindgen to $WASM_BINDGEN_VERSION, which scripts/versions.sh installs the tools of." \
        "Make the two the same."

mkdir -p .tools

# --- The npm packages ---------------------------------------------------------------

packages=$(cksum <package-lock.json)
if [ "$(cat .tools/npm-packages 2>/dev/null)" != "$packages" ] || [ ! -x node_modules/.bin/wrangler ]; then
    say "installing the npm packages (wrangler, Node.js 24, esbuild, binaryen, biome), about half a minute"
    rm -f .tools/npm-packages
    npm ci --no-audit --no-fund --loglevel=error >&2 ||
        fail "the npm packages could not be installed." \
            "Look at npm's message above; if it names the network, run the same command again when it is there."
    # A package manager that was told not to run install scripts leaves this one out.
    [ "$(node_modules/.bin/node -p 'process.versions.node.split(".")[0]' 2>/dev/null)" = 24 ] ||
        fail "the npm package node did not bring Node.js 24." \
            "Is npm told to ignore install scripts? Try: npm config get ignore-scripts"
    printf '%s\n' "$packages" >.tools/npm-packages
fi

# --- The wasm32 target --------------------------------------------------------------

. scripts/environment.sh

has_wasm_target() {
    libraries=$(rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null) &&
        ls "$libraries"/libcore-*.rlib "$libraries"/libtest-*.rlib >/dev/null 2>&1
}

# Debian has the compiler and its library's sources but not the library for wasm32:
# it is compiled here, once, and put where that compiler looks for it.
wasm_target_by_debian() {
    [ -f /etc/debian_version ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    say "rustup could not bring the wasm32 target; building it with Debian's compiler, about 3 minutes"
    apt-get update >&2 || true
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $DEBIAN_RUST_PACKAGES >&2 || return 1
    empty=.tools/empty-crate
    rm -rf "$empty"
    mkdir -p "$empty/src"
    : >"$empty/src/lib.rs"
    printf '[package]\nname = "empty"\nedition = "2024"\n[workspace]\n' >"$empty/Cargo.toml"
    (
        cd "$empty"
        RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 /usr/bin/cargo build --release \
            -Zbuild-std=std,panic_abort,panic_unwind,test,proc_macro --target wasm32-unknown-unknown >&2
    ) || return 1
    libraries=$(/usr/bin/rustc --print target-libdir --target wasm32-unknown-unknown)
    mkdir -p "$libraries"
    cp "$empty"/target/wasm32-unknown-unknown/release/deps/*.rlib "$libraries"
    rm -rf "$empty"
    if command -v rustup >/dev/null 2>&1; then
        rustup toolchain link system /usr >&2
        printf 'system\n' >.tools/toolchain
    fi
}

if ! has_wasm_target; then
    say "installing Rust's wasm32-unknown-unknown target, a few seconds"
    # An earlier run may have chosen another toolchain, which has lost its target.
    rm -f .tools/toolchain
    unset RUSTUP_TOOLCHAIN
    { command -v rustup >/dev/null 2>&1 && rustup target add wasm32-unknown-unknown >&2; } ||
        wasm_target_by_debian ||
        fail "Rust's wasm32-unknown-unknown target could not be had." \
            "With rustup: rustup target add wasm32-unknown-unknown" \
            "As root on Debian: apt-get install $DEBIAN_RUST_PACKAGES, then run this again."
    . scripts/environment.sh
    has_wasm_target || fail "the wasm32-unknown-unknown target was installed, but $(rustc --version) does not find it." \
        "If rustup takes it for installed, its files may be gone. Run:" \
        "rustup target remove wasm32-unknown-unknown; rustup target add wasm32-unknown-unknown"
fi

# --- Tools that are compiled --------------------------------------------------------

compiled() { # compiled CRATE VERSION PROGRAM MINUTES
    [ "$("$TOOLS/bin/$3" --version 2>/dev/null | grep -Eo '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)" = "$2" ] && return
    say "compiling $1 $2, about $4 minutes on two cores"
    # Kept until it is done, so that an interrupted run goes on where it was.
    CARGO_TARGET_DIR=$TOOLS/compiling CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_DEBUG=false \
        cargo install "$1" --version "$2" --root "$TOOLS" --force >&2 ||
        fail "$1 $2 could not be installed." \
            "Look at cargo's message above. If it names the network, run the same command again when it is there;" \
            "if it names a compiler error, try: rustup update stable"
}
compiled wasm-bindgen-cli "$WASM_BINDGEN_VERSION" wasm-bindgen 4
compiled worker-build "$WORKER_BUILD_VERSION" worker-build 6
rm -rf "$TOOLS/compiling"

# --- A browser, for the suite that needs one -------------------------------------------

if [ "${1-}" = browser ] && ! node scripts/browser.js >/dev/null 2>&1; then
    if [ -z "${CHROMIUM_PATH-}" ] && [ -f /etc/debian_version ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        say "installing Debian's chromium, about a minute"
        apt-get update >&2 || true
        DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium >&2 || true
    fi
    missing=$(node scripts/browser.js 2>&1 >/dev/null) || fail "$missing"
fi
