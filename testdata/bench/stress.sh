#!/usr/bin/env bash
# Tries to break the screen: the real program, built with the race detector, in a
# pseudo terminal, on a run whose agent says 200 lines a second or has a tool print
# them, thinks, reads, edits and fails in between, under random keys of the key table
# (but those that leave or stop) and random sizes from 1×1 to 200×60. Fails on a
# race, a fault, an end, a line wider than the terminal, a gap in the log or the
# transcript, a call without its half in the other, and too much memory.
#
#   testdata/bench/stress.sh [SECONDS] [SEED]    default 600 1
#   RACE=0 testdata/bench/stress.sh              without the detector: the real memory
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The detector takes five to ten times the memory; the goal is 120 MB without it.
race=(-race) memory=1200
[ "${RACE:-1}" = 1 ] || race=() memory=120
go build "${race[@]}" -o "$work/growbench" .
go build -o "$work/workbench" ./testdata/bench/workbench
mkdir "$work/runs"
"$work/workbench" -stress -program "$work/growbench" -work "$work/runs" -seconds "${1:-600}" -seed "${2:-1}" -memory "$memory"
