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
    [ -n "$2" ] || fail "could not determine the version of $1; $3.$4 or newer is required." "$5"
    major=${2%%.*} rest=${2#*.}
    minor=${rest%%.*}
    if [ "$major" -lt "$3" ] || { [ "$major" -eq "$3" ] && [ "$minor" -lt "$4" ]; }; then
        fail "$1 is $2, but $3.$4 or newer is needed." "$5"
    fi
}
# On the second run npm has put the project's own Node.js first; that one fits too.
at_least "Node.js" "$(node -p process.versions.node)" 20 0 "Get it from https://nodejs.org"
at_least "Rust" "$(rustc --version 2>/dev/null | cut -d ' ' -f 2)" 1 91 \
    "Run: rustup default stable, and rustup update stable"

grep -q "^wasm-bindgen = { version = \"=$WASM_BINDGEN_VERSION\"" Cargo.toml ||
    fail "Cargo.toml does not pin wasm-bindgen to $WASM_BINDGEN_VERSION, as scripts/versions.sh does." \
        "Make the two the same."

mkdir -p .tools

# --- The npm packages, while the Rust tools are compiled ----------------------------------

install_npm_packages() {
    npm_ci=
    # npm has to end with the shell that waits for it.
    trap 'kill $npm_ci 2>/dev/null; wait $npm_ci; exit 143' HUP INT TERM
    # Kept in a file, so that it does not run into cargo's output.
    npm ci --no-audit --no-fund --loglevel=error </dev/null >.tools/npm-output 2>&1 &
    npm_ci=$!
    wait $npm_ci && return
    say "npm ci failed; its output follows when the compiler is done"
    return 1
}

npm=
end_npm() {
    [ -n "$npm" ] || return 0
    kill "$npm" 2>/dev/null && wait "$npm" || true
}
# Ctrl-C ends what runs in the foreground. A background job of a script may ignore it.
trap end_npm EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

packages=$(cksum <package-lock.json)
if [ "$(cat .tools/npm-packages 2>/dev/null)" != "$packages" ] || [ ! -x node_modules/.bin/wrangler ]; then
    say "installing the npm packages in the background (wrangler, Node.js 24, esbuild, …), about 20 seconds"
    rm -f .tools/npm-packages
    install_npm_packages &
    npm=$!
fi

# --- The wasm32 target --------------------------------------------------------------

. scripts/environment.sh

has_wasm_target() {
    libraries=$(rustc --print target-libdir --target wasm32-unknown-unknown 2>/dev/null) &&
        ls "$libraries"/libcore-*.rlib "$libraries"/libtest-*.rlib >/dev/null 2>&1
}

if ! has_wasm_target; then
    say "installing Rust's wasm32-unknown-unknown target, a few seconds"
    # An earlier run may have chosen another toolchain, which has lost its target.
    rm -f .tools/toolchain
    unset RUSTUP_TOOLCHAIN
    { command -v rustup >/dev/null 2>&1 && rustup target add wasm32-unknown-unknown >&2; } ||
        sh scripts/wasm-target-by-debian.sh ||
        fail "Rust's wasm32-unknown-unknown target could not be had." \
            "With rustup: rustup target add wasm32-unknown-unknown" \
            "As root on Debian: apt-get install $DEBIAN_RUST_PACKAGES, then run this again."
    . scripts/environment.sh
    has_wasm_target ||
        fail "the wasm32-unknown-unknown target was installed, but $(rustc --version) does not find it." \
        "If rustup takes it for installed, its files may be gone. Run:" \
        "rustup target remove wasm32-unknown-unknown; rustup target add wasm32-unknown-unknown"
fi

# --- Rust tools: downloaded where cargo-binstall is there, else compiled ------------------

