package workspace

import (
	"fmt"
	"path/filepath"
	"testing"
)

// One Worker: a changed file recorded, compared, committed and published.
func BenchmarkWorkerCommit(b *testing.B) {
	for _, files := range []int{30, 10_000} {
		b.Run(fmt.Sprint(files), func(b *testing.B) {
			tree := benchTree(b, files)
			parent := tree.Base
			k := 0
			for b.Loop() {
				k++
				put(b, filepath.Join(tree.Dir, "d0", "f0.go"), fmt.Sprint("package d0 // ", k, "\n"))
				made := commit(b, tree, k, parent)
				must[[]FileChange](b)(tree.Changes(b.Context(), parent, made))
				must[any](b)(nil, tree.Publish(b.Context(), k, made))
				parent = made
			}
		})
	}
}

// What is done before and after every Worker, even one that changes nothing.
func BenchmarkWriteTree(b *testing.B) {
	for _, files := range []int{30, 10_000} {
		b.Run(fmt.Sprint(files), func(b *testing.B) {
			tree := benchTree(b, files)
			for b.Loop() {
				must[string](b)(tree.WriteTree(b.Context()))
			}
		})
	}
}

func BenchmarkReset(b *testing.B) {
	for _, files := range []int{30, 10_000} {
		b.Run(fmt.Sprint(files), func(b *testing.B) {
			tree := benchTree(b, files)
			for b.Loop() {
				put(b, filepath.Join(tree.Dir, "d0", "f0.go"), "package other\n")
				must[any](b)(nil, tree.Reset(b.Context(), tree.Base))
			}
		})
	}
}

func benchTree(b *testing.B, files int) *Tree {
	b.Helper()
	userHome(b)
	dir := plainRepo(b)
	gitAs(b, dir, "config", "gc.auto", "0")
	for i := range files {
		put(b, filepath.Join(dir, fmt.Sprint("d", i%100), fmt.Sprint("f", i, ".go")), fmt.Sprint("package d // ", i, "\n"))
	}
	gitAs(b, dir, "add", "-A")
	gitAs(b, dir, "commit", "-qm", "files")
	tree, _ := create(b, dir, BaseHead)
	return tree
}
