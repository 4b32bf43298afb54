#!/usr/bin/env bash
# Drives the map in a real terminal (tmux): files change outside, the pane shows
# it when the terminal gets the focus and at a key, R mends exactly what `map
# patch` would, u brings the old documents back byte for byte, an editor's change
# is checked, another process at work is seen, leaving ends what is being done.
# Waits for states on the screen, never for a time.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
socket="growbench-map-$$"
export LC_ALL=C.UTF-8
export XDG_STATE_HOME="$work/state" XDG_CONFIG_HOME="$work/config" TMPDIR="$work"
unset TMUX NO_COLOR
. testdata/terminal/screen.sh
cleanup() {
  tm kill-server 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
[ -n "${GROWBENCH:-}" ] && cp "$GROWBENCH" "$work/growbench" || go build -o "$work/growbench" .

escape() { keys Escape; closed '┌─ '; } # what is typed at once after it would be another key
focus() { tm send-keys -t t -l $'\e[I'; } # what a terminal sends when it gets the focus
documents() { (cd "$1" && find . -name '.pi-map*.md' -not -path './.growbench/*' -type f | LC_ALL=C sort | xargs -d '\n' sha256sum); }
agree() { # what came up by itself counts after a moment
  await "─ $1.*\\? ─" && closed 'then the keys count' && keys y
}

project="$work/shop"
mkdir -p "$project/cart/price" "$project/store" "$project/tools" "$project/web"
cd "$project"
git init -q
printf 'module example.com/shop\n\ngo 1.24\n' > go.mod
printf '// Package cart holds what a customer wants.\npackage cart\n\nimport "example.com/shop/cart/price"\n\nfunc New() int { return price.Total() }\n' > cart/cart.go
printf '// Package price adds up.\npackage price\n\nfunc Total() int { return 0 }\n' > cart/price/price.go
printf 'package store\n\nfunc Keep() {}\n' > store/store.go
printf 'package tools\n\nfunc Fetch() {}\n' > tools/rates.go
printf 'export class Guard {}\n' > web/guard.ts
"$work/growbench" map init > /dev/null
cd - > /dev/null

tm new-session -d -s t -x 120 -y 36 "env PS1='\$ ' bash --norc --noprofile"
keys "cd $project; export EDITOR='sed -i s/##.role/&\\\\nBest.of.all/'; clear; $work/growbench map; echo BACK=\$?" Enter
check "the map is clean" "await '5 map clean'"
check "the status line says so" "await 'map clean *\$'"

printf '\nfunc More() {}\n' >> "$project/cart/cart.go"
sed -i s/Total/Sum/ "$project/cart/price/price.go"
printf 'export const two = 2\n' >> "$project/web/guard.ts"
rm "$project/tools/rates.go"
mkdir "$project/fresh"
printf 'package fresh\n\nfunc New() {}\n' > "$project/fresh/fresh.go"
begin=$(date +%s%N)
focus
check "on focus: stale, missing, orphaned" "await '1 missing · 1 orphaned · [0-9] stale' 10"
took=$((($(date +%s%N) - begin) / 1000000))
printf '      (%d ms after the focus)\n' "$took"
check "within two seconds" "[ $took -lt 2000 ]"
keys =
check "the file that changed is marked" "await '~ price.go changed'"
check "the one that came is" "await 'fresh/ missing'"
printf '\nfunc Another() {}\n' >> "$project/store/store.go"
keys C-r
check "at a key: one more" "await 'store/ stale'"

before=$(documents "$project")
mkdir "$work/copies"
cp -a "$project" "$work/copies/shop" # a map tells the name of its directory
keys g R
check "R shows first what it touches" "await 'reconcile all below' && await 'store  index'"
check "and does it when told" "agree 'reconcile all below'"
check "the diff is shown" "await 'u brings back what was there before'"
escape
check "everything is mended" "await '5 map clean'"
dirs=$(cd "$work/copies/shop" && "$work/growbench" map status --json | grep -o '"dir": *"[^"]*"' | sed 's/.*: *"//; s/"$//' || true)
# shellcheck disable=SC2086
(cd "$work/copies/shop" && "$work/growbench" map patch $dirs > /dev/null)
check "the documents are those of map patch" "[ \"\$(documents '$project')\" = \"\$(documents '$work/copies/shop')\" ]"
keys u
check "u shows first what it touches" "agree 'undo: reconcile all below'"
check "and brings it back" "await '[0-9] directories changed'"
escape
check "the marks are back" "await '1 missing · 1 orphaned'"
check "byte for byte" "[ \"\$(documents '$project')\" = \"$before\" ]"

keys q
check "leaving" "await 'BACK=0'"
keys "clear; $work/growbench map; echo BACK=\$?" Enter
check "after a restart" "await '1 missing · 1 orphaned'"
keys g R
agree 'reconcile all below'
await 'u brings back'
escape
await '5 map clean'
keys q
await 'BACK=0'
keys "clear; $work/growbench map; echo BACK=\$?" Enter
await '5 map clean'
keys u
check "u works across a restart" "agree 'undo: reconcile all below' && await 'directories changed'"
escape
check "byte for byte again" "[ \"\$(documents '$project')\" = \"$before\" ]"
keys g R
agree 'reconcile all below'
await 'u brings back'
escape
await '5 map clean'

keys / t w o
check "the filter finds a symbol" "await 'two *\$|two :2'"
keys Enter
escape
closed '/two'
keys g v
check "a check finds nothing" "await 'nothing was found'"
keys g l e
check "e offers the documents" "await 'checked when you come back'"
keys Enter
check "what the editor changed is checked" "await 'found in'"
check "in plain words" "await 'says something else than the files' && closed 'then the keys count'"
keys r
check "and mended from there" "agree 'mend ' && await 'nothing was found|u undoes it'"
escape

mkfifo "$work/hold"
mkdir -p "$project/.growbench/map/work"
printf '{"pid":4242,"what":"patch cart","since":"2026-01-01T00:00:00Z"}' > "$project/.growbench/map/work/4242-1"
flock "$project/.growbench/map/work/4242-1" cat "$work/hold" > /dev/null &
holder=$!
keys C-r
check "another process at work is seen" "await 'process 4242 works on the map'"
: > "$work/hold"
wait "$holder" || true
check "and that it has gone" "closed 'process 4242'"

keys i
await 'make the map of'
check "no parser is left when it is left at work" "agree 'make the map of' && keys q q && { await 'BACK=0' || { keys C-c C-c; await 'BACK='; }; } && ! pgrep -f \"$work/growbench map parser\" > /dev/null"
check "the map is whole" "(cd '$project' && '$work/growbench' map validate > /dev/null || '$work/growbench' map validate --fix > /dev/null)"

for size in 160x48 100x30 80x24 60x20; do
  tm resize-window -t t -x "${size%x*}" -y "${size#*x}"
  keys "clear; $work/growbench map; echo BACK=\$?" Enter
  check "$size: the map" "await '5 map clean'"
  check "$size: no line is wider" "[ \$(screen | wc -L) -le ${size%x*} ]"
  keys Tab
  check "$size: the preview" "await '› 6 preview'"
  keys q
  await 'BACK=0'
done

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
