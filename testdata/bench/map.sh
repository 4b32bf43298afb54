#!/bin/sh
# Measures `growbench map` on source trees, and the peers it finds beside it.
#
#   testdata/bench/map.sh [TREE…]      default: the Go toolchain's own source
#
# Fetches nothing. Each TREE is copied into a fresh git repository, so nothing
# of yours is written to. Peers are taken from PATH (REPOMIX and CTAGS may name
# them); one that is missing is said so and left out. Times are wall clock,
# memory is the largest resident set of the process (of repomix and growbench:
# of the largest one among it and its children). What is still to be written to
# the disk is written before each measurement.
#
#   PAIRS=5 testdata/bench/map.sh TREE…
#
# measures only cold starts, in turn with repomix, each on a copy of its own.
# All copies are made before and removed after: for minutes after many files were
# removed, ext4 is slow at making new ones. RUNNER may name a program that
# runs its arguments while nothing else is at work.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
repomix=${REPOMIX:-$(command -v repomix || true)}
ctags=${CTAGS:-$(command -v ctags || true)}

growbench=${GROWBENCH:-$work/growbench}
if [ ! -x "$growbench" ]; then
	(cd "$here" && go build -o "$growbench" .)
fi
[ $# -gt 0 ] || set -- "$(go env GOROOT)/src"

# measure LABEL COMMAND…: one line with seconds and peak memory; the seconds
# stay in $seconds, the kilobytes in $kb.
measure() {
	label=$1
	shift
	${RUNNER-} sh -c 'sync; exec "$@"' - /usr/bin/time -f '%e %M' -o "$work/time" "$@" >"$work/out" 2>"$work/err" || {
		printf '  %-44s failed: %s\n' "$label" "$(tail -n 1 "$work/err")"
		seconds=0 kb=0
		return 0
	}
	read -r seconds kb <"$work/time"
	printf '  %-44s %8.2f s %7d MB\n' "$label" "$seconds" $((kb / 1024))
}

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b > 0) printf "%.1f", a / b; else printf "-" }'; }

repository() {
	mkdir "$2"
	cp -R "$1/." "$2/"
	rm -rf "$2/.git" "$2/.growbench"
	find "$2" \( -name .pi-map.md -o -name .pi-map.index.md -o -name '.pi-map.tmp-*' \) -delete
	git -C "$2" -c init.defaultBranch=main init -q
	git -C "$2" add -A
	git -C "$2" -c gc.auto=0 -c maintenance.auto=false -c user.name=bench -c user.email=bench@example.invalid -c commit.gpgsign=false commit -qm start
}

repomix_run() {
	measure "repomix --compress" sh -c "cd '$1' && exec '$repomix' --compress --quiet --no-security-check -o '$work/repomix.xml'"
	echo "    growbench is $(ratio "$seconds" "$cold") times as fast, with 1/$(ratio "$kb" "$memory") of the memory"
}

pairs() {
	plain=$work/plain$n
	cp -R "$repo" "$plain"
	for i in $(seq "$PAIRS"); do
		cp -R "$repo" "$repo.$i"
		git -C "$repo.$i" status --porcelain >/dev/null
	done
	for i in $(seq "$PAIRS"); do
		measure "map init, cold" "$growbench" -C "$repo.$i" map init
		cold=$seconds memory=$kb
		repomix_run "$plain"
	done
}

n=0
for tree in "$@"; do
	n=$((n + 1))
	repo=$work/tree$n
	repository "$tree" "$repo"
	echo "$tree: $(git -C "$repo" ls-files | wc -l) files, $(du -sh --exclude=.git "$repo" | cut -f1)"
	if [ -n "${PAIRS-}" ]; then
		pairs
		continue
	fi

	measure "map init, cold" "$growbench" -C "$repo" map init
	cold=$seconds memory=$kb
	measure "map init, nothing changed" "$growbench" -C "$repo" map init
	measure "map status, nothing changed" "$growbench" -C "$repo" map status
	measure "map validate, nothing changed" "$growbench" -C "$repo" map validate
	file=$(git -C "$repo" ls-files '*.go' '*.ts' '*.py' '*.rs' '*.java' '*.c' | awk '{ a[NR] = $0 } END { print a[int(NR / 2) + 1] }')
	for i in 1 2 3; do
		echo "// $i" >>"$repo/$file"
		measure "map patch $file" "$growbench" -C "$repo" map patch "$repo/$file"
	done
	"$growbench" -C "$repo" map init >/dev/null
	"$growbench" -C "$repo" map validate >/dev/null && echo "  the map is right, git status: $(git -C "$repo" status --porcelain | wc -l) changed (the patched file)"

	# The peers see the tree without our documents.
	plain=$work/plain$n
	repository "$tree" "$plain"
	if [ -n "$ctags" ]; then
		measure "ctags -R" "$ctags" -R -f "$work/tags" "$plain"
		echo "    growbench takes $(ratio "$cold" "$seconds") times as long"
	else
		echo "  ctags: not found"
	fi
	if [ -n "$repomix" ]; then
		repomix_run "$plain"
	else
		echo "  repomix: not found"
	fi
	rm -rf "$repo" "$plain"
done

# What a patch costs must not depend on the size of the repository. SIZES
# chooses other sizes; empty leaves this out.
[ -z "${PAIRS-}" ] || exit 0
[ -z "${SIZES-x}" ] || echo "map patch by size of the repository (50 files a directory):"
for files in ${SIZES-1000 10000 50000}; do
	repo=$work/size
	mkdir "$repo"
	awk -v n="$files" -v root="$repo" 'BEGIN {
		for (d = 0; d < n / 50; d++) print root "/g" int(d / 30) "/d" d
	}' | xargs mkdir -p
	awk -v n="$files" -v root="$repo" 'BEGIN {
		for (i = 0; i < n; i++) {
			d = int(i / 50)
			f = root "/g" int(d / 30) "/d" d "/f" i ".go"
			printf "// Package d%d is made up.\npackage d%d\n\n// F%d does a thing.\nfunc F%d(a int) int { return a }\n", d, d, i, i > f
			close(f)
		}
	}'
	git -C "$repo" -c init.defaultBranch=main init -q
	git -C "$repo" add -A
	git -C "$repo" -c gc.auto=0 -c maintenance.auto=false -c user.name=bench -c user.email=bench@example.invalid -c commit.gpgsign=false commit -qm start
	measure "$files files: map init, cold" "$growbench" -C "$repo" map init
	for i in 1 2 3; do
		echo "// $i" >>"$repo/g0/d3/f151.go"
		measure "$files files: map patch" "$growbench" -C "$repo" map patch "$repo/g0/d3/f151.go"
	done
	measure "$files files: map status" "$growbench" -C "$repo" map status
	rm -rf "$repo"
done
