package mapgen

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"
)

func TestQuick(t *testing.T) {
	root := os.Getenv("HMROOT")
	if root == "" {
		return
	}
	p, err := Open(root, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t0 := time.Now()
	for range 2 {
		rep, err := p.Init(context.Background(), nil)
		sk := rep.Skipped
		rep.Skipped = nil
		fmt.Printf("%+v skipped %d %v\n", rep, len(sk), err)
		if len(sk) < 10 {
			fmt.Println(sk)
		}
	}
	t0 = time.Now()
	s, err := p.Status(context.Background())
	fmt.Println(s.Clean, len(s.Dirs), err, time.Since(t0))
	t0 = time.Now()
	v, err := p.Validate(context.Background(), false)
	fmt.Println(v.OK, v.Counts, err, time.Since(t0))
	for i, f := range v.Findings {
		if i < 10 {
			fmt.Println(f)
		}
	}
}
