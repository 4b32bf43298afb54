#!/usr/bin/env bash
# record.sh [--build DIR]: has a real Ollama server say again what the tests
# play, and writes it down (testdata/traffic of each package; tests named
# …Server). The server is the one GROWBENCH_TEST_OLLAMA names, or one built into
# DIR.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ "${1:-}" = --build ]; then
  dir=$(realpath -m "${2:?the directory to build into}")
  "$root/testdata/ollama/build.sh" "$dir"
  export GROWBENCH_TEST_OLLAMA="$dir/ollama"
fi
: "${GROWBENCH_TEST_OLLAMA:?names the program of an Ollama server; or: record.sh --build DIR}"
cd "$root"
packages=$(git grep -l testdata/ollama/ollamatest -- '*_test.go' | xargs -n 1 dirname | sort -u)
for package in $packages; do
  rm -rf "$package/testdata/traffic"
done
record=(go test -count=1 -timeout 20m -run 'Server$')
GROWBENCH_OLLAMA=record "${record[@]}" $(printf './%s ' $packages)
# What was written plays as it was said.
env -u GROWBENCH_OLLAMA "${record[@]}" $(printf './%s ' $packages)
