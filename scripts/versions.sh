# The tools that are built from source. wasm-bindgen's version is also in Cargo.toml,
# and the two must be the same: scripts/setup.sh refuses to go on if they are not.
WASM_BINDGEN_VERSION=0.2.130
WORKER_BUILD_VERSION=0.8.7
# Debian's compiler, the second way to the wasm32 target.
DEBIAN_RUST_PACKAGES="rustc-web cargo-web rust-web-src rust-web-llvm lld-22"
