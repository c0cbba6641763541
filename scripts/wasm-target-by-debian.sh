#!/bin/sh
# Rust's wasm32 target where rustup cannot bring it, on Debian, as root. Debian has the compiler and
# its library's sources but not the library for wasm32: it is compiled here, once, and put where
# that compiler looks for it. scripts/setup.sh runs this; it fails if it is not for this machine.
set -eu
cd "$(dirname "$0")/.."
. scripts/versions.sh

[ -f /etc/debian_version ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || exit 1
echo "set-up: rustup could not bring the wasm32 target; building it with Debian's compiler, about 3 minutes" >&2
apt-get update >&2 || true
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $DEBIAN_RUST_PACKAGES >&2

empty=.tools/empty-crate
rm -rf "$empty"
mkdir -p "$empty/src"
: >"$empty/src/lib.rs"
printf '[package]\nname = "empty"\nedition = "2024"\n[workspace]\n' >"$empty/Cargo.toml"
(
    cd "$empty"
    RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 /usr/bin/cargo build --release \
        -Zbuild-std=std,panic_abort,panic_unwind,test,proc_macro --target wasm32-unknown-unknown >&2
)
libraries=$(/usr/bin/rustc --print target-libdir --target wasm32-unknown-unknown)
mkdir -p "$libraries"
cp "$empty"/target/wasm32-unknown-unknown/release/deps/*.rlib "$libraries"
rm -rf "$empty"

# scripts/environment.sh chooses the toolchain that is named in this file.
if command -v rustup >/dev/null 2>&1; then
    rustup toolchain link system /usr >&2
    printf 'system\n' >.tools/toolchain
fi
