#!/usr/bin/env bash
# Drives the real program in a real terminal (tmux): the demo at three sizes,
# every way out, and that the shell is as it was afterwards. Waits for states
# on the screen, never for a time.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
servers=0
socket="growbench-test-$$-0"
export LC_ALL=C.UTF-8
export XDG_STATE_HOME="$work/state" XDG_CONFIG_HOME="$work/config" TMPDIR="$work"
unset TMUX NO_COLOR
tm() { tmux -L "$socket" -f /dev/null "$@"; }
cleanup() {
  tm kill-server 2>/dev/null || true
  for run in $(ls "$XDG_STATE_HOME"/growbench/*/runs 2>/dev/null | grep -E '^[0-9]{8}-'); do
    "$work/growbench" stop "$run" >/dev/null 2>&1 || true
  done
  rm -rf "$work"
}
trap cleanup EXIT
go build -o "$work/growbench" .

passed=0
failed=0
ok() { passed=$((passed + 1)); printf 'ok    %s\n' "$1"; }
bad() {
  failed=$((failed + 1))
  printf 'FAIL  %s\n' "$1"
  tm capture-pane -p -t t 2>/dev/null | sed 's/^/      | /' || true
}
check() { if eval "$2"; then ok "$1"; else bad "$1"; fi; }

screen() { tm capture-pane -p -t t; }
# await WHAT [SECONDS]: until the screen shows WHAT (an extended expression).
await() {
  local end=$((SECONDS + ${2:-60}))
  until screen | grep -Eq -- "$1"; do
    [ $SECONDS -lt $end ] || return 1
    read -rt 0.05 <> <(:) || true
  done
}
# closed WHAT: until the screen does not show WHAT any more.
closed() {
  local end=$((SECONDS + 10))
  while screen | grep -Eq -- "$1"; do
    [ $SECONDS -lt $end ] || return 1
    read -rt 0.05 <> <(:) || true
  done
}
keys() { tm send-keys -t t "$@"; }
# A shell whose settings before and after are compared, in a window of a size.
begin() {
  tm kill-server 2>/dev/null || true
  servers=$((servers + 1))
  socket="growbench-test-$$-$servers"
  tm new-session -d -s t -x "$1" -y "$2" "env PS1='\$ ' bash --norc --noprofile"
  keys "stty -a > $work/before; clear; echo READY" Enter
  await '^READY' || bad "a shell at $1x$2"
}
launch() { keys "clear; $work/growbench $*; stty -a > $work/after; echo BACK=\$?" Enter; }
# sane WHAT: the shell got its terminal back.
sane() {
  if ! await 'BACK=' 20; then bad "$1: the program ended"; return; fi
  check "$1: stty as before" "diff -q $work/before $work/after >/dev/null"
  check "$1: main screen, cursor shown, no mouse" \
    "[ \"\$(tm display -p -t t '#{alternate_on} #{cursor_flag} #{mouse_any_flag}')\" = '0 1 0' ]"
}
run_of() { ls -t "$XDG_STATE_HOME"/growbench/*/runs | grep -E '^[0-9]{8}-' | head -n 1; }
program() { pgrep -f "^$work/growbench ($1)" | head -n 1; }
status() { "$work/growbench" show "$1" --json | grep -o '"status": "[a-z]*"' | head -n 1; }
ends_as() { # RUN STATUS: waits for the run's owner by following it
  "$work/growbench" attach "$1" --headless >/dev/null || true
  [ "$(status "$1")" = "\"status\": \"$2\"" ]
}

for size in 160x48 100x30 60x20; do
  begin "${size%x*}" "${size#*x}"
  launch demo --speed 3
  check "$size: the chain is there at once" "await 'planner' 30"
  check "$size: it says that the agents are scripted" "await 'scripted' 10"
  check "$size: all three Workers before the first ended" "await '3 a limit for the command' 30"
  check "$size: the ledger's entry marks Worker 3" "await 'affected' 60"
  keys 3
  check "$size: results while it runs" "await 'RESULT #1' 30"
  keys 4
  check "$size: ledger while it runs" "await 'Parse' 30"
  keys 1
  check "$size: it ends verified" "await 'verified: passed' 90"
  check "$size: no line is wider" "[ \$(screen | wc -L) -le ${size%x*} ]"
  keys '?'
  check "$size: help names its keys" "await '─ keys ─' 10"
  keys Escape
  check "$size: esc closes it" "closed '─ keys ─'"
  keys q
  sane "$size: q"
done

begin 100 30
launch demo
await 'Worker 1' 60
keys q
sane "q while it runs"
check "it says how to come back" "await 'attach' 5"
check "the run goes on and passes" "ends_as $(run_of) passed"

for signal in TERM HUP INT; do
  begin 100 30
  launch demo
  await 'Worker 1' 60 || bad "demo started"
  kill -s "$signal" "$(program demo)"
  sane "SIG$signal"
  check "SIG$signal: the run goes on and passes" "ends_as $(run_of) passed"
done

begin 100 30
launch demo
await 'Worker 2' 60
keys C-c
check "Ctrl-C offers a choice" "await 'stay' 5"
keys C-c
sane "Ctrl-C twice"
check "Ctrl-C twice: the run goes on and passes" "ends_as $(run_of) passed"

begin 100 30
launch demo
await 'Worker 2' 60
killed=$(run_of)
kill -KILL "$(program demo)"
await 'BACK=' 10 || bad "kill -9 of the workbench"
keys "stty sane; $work/growbench --reset; clear; echo AGAIN" Enter
check "--reset gives the terminal back" "await '^AGAIN' 5"
begin 100 30
launch attach "$killed"
check "attach shows the run that went on" "await 'verified: passed' 90"
keys q
sane "attach"

begin 100 30
launch demo
await 'Worker 2' 60
run=$(run_of)
tm kill-server
check "terminal closed: the run goes on and passes" "ends_as $run passed"

begin 100 30
launch demo
await 'Worker 1' 60
keys S
check "the stop key asks first" "await 'stop' 5"
keys y
check "it stops" "await 'stopped' 20"
keys q
sane "after a stop"

begin 100 30
keys "clear; go run . demo; stty -a > $work/after; echo BACK=\$?" Enter
await 'Worker 2' 90 || bad "go run . demo started"
keys q
sane "go run .: q"
check "go run .: the come-back line fits" "await 'go run . attach' 5"
check "go run .: the run goes on and passes" "ends_as $(run_of) passed"

printf '\n%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
