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
. testdata/terminal/screen.sh
cleanup() {
  tm kill-server 2>/dev/null || true
  for run in $(ls "$XDG_STATE_HOME"/growbench/*/runs 2>/dev/null | grep -E '^[0-9]{8}-'); do
    "$work/growbench" stop "$run" >/dev/null 2>&1 || true
  done
  rm -rf "$work"
}
trap cleanup EXIT
go build -o "$work/growbench" .

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

# One session through all a screen can do, each step awaited on the screen.
# press KEY WHAT: KEY until WHAT shows; what comes up by itself takes no key at first.
press() {
  local _
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    keys "$1"
    if await "$2" 3; then return 0; fi
  done
  return 1
}
# home WHAT: the shell has its terminal, while or after the program had it.
home() {
  keys "clear; stty -a > $work/after; echo HOME" Enter
  if ! await '^HOME' 20; then bad "$1: the shell is there"; return; fi
  check "$1: stty as before" "diff -q $work/before $work/after >/dev/null"
  check "$1: main screen, cursor shown, no mouse" \
    "[ \"\$(tm display -p -t t '#{alternate_on} #{cursor_flag} #{mouse_any_flag}')\" = '0 1 0' ]"
}
# top_is WHAT: the first line; had one been too wide, all would have moved.
top_is() {
  local end=$((SECONDS + 20))
  until screen | head -n 1 | grep -Eq -- "$1"; do
    [ $SECONDS -lt $end ] || return 1
    read -rt 0.05 <> <(:) || true
  done
}
answered() { grep -q '"type":"answered".*"by":"operator"' "$XDG_STATE_HOME"/growbench/*/runs/"$(run_of)"/events.jsonl; }
# An editor that shows that it has the terminal, and ends by a key.
printf '#!/bin/sh\nprintf "THE EDITOR HAS %%s\\n" "$1"\nread -r _\n' >"$work/editor"
chmod +x "$work/editor"

begin 120 34
keys "clear; VISUAL=$work/editor $work/growbench demo" Enter
check "session: it streams" "await 'transcript of Worker [12]' 60"
for size in 1x1 7x3 20x5 39x9 40x10 60x20 80x24 100x30 160x48 200x60 132x40 120x34; do
  tm resize-window -t t -x "${size%x*}" -y "${size#*x}"
  case $size in
    1x1) ;; # there is no room for a word
    7x3 | 20x5 | 39x9) check "session: a word at $size" "await 'small' 20" ;;
    *) check "session: a whole screen at $size" "await 'Worker|waits|passed' 20 && top_is '^growbench  '" ;;
  esac
done
check "session: it waits" "await 'waits for you' 90"
check "session: a shows what for" "press a 'continue +run the Worker'"
press 1 'answered: continue|Worker 3 of 3 at work|verifying|passed' || true
check "session: answered from the screen" "await 'verified: passed' 120 && answered"
keys Escape
check "session: palette" "press C-p '─ actions ─'"
keys 'this help' Enter
check "session: an action by its name" "await '─ keys ─' 20"
keys Escape
check "session: and closed" "closed '─ keys ─'"
keys 2 / 'limit' Enter
check "session: search in the transcript" "await 'transcript of Worker 3 [0-9]+/[0-9]+' 20"
keys Escape
check "session: copy offers what there is" "press y '─ copy ─'"
keys Enter
check "session: and says which way it went" "await '(copied|clipboard|sent)' 20"
keys e
await '─ (edit|open|files?)' 5 && keys Enter
check "session: the editor has the terminal" "await 'THE EDITOR HAS' 20"
keys Enter
check "session: and gives it back" "await '^growbench +growbench-demo' 20"
check "session: suspended" "press C-z 'Stopped'"
home "session: suspended"
keys fg Enter
check "session: and back" "await '^growbench +growbench-demo' 20"
check "session: the runs" "press L '› runs 1'"
check "session: and the run again" "press Enter 'transcript of Worker 3'"
check "session: replay" "press v 'REPLAY'"
check "session: paused" "press Space 'REPLAY +paused'"
keys Home
check "session: at its first event" "await 'chain 0 of|planning|starting' 20"
check "session: to its end" "press End 'REPLAY +at the end'"
check "session: a step back" "press Left 'REPLAY +paused'"
kill -s HUP "$(program demo)"
await '\$ $' 20 || true
home "session: SIGHUP"

printf '\n%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
