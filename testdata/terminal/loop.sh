#!/usr/bin/env bash
# Drives the grow loop in a real terminal (tmux) on a scripted model, wide and
# narrow: its three texts in their colours, a letter that ends it and is not lost,
# the next number, that looking around ends nothing, its keys. Waits for states on
# the screen, never for a time.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
socket="growbench-loop-$$-0"
export LC_ALL=C.UTF-8
export XDG_STATE_HOME="$work/state" XDG_CONFIG_HOME="$work/config" TMPDIR="$work"
unset TMUX NO_COLOR
. testdata/terminal/screen.sh
model=
cleanup() {
  tm kill-server 2>/dev/null || true
  [ -z "$model" ] || kill "$model" 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
[ -n "${GROWBENCH:-}" ] && cp "$GROWBENCH" "$work/growbench" || go build -o "$work/growbench" .
go build -o "$work/model" ./testdata/terminal/model

"$work/model" -answers "$work/answers" -address "$work/address" &
model=$!
until [ -s "$work/address" ]; do read -rt 0.05 <> <(:) || true; done
mkdir -p "$XDG_CONFIG_HOME/growbench" "$work/shop"
git -C "$work/shop" init -q
printf '# Backlog\n\n- [ ] sizes in bits\n' > "$work/shop/BACKLOG.md"
cat > "$XDG_CONFIG_HOME/growbench/config.json" <<END
{"providers": {"here": {"kind": "ollama", "url": "$(cat "$work/address")", "num_ctx": 131072}},
 "agents": {"model": {"kind": "native", "provider": "here", "model": "scripted"}},
 "roles": {"giver": "model"}}
END

# What the model does, once a size.
arm() { printf '{"text":"There is more.","calls":[%s{"name":"grow_loop","arguments":{"after_seconds":%d}}]}\n' "${2:-}" "$1"; }
for size in 160x40 60x20; do
  pass='{"name":"hand_off","arguments":{"selected":"bits, '$size'","surfaces":["size.go"],"validation":"go test passed"}},'
  arm 3600
  printf '{"text":"I think about the first.","hold":true}\n'
  arm 3600
  printf '{"text":"The second is done."}\n'
  arm 3
  printf '{"text":"The third is done."}\n'
  printf '{"text":"The loop is at work.","hold":true}\n'
  arm 3600
  printf '{"text":"The fifth is done."}\n'
  arm 3600 "$pass"
  printf '{"text":"The sixth is done."}\n'
  arm 3600
  printf '{"text":"The seventh is done."}\n'
  arm 3600 "$pass"
  printf '{"text":"Nothing has moved."}\n'
done > "$work/answers"

say() { keys -l "$1" && keys Enter; }
# titled PATTERN: until the window's title is like that.
titled() {
  local end=$((SECONDS + 60))
  # shellcheck disable=SC2053
  until [[ $(tm display -p -t t '#{pane_title}') == $1 ]]; do
    [ $SECONDS -lt $end ] || return 1
    read -rt 0.05 <> <(:) || true
  done
}
muted='38;5;145' warned='38;5;215' # as tmux keeps them
# coloured WHAT: until the last but one line of the screen shows WHAT in its colours.
coloured() {
  local end=$((SECONDS + 60))
  until tm capture-pane -e -p -t t | tail -n 2 | head -n 1 | grep -Eq -- "$1"; do
    [ $SECONDS -lt $end ] || return 1
    read -rt 0.05 <> <(:) || true
  done
}
counting='grow-loop [0-9]+s *$'
gone() { closed 'grow-loop (∞[0-9]+|[0-9]+s) *$'; }
# still WHAT: what was done shows WHAT, and the loop counts on.
still() { check "$size: $1 ends nothing" "await '$2' && await '$counting'"; }

for size in 160x40 60x20; do
  socket="growbench-loop-$$-$size"
  tm new-session -d -s t -x "${size%x*}" -y "${size#*x}" "env COLORTERM=truecolor PS1='\$ ' bash --norc --noprofile"
  keys "cd $work/shop; clear; $work/growbench chat --theme dark; echo BACK=\$?" Enter
  await 'conversation' || bad "$size: the conversation"

  say 'Make it better, a slice at a time'
  check "$size: deferred, ∞1 in the warning colour" "coloured '${muted}mgrow-loop.*${warned}m∞1'"
  check "$size: the title says it" "await 'the first' && titled 'Grow Loop: ∞1*'"
  keys C-x
  check "$size: stopping the turn drops what it armed" "await '\\(stopped\\)' && gone && titled 'shop*'"

  say 'The second'
  check "$size: the countdown, dim" "coloured '${muted}mgrow-loop.*3[0-9]+s'"
  check "$size: it counts" "await 'grow-loop 3[0-5][0-9]+s'"
  keys PageUp; still "a page up" conversation
  keys C-End; still "the end" 'The second is done'
  keys F7; still "the history" '─ grow loop ─'
  keys F7; still "closing it" '─ conversation ─'
  tm send-keys -t t -l $'\e[<64;10;5M\e[I'; still "the wheel, the focus" '─ conversation ─'
  tm resize-window -t t -x 72 -y 22; still "another size" '─ conversation ─'
  tm resize-window -t t -x "${size%x*}" -y "${size#*x}"; still "and back" '─ conversation ─'
  keys Escape; still "closing the conversation" 'shop'
  closed '─ conversation ─' || bad "$size: it is closed"
  keys '?'; still "help" '─ keys ─'
  keys q; still "closing help" 'runs'
  keys 5; still "the map" '5 map'
  keys L; still "the runs" 'shop · runs'
  keys c C-End; still "the conversation again" 'The second is done'
  keys h
  check "$size: one letter ends it and stands in the input box" "await '› h' && gone && titled 'shop*'"

  keys BSpace
  say 'The third'
  check "$size: the next is ∞3, which its own turn shows dim" "coloured 'grow-loop.*${muted}m∞3' && await 'while true \\| grow loop'"
  keys C-x
  gone || bad "$size: the loop's turn is stopped"

  say 'The fifth'
  await "$counting" || bad "$size: a countdown"
  keys F9
  check "$size: f9 sends the turn now" "await 'The sixth is done' && await '$counting'"
  keys F7
  check "$size: what it handed over" "await 'bits, $size' && await 'go test passed'"
  keys F8
  check "$size: f8 drops what is scheduled, whatever is open" "await '─ grow loop ─' && gone"
  keys F7
  say 'The seventh'
  check "$size: it counts again" "await 'The seventh is done' && await '$counting'"
  keys F9
  check "$size: a pass that moved nothing ends it" "await 'the grow loop has ended: passes [0-9]+ and [0-9]+ ended at' && gone"
  keys F7
  check "$size: with a stop proof" "await '■ stop proof: passes [0-9]'"
  check "$size: no line is wider" "[ \$(screen | wc -L) -le ${size%x*} ]"
  keys C-c
  check "$size: leaving" "await 'BACK=0'"
  tm kill-server
done

printf '\n%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
