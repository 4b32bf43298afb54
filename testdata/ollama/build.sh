#!/usr/bin/env bash
# build.sh DIR: builds the Ollama server of the version in go.mod into DIR.
# About nine minutes of processor time. What it needs beside a C++ compiler:
# apt-get install nlohmann-json3-dev libstb-dev
set -euo pipefail
bin=$(realpath -m "${1:?the directory to put it into}")
cd "$(dirname "$0")"
version=$(go list -m -f '{{.Version}}' github.com/ollama/ollama)
if [ -x "$bin/ollama" ] && "$bin/ollama" --version 2>&1 | grep -q "${version#v}"; then
  exit 0
fi
mkdir -p "$bin"
# The module leaves out a header that only sound needs; include/ stands in for it.
GOBIN="$bin" CGO_CPPFLAGS="-I$PWD/include" \
  go install -ldflags "-X github.com/ollama/ollama/version.Version=${version#v}" "github.com/ollama/ollama@$version"
