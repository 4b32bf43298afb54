#!/usr/bin/env bash
# Puts the real screen of the demo into README.md as text, and beside it, with its
# colours, into screen.svg.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
export XDG_STATE_HOME="$work/state" XDG_CONFIG_HOME="$work/config" TMPDIR="$work"
tm() { tmux -L "growbench-picture-$$" -f /dev/null "$@"; }
trap 'tm kill-server 2>/dev/null || true; rm -rf "$work"' EXIT
go build -o "$work/growbench" .
go build -o "$work/picture" ./testdata/terminal/picture
tm new-session -d -s t -x 132 -y 30 "env COLORTERM=truecolor $work/growbench demo --theme dark"
tm set-option -sa terminal-features ',*:RGB' 2>/dev/null || true
until tm capture-pane -p -t t | grep -q 'go test ./cmd/sizes'; do read -rt 0.05 <> <(:) || true; done
tm capture-pane -e -p -t t | sed "s|$work/||" | "$work/picture" 132 30 >testdata/terminal/screen.svg
{
  echo '<!-- screen -->'
  echo '```'
  tm capture-pane -p -t t | sed "s|$work/||; s/[[:space:]]*$//"
  echo '```'
  echo '<!-- /screen -->'
} >"$work/screen"
awk -v file="$work/screen" '
  /^<!-- screen -->/ { while ((getline line < file) > 0) print line; skip = 1 }
  !skip { print }
  /^<!-- \/screen -->/ { skip = 0 }' README.md >"$work/README.md"
cp "$work/README.md" README.md
"$work/growbench" -C "$work"/growbench-demo-* stop latest >/dev/null || true # or it writes on while its place is removed
