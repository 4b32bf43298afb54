package symbols

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// BenchmarkLanguages prints MB/s of each language over the labelled files.
func BenchmarkLanguages(b *testing.B) {
	sources, err := filepath.Glob("testdata/labelled/*")
	if err != nil {
		b.Fatal(err)
	}
	byLanguage := map[string][]Source{}
	for _, path := range sources {
		content, err := os.ReadFile(path)
		if err != nil || strings.HasSuffix(path, ".want") {
			continue
		}
		if language := Language(path, content); language != "" {
			byLanguage[language] = append(byLanguage[language], Source{path, content})
		}
	}
	for _, lang := range languages {
		files := byLanguage[lang.name]
		b.Run(lang.name, func(b *testing.B) {
			size := 0
			for _, f := range files {
				size += len(f.Content)
			}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				for _, f := range files {
					Extract(f.Path, f.Content, Limits{})
				}
			}
		})
	}
}

// BenchmarkStandardLibrary reads all of the Go distribution's source with two
// workers.
func BenchmarkStandardLibrary(b *testing.B) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(goroot)), "src")
	var files []Source
	size := 0
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		files = append(files, Source{path, content})
		size += len(content)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(size))
	pool := NewPool(PoolOptions{Workers: 2})
	defer pool.Close()
	for b.Loop() {
		jobs := make(chan Source)
		var wait sync.WaitGroup
		for range 2 {
			wait.Go(func() {
				for s := range jobs {
					if _, err := pool.Extract(context.Background(), []Source{s}); err != nil {
						b.Error(err)
					}
				}
			})
		}
		for _, f := range files {
			jobs <- f
		}
		close(jobs)
		wait.Wait()
	}
	b.ReportMetric(float64(len(files)), "files")
}
