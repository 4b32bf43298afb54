#!/usr/bin/env bash
# A grow loop with the real program: a scripted model works through a backlog of
# three items, one chain with its own check a pass, each pass on top of the one
# before, and stops by itself; then one merge brings all of it. Prints what the
# loop did and ends with the first thing that is not as it must be.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
model=
cleanup() {
  [ -z "$model" ] || kill "$model" 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
export XDG_STATE_HOME="$work/state" XDG_CONFIG_HOME="$work/config" TMPDIR="$work"
[ -n "${GROWBENCH:-}" ] && cp "$GROWBENCH" "$work/growbench" || go build -o "$work/growbench" .
go build -o "$work/model" ./testdata/terminal/model
fail() {
  echo "FAIL  $*"
  cat "$work/events" "$work/errors" 2>/dev/null
  exit 1
}
ok() { echo "ok    $*"; }
growbench() { "$work/growbench" -C "$project" "$@"; }

project="$work/units"
cp -r testdata/loop/project "$project"
git -C "$project" init -q -b main
git -C "$project" add -A
git -C "$project" -c user.name=U -c user.email=u@example.com commit -qm "open work"
git -C "$project" config user.name U
git -C "$project" config user.email u@example.com

"$work/model" -answers testdata/loop/answers.jsonl -address "$work/address" &
model=$!
for _ in {1..1200}; do
  [ ! -s "$work/address" ] || break
  read -rt 0.05 <> <(:) || true
done
[ -s "$work/address" ] || fail "the model server does not start"

mkdir -p "$work/config/growbench"
cp testdata/loop/plan.sh testdata/loop/work.sh "$work/config/growbench/"
cat > "$work/config/growbench/config.json" <<END
{
  "providers": {"here": {"kind": "ollama", "url": "$(cat "$work/address")", "num_ctx": 131072}},
  "agents": {
    "model": {"kind": "native", "provider": "here", "model": "tiny-chat"},
    "planner": {"kind": "command", "argv": ["sh", "plan.sh"], "prompt": "stdin", "decode": "text"},
    "worker": {"kind": "command", "argv": ["sh", "work.sh"], "prompt": "stdin", "decode": "text"}
  },
  "roles": {"giver": "model", "planner": "planner", "worker": "worker"},
  "checks": {"verify": ["sh check.sh"]}
}
END

began=$SECONDS
printf '%s\n' 'grow loop' '{"approve":"scope"}' | growbench chat --headless > "$work/events" 2> "$work/errors" || fail "it ended with $?"
! grep -q 'THE SCRIPT' "$work/events" || fail "the model was asked for more than it has"

loop=$(grep '"type":"loop"' "$work/events" | sed -E 's/.*"state":"([a-z]+)","n":([0-9]+),.*/\1 \2/' | paste -sd, -)
[ "$loop" = "deferred 1,countdown 1,active 1,deferred 2,countdown 2,active 2,idle 2" ] || fail "the loop went $loop"
ok "deferred, countdown, active, twice; then idle ($((SECONDS - began)) s)"
[ $((SECONDS - began)) -ge 7 ] || fail "it did not wait 3 and 4 seconds"
ok "it waited as long as it was asked to"
[ "$(grep -c '"text":"while true | grow loop"' "$work/events")" = 2 ] || fail "the trigger is no visible turn"
ok "two turns by the loop"
[ "$(grep -c '"type":"waiting"' "$work/events")" = 1 ] || fail "more was asked than the scope"
ok "one question: the scope"
grep -q '"text":"The loop has stopped: no further pass was scheduled.' "$work/events" || fail "there is no stop proof"
ok "a stop proof"

runs=$(growbench runs --json | grep -o '"run": *"[^"]*"' | cut -d'"' -f4)
[ "$(wc -w <<< "$runs")" = 3 ] || fail "the runs are $runs"
for run in $runs; do
  growbench show "$run" --json | tr -d '\n ' | grep -q '"verified":"passed"' || fail "run $run was not checked"
done
ok "three runs, each passed its own check"
[ "$(paste -sd, "$project/units.txt")" = byte ] || fail "the list was changed before the merge"
growbench merge latest > "$work/merged" 2>&1 || fail "$(cat "$work/merged")"
grep -q 'This includes the work of runs ' "$work/merged" || fail "the merge does not say what it brings: $(cat "$work/merged")"
(cd "$project" && sh check.sh 3) || fail "the units are not right"
[ "$(paste -sd, "$project/units.txt")" = byte,kib,mib,gib ] || fail "the list holds $(cat "$project/units.txt")"
ok "each pass went on where the one before ended: one merge brings all three, in one list"
for run in $runs; do
  growbench merge "$run" 2>&1 | grep -q '^Nothing to merge' || fail "run $run was left out"
done
ok "nothing is left to merge"
[ "$(cat "$XDG_STATE_HOME"/growbench/*/session/handoffs.jsonl | grep -c '"type":"handoff"')" = 3 ] || fail "the history has not three passes"
ok "the history has three passes"
