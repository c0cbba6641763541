#!/bin/sh
# `sh scripts/run.sh COMMAND…`: sets up what is missing, then runs the command with the project's tools.
# `sh scripts/run.sh --browser COMMAND…` also sets up a browser.
set -eu
cd "$(dirname "$0")/.."
with=
if [ "$1" = --browser ]; then
    with=browser
    shift
fi
# shellcheck disable=SC2086
sh scripts/setup.sh $with
. scripts/environment.sh
exec "$@"
