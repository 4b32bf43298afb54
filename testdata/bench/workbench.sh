#!/usr/bin/env bash
# Measures the workbench: its own work by the Go benchmarks, and the real program
# in a pseudo terminal, on runs whose agents do nothing but print. Prints lines of
# a table. Takes about six minutes.
#
#   testdata/bench/workbench.sh [SECONDS]      of each rate, default 60
#   ONLY=idle testdata/bench/workbench.sh      idle, stream, long or resume alone
#
# Waits a minute at most for a machine with less than three jobs at work (LOAD=0
# does not wait) and says what the load was.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/growbench" .
go build -o "$work/workbench" ./testdata/bench/workbench
mkdir "$work/runs"

load() { cut -d ' ' -f 1 /proc/loadavg; }
end=$((SECONDS + 60))
while awk -v l="$(load)" -v most="${LOAD:-3}" 'BEGIN { exit !(most > 0 && l >= most) }' && [ $SECONDS -lt $end ]; do
  read -rt 1 <> <(:) || true
done
printf 'load %s at the start, %s processors\n\n| what | goal | measured |\n|---|---|---|\n' "$(load)" "$(nproc)"

if [ -z "${ONLY:-}" ]; then
  go test ./ui -run '^$' -bench 'UpdateView100kLines|Scroll1MLines' |
    awk '/^Benchmark/ { printf "| `Update` + `View`, 160×48, %s | ≤ 2 ms | %.2f ms, longest %s ms |\n", $1, $3 / 1e6, $5 }'
fi
"$work/workbench" -program "$work/growbench" -work "$work/runs" -seconds "$seconds" -only "${ONLY:-}"
printf '\nload %s at the end\n' "$(load)"
