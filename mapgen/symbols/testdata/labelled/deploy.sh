#!/usr/bin/env bash
# Deploys things.
set -euo pipefail
source ./lib/common.sh
. "$(dirname "$0")/env.sh"
. /etc/profile

export TARGET="prod" REGION
declare -x MODE=fast
readonly LIMIT=3
local_only=1

log() { echo "$@"; }
function build {
  inner() { :; }
  source ./late.sh
}
function push() (
  cd dist
)
if [ -n "${X:-}" ]; then
  conditional() { :; }
fi
export -f log
_private() { :; }
ns::scoped() { :; }
with-dash() { :; }
