#!/bin/sh
# `npm run format`: puts the formatting right, of Rust and of JavaScript.
set -eu
# rustup's own toolchain has the formatter.
unset RUSTUP_TOOLCHAIN
cargo fmt --all
biome check --write
