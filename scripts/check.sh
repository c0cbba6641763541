#!/bin/sh
# `npm run check`: formatting and lints, of Rust and of JavaScript. Warnings are errors.
set -eu
cd "$(dirname "$0")/.."
. scripts/environment.sh
# rustup's own toolchain has the formatter and the lints, and needs no wasm32 target here.
unset RUSTUP_TOOLCHAIN
set -x
cargo fmt --all --check
# With all that knows Workers, and without it: the library must stand alone.
cargo clippy --locked --all-targets --all-features -- -D warnings
cargo clippy --locked --all-targets -- -D warnings
# The Workers of the examples, on that module alone, and the one that is deployed.
cargo clippy --locked --all-targets --package einmal-notes --package einmal-ledger -- -D warnings
cargo clippy --locked --package einmal-worker -- -D warnings
RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --document-private-items
biome ci --error-on-warnings
# The types of the page and of the tools, which no build step would check.
tsc -p tsconfig.json
tsc -p scripts
# No telemetry, no check for a newer version.
REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true redocly lint docs/openapi.yaml
