#!/bin/sh
# `sh scripts/build.sh [CRATE [FOLDER]]`: builds a Worker's crate, `worker` if none is named, into
# FOLDER/build and prints how big it is. wrangler runs this before it serves or deploys.
# EINMAL_BUILD=dev builds faster and bigger, for development.
#
# The names of the functions are a fifth of the release build. They are kept beside it, in
# FOLDER/.wrangler/names.txt: `npm run names < trace` puts those of the service into a stack trace.
set -eu
cd "$(dirname "$0")/.."
crate=$PWD/${1:-worker}
folder=$PWD/${2:-.}
profile=${EINMAL_BUILD:-release}
case $profile in
    dev | release) ;;
    *) echo "build: expected EINMAL_BUILD to be dev or release, found $profile" >&2 && exit 1 ;;
esac
[ -x .tools/bin/worker-build ] || {
    echo "build: the tools are not there yet; run: sh scripts/setup.sh" >&2
    exit 1
}
. scripts/environment.sh
"$TOOLS/bin/worker-build" "--$profile" --out-dir "$folder/build" "$crate" --locked

cd "$folder"
if [ "$profile" = release ]; then
    mkdir -p .wrangler
    "$WASM_OPT_BIN" build/index_bg.wasm -Oz --symbolmap=.wrangler/names.txt --strip-debug --strip-producers \
        -o build/index_bg.wasm
fi

gzipped() { gzip -9 -c "$1" | wc -c | tr -d ' '; }
echo "build: $profile, build/index_bg.wasm is $(gzipped build/index_bg.wasm) bytes gzip," \
    "build/index.js $(gzipped build/index.js)"
