# Sourced by the scripts that run the tools: where the tools are.
# Expects the current folder to be the project's.

TOOLS=$PWD/.tools
PATH=$PWD/node_modules/.bin:$PATH
export PATH

# worker-build looks for its helpers here, never on the PATH.
export WASM_BINDGEN_BIN="$TOOLS/bin/wasm-bindgen"
export WASM_OPT_BIN="$PWD/node_modules/.bin/wasm-opt"
export ESBUILD_BIN="$PWD/node_modules/.bin/esbuild"

# The runner of the tests that run as wasm. Relative to the project, since cargo splits it at
# spaces.
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER=.tools/bin/wasm-bindgen-test-runner

# Set-up leaves this file where the wasm32 target belongs to another toolchain than
# rustup's default one.
if [ -f "$TOOLS/toolchain" ]; then
    RUSTUP_TOOLCHAIN=$(cat "$TOOLS/toolchain")
    export RUSTUP_TOOLCHAIN
fi

# wrangler: no telemetry, and nothing fetched from outside at start.
export WRANGLER_SEND_METRICS=false WRANGLER_SEND_ERROR_REPORTS=false CLOUDFLARE_CF_FETCH_ENABLED=false
