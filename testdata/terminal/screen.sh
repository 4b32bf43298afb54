# What the driven sessions share; sourced. $socket names the tmux server, the
# session is t.
tm() { tmux -L "$socket" -f /dev/null "$@"; }

passed=0
failed=0
ok() { passed=$((passed + 1)); printf 'ok    %s\n' "$1"; }
bad() {
  failed=$((failed + 1))
  printf 'FAIL  %s\n' "$1"
  tm capture-pane -p -t t 2>/dev/null | sed 's/^/      | /' || true
}
check() { if eval "$2"; then ok "$1"; else bad "$1"; fi; }

# Whoever reads it reads all of it: else it would count as failed.
screen() { tm capture-pane -p -t t; }
# await WHAT [SECONDS]: until the screen shows WHAT (an extended expression).
await() {
  local end=$((SECONDS + ${2:-60}))
  until screen | grep -E -- "$1" >/dev/null; do
    [ $SECONDS -lt $end ] || return 1
    read -rt 0.05 <> <(:) || true
  done
}
# closed WHAT: until the screen does not show WHAT any more.
closed() {
  local end=$((SECONDS + 60))
  while screen | grep -E -- "$1" >/dev/null; do
    [ $SECONDS -lt $end ] || return 1
    read -rt 0.05 <> <(:) || true
  done
}
keys() { tm send-keys -t t "$@"; }