there() { # there VERSION PROGRAM…: whether each program is there in that version
    wanted=$1
    shift
    for program; do
        found=$("$TOOLS/bin/$program" --version 2>/dev/null | grep -Eo '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)
        [ "$found" = "$wanted" ] || return 1
    done
}

download() { # download CRATE VERSION
    say "downloading $1 $2 with cargo-binstall"
    cargo binstall --no-confirm --force --version "=$2" --root "$TOOLS" \
        --disable-strategies compile --disable-telemetry "$1" </dev/null >&2
}

# Optimization level 0, one codegen unit a crate and only the programs and features that are used: together
# less than half the processor time of level 1 with everything. A build of the Worker takes as long with either.
# Both tools share a folder, since they have crates in common. It is kept until both are there, so
# that an interrupted run continues where it was.
compile() { # compile CRATE VERSION OPTION…
    crate=$1 version=$2
    shift 2
    CARGO_TARGET_DIR=$TOOLS/compiling CARGO_PROFILE_RELEASE_OPT_LEVEL=0 \
        CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 CARGO_PROFILE_RELEASE_DEBUG=false \
        cargo install "$crate" --version "=$version" --root "$TOOLS" --force "$@" >&2
}

tool() { # tool CRATE VERSION SECONDS PROGRAMS [OPTION…]: the options are for compiling
    crate=$1 version=$2 seconds=$3 programs=$4
    shift 4
    # shellcheck disable=SC2086
    there "$version" $programs && return
    if command -v cargo-binstall >/dev/null 2>&1; then
        # shellcheck disable=SC2086
        download "$crate" "$version" && there "$version" $programs && return
        say "cargo-binstall did not bring $crate $version that runs here"
    fi
    say "compiling $crate $version, about $seconds seconds on two cores"
    for program in $programs; do set -- "$@" --bin "$program"; done
    compile "$crate" "$version" "$@" ||
        fail "$crate $version could not be installed." \
            "Look at cargo's message above. If it names the network, run the same command again when it is there;" \
            "if it names OpenSSL, install its headers (Debian and Ubuntu: apt-get install libssl-dev pkg-config);" \
            "if it names a compiler error, try: rustup update stable"
    # shellcheck disable=SC2086
    there "$version" $programs || fail "$crate $version was compiled, but it does not run." \
        "Try: $TOOLS/bin/${programs%% *} --version"
}
# The runner of the wasm tests comes from the same library as wasm-bindgen: together with it that is
# one second more to link, and later, by itself, it would be all of the library again. Without the
# default features there is no TLS, which the runner would use for a browser's driver elsewhere.
tool wasm-bindgen-cli "$WASM_BINDGEN_VERSION" 60 "wasm-bindgen wasm-bindgen-test-runner" --no-default-features
tool worker-build "$WORKER_BUILD_VERSION" 60 worker-build
rm -rf "$TOOLS/compiling"

if [ -n "$npm" ]; then
    installed=true
    wait "$npm" || installed=false
    npm=
    if [ "$installed" = false ]; then
        cat .tools/npm-output >&2
        fail "the npm packages could not be installed." \
            "Look at npm's message above; if it names the network, run the same command again when it is there."
    fi
    rm -f .tools/npm-output
    # With install scripts disabled, npm leaves this one out.
    [ "$(node_modules/.bin/node -p 'process.versions.node.split(".")[0]' 2>/dev/null)" = 24 ] ||
        fail "the npm package node did not bring Node.js 24." \
            "Are npm's install scripts disabled? Check with: npm config get ignore-scripts"
    printf '%s\n' "$packages" >.tools/npm-packages
fi

# --- A browser, for the suite that needs one -------------------------------------------

if [ "${1-}" = browser ] && ! node tests/support/browser.js >/dev/null 2>&1; then
    if [ -z "${CHROMIUM_PATH-}" ] && [ -f /etc/debian_version ] && [ "$(id -u)" = 0 ] &&
        command -v apt-get >/dev/null; then
        say "installing Debian's chromium, about a minute"
        apt-get update >&2 || true
        DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium >&2 || true
    fi
    missing=$(node tests/support/browser.js 2>&1 >/dev/null) || fail "$missing"
fi
