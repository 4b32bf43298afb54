#!/usr/bin/env bash
# Drives a conversation in a real terminal (tmux), with a scripted model server
# and agents that are shell scripts, through every phase: talk, a draft that the
# lint refuses, one that passes, an edit, approval, plan, chain, report, a run
# that fails, and once more; left and killed in the middle of each, and taken up
# again. Waits for states on the screen, never for a time.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
socket="growbench-talk-$$"
export LC_ALL=C.UTF-8
export XDG_STATE_HOME="$work/state" XDG_CONFIG_HOME="$work/config" TMPDIR="$work"
unset TMUX NO_COLOR
. testdata/terminal/screen.sh
cleanup() {
  tm kill-server 2>/dev/null || true
  for run in $(ls "$XDG_STATE_HOME"/growbench/*/runs 2>/dev/null | grep -E '^[0-9]{8}-'); do
    (cd "$project" && "$work/growbench" stop "$run") >/dev/null 2>&1 || true
  done
  kill "$server" 2>/dev/null || true
  rm -rf "$work"
}
server=
trap cleanup EXIT
set -E
trap 'bad "went no further than line $LINENO"' ERR
[ -n "${GROWBENCH:-}" ] && cp "$GROWBENCH" "$work/growbench" || go build -o "$work/growbench" .
go build -o "$work/model" ./testdata/terminal/model

project="$work/sizes"
mkdir -p "$project" "$work/config/growbench"
printf 'package size\n\n// Parse reads a size.\nfunc Parse(text string) (int, error) { return 0, nil }\n' >"$project/size.go"
git -C "$project" init -q -b main
git -C "$project" add -A
git -C "$project" -c user.name=U -c user.email=u@example.com commit -qm base

: >"$work/answers"
"$work/model" -answers "$work/answers" -address "$work/address" &
server=$!
until [ -s "$work/address" ]; do read -rt 0.05 <> <(:) || true; done

# say TEXT: what the model answers next; hold TEXT: and it never ends;
# draft GOAL BACKGROUND: it drafts Task #0.
say() { printf '{"text":"%s"}\n' "$1" >>"$work/answers"; }
hold() { printf '{"text":"%s","hold":true}\n' "$1" >>"$work/answers"; }
draft() {
  printf '{"calls":[{"name":"draft_task0","arguments":{"goal":"%s","background":"%s","constraints":["no new dependency"],"target_files":["one.txt","two.txt","three.txt"],"signatures":["Parse(text string) (int, error) — size.go"]}}]}\n' "$1" "$2" >>"$work/answers"
}

# The Planner has three tasks; a Worker writes its file and hands in, or, where
# the file "broken" lies beside its script, fails.
task() { printf '{"title":"%s","layer":0,"agent":"","goal":"Write it.","background":"decided","past_failures":"None — first attempt","constraints":["stay small"],"target_files":["%s.txt"],"signatures":[]}' "$1" "$1"; }
plan='{"tasks":['$(task one),$(task two),$(task three)']}'
conf="$work/config/growbench"
printf 'cat >/dev/null\ncat <<"END"\n%s\nEND\n' "$plan" >"$conf/plan.sh"
cat >"$conf/work.sh" <<'END'
prompt=$(cat)
k=$(printf '%s\n' "$prompt" | sed -n 's/^# Task #\([0-9]*\).*/\1/p' | head -1)
f=$(printf '%s\n' "$prompt" | sed -n '/^### Target Files/{n;p;q}')
echo "by $k" >"$f"
printf '# RESULT #%s (by Worker %s)\n\n## Files\n- created: %s\n\n## Signatures\n- none\n\n## Breaking\n- none\n\n## Summary\nWrote %s.\n' "$k" "$k" "$f" "$f"
END
cp "$conf/work.sh" "$work/works.sh"
cat >"$conf/config.json" <<END
{"providers": {"here": {"kind": "ollama", "url": "$(cat "$work/address")", "num_ctx": 65536}},
 "agents": {
  "model": {"kind": "native", "provider": "here", "model": "tiny-chat"},
  "planner": {"kind": "command", "argv": ["sh", "plan.sh"], "prompt": "stdin", "decode": "text"},
  "worker": {"kind": "command", "argv": ["sh", "work.sh"], "prompt": "stdin", "decode": "text"}},
 "roles": {"giver": "model", "planner": "planner", "worker": "worker"}}
END

launch() { keys "clear; $work/growbench chat $*; echo BACK=\$?" Enter; await '─ conversation ─'; }
# left: out of the conversation and of the workbench.
left() {
  keys Escape
  closed '─ conversation ─'
  keys q
  await 'BACK=0'
}
# struck: the workbench is killed in the middle of what it does.
struck() {
  kill -KILL "$(pgrep -f "^$work/growbench chat" | head -n 1)"
  await 'Killed|BACK=137'
  keys 'stty sane' Enter
  keys "$work/growbench --reset; clear; echo AGAIN" Enter
  await '^AGAIN'
}
# kept FILE TEXT: until it is on disk; it is written at once, but not before it
# is on the screen.
kept() {
  local end=$((SECONDS + 60))
  until grep -q -- "$2" "$XDG_STATE_HOME"/growbench/sizes-*/session/"$1" 2>/dev/null; do
    [ $SECONDS -lt $end ] || return 1
    read -rt 0.05 <> <(:) || true
  done
}
# at WHAT SHOWN: the phase is whole at every size, and SHOWN is on it.
at() {
  local size
  for size in 160x48 100x30 80x24 60x20; do
    tm resize-window -t t -x "${size%x*}" -y "${size#*x}"
    check "$1 at $size" "await '$2' && await '^└.*┘|^ +└' && [ \$(screen | wc -L) -le ${size%x*} ]"
  done
  tm resize-window -t t -x 120 -y 36
  await '^└(─){118}┘' # what is typed next is for a screen that is whole
}
escape() { keys Escape; closed 'what crosses, and nothing else'; }
type_() { keys -l "$1"; await "$1"; }

tm new-session -d -s t -x 120 -y 36 "env PS1='\$ ' bash --norc --noprofile"
keys "cd $project" Enter

launch
check "nothing has been said" "await 'nothing has been said'"
say 'Which unit do you want?'
type_ 'Sizes should have a unit'
keys Enter
check "talk: an answer" "await 'Which unit do you want'"
at "talk" 'Which unit'
type_ 'Binary units, and'
left
launch
check "talk: left and back, what was typed is there" "await 'Binary units, and' && await 'Which unit do you want'"
keys M-Enter
type_ 'nothing else'
check "talk: several lines" "await '› Binary units, and' && await '^. +nothing else'"

draft 'Sizes are written in three files.' 'Check it with `go test ./...`.'
hold 'I draft it agai'
keys Enter
check "draft: the lint refuses it" "await 'It does not pass' && await 'I draft it agai'"
at "refused draft" 'I draft it agai'
began=$(date +%s%N)
keys C-x
await '\(stopped\)'
printf '      (%d ms from the key to the answer stopped, tmux and looking included)\n' $((($(date +%s%N) - began) / 1000000))
check "draft: the answer is stopped" "await '\(stopped\)'"
hold 'I beg your pardon, I'
type_ 'Go on'
keys Enter
check "draft: another answer streams" "await 'I beg your pardon, I'"
type_ 'typed meanwhile'
kept input.txt 'typed meanwhile'
struck
launch
check "draft: killed and back, what was typed is there" "await '› typed meanwhile' && await '\(stopped\)'"
keys C-u
draft 'Sizes are written in three files.' 'One file a unit.'
say 'It waits for you.'
type_ 'Draft it without a command'
keys Enter
check "draft: it passes" "await 'It waits for you' && await 'It passes' && await '\? Task #0: Sizes are written'"
at "draft" '\? Task #0: Sizes are written'
left
launch
check "draft: left and back, it still waits" "await '\? Task #0: Sizes are written'"

keys F4
check "edit: the six sections, and what is to be said of them" "await '─ Task #0 ─' && await 'It passes' && await 'size.go: 4 lines'"
keys Tab
await '› Background'
keys Enter
type_ 'Bytes stay exact.'
at "edit" '› Background'
kept form-task0.json 'Bytes stay exact'
struck
launch
await '\? Task #0: Sizes are written'
keys F4
check "edit: killed and back, what was typed is there" "await 'Bytes stay exact' && await 'typed and not saved'"
for _ in 1 2 3 4 5; do keys Tab; done
await '› Signatures'
for _ in 1 2 3 4 5 6 7; do keys BSpace; done
type_ 'siz.go'
check "edit: a signature is looked up" "await 'there is no file siz.go'"
keys BSpace BSpace BSpace
type_ 'e.go'
check "edit: and found" "closed 'there is no file' && await 'It passes\.'"
keys F2
check "edit: it is saved, and waits" "await 'Task #0 by the operator: it passes' && await '\? Task #0: Sizes are written'"

keys F2
check "chain: the plan is asked about" "await 'starting|planning|one.txt|waits' && await '\? .*[Pp]lan'"
at "plan" '\? .*[Pp]lan'
struck
launch
check "plan: killed and back, it still waits" "await '\? .*[Pp]lan'"
left
keys "clear; $work/growbench attach latest; echo BACK=\$?" Enter
await '1 chain'
for _ in 1 2 3 4 5; do # what waits may have come up by itself
  if screen | grep '┌─ ' >/dev/null; then keys Escape && closed '┌─ ' || true; fi
  keys c
  ! await '─ conversation ─' 5 || break
done
check "plan: the conversation is one key from the run" "await '─ conversation ─' && await '\? .*[Pp]lan'"
say 'All three are written.'
keys F2
check "report: by reference, and the model has spoken" "await 'All three are written' 90"
at "report" 'All three are written'
left
launch
check "report: left and back" "await 'All three are written'"

printf 'exit 3\n' >"$conf/work.sh"
draft 'Sizes are written as text.' 'One file a unit, once more.'
say 'The second draft waits.'
type_ 'Now as text'
keys Enter
await 'The second draft waits'
keys F2
await '\? .*[Pp]lan'
say 'It failed; I would look first.'
keys F2
check "failure: told, and left to the operator" "await 'It failed; I would look first' 90"
at "failure" 'It failed; I would look first'
failed_run=$(ls -t "$XDG_STATE_HOME"/growbench/*/runs | grep -E '^[0-9]{8}-' | head -n 1)
left
launch
check "failure: left and back" "await 'It failed; I would look first'"
cp "$work/works.sh" "$conf/work.sh"
draft 'Sizes are written as text.' 'One file a unit, and no number.'
say 'The third draft waits.'
type_ 'Try again'
keys Enter
check "once more: a draft" "await 'The third draft waits' && await '\? Task #0: Sizes are written as text'"
check "once more: nothing ran by itself" "[ \$(ls '$XDG_STATE_HOME'/growbench/*/runs | grep -cE '^[0-9]{8}-') = 2 ]"
keys F5
check "once more: what crosses holds what failed" "await 'what crosses, and nothing else' && await \"Run $failed_run\""
escape
keys F2
await '\? .*[Pp]lan'
say 'Now they are written.'
keys F2
check "once more: it passes" "await 'Now they are written' 90"
left

# No model at all: Task #0 and the plan by hand, agents that are programs.
sed -i 's/"giver": "model", //' "$conf/config.json"
keys "mkdir ../byhand; cd ../byhand; git init -q -b main; git -c user.name=U -c user.email=u@example.com commit -q --allow-empty -m base" Enter
launch
check "no model: said" "await 'no model answers here'"
keys F4
await '─ Task #0 ─'
for words in 'Two texts are written.' 'decided' '' 'None' "one.txt" 'None'; do
  [ -z "$words" ] || type_ "$words"
  keys Tab
done
check "no model: Task #0 in the form" "await 'It passes'"
keys F2
await '\? Task #0: Two texts'
keys F6
check "no model: the plan in a form" "await '─ the plan ─' && await 'Task #1 of 1' && await 'It passes'"
at "plan form" 'Task #1 of 1'
keys F2
check "no model: the chain runs and is reported" "await 'passed' 90"
left

printf '\n%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
