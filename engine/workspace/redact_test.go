package workspace

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestVeilSeesSecretsInPieces(t *testing.T) {
	const text = "a hush-secret b hush-hush-secret c hush-secre"
	want := "a [redacted] b hush-[redacted] c hush-secre"
	for size := 1; size <= len(text); size++ {
		v := newVeil([]string{"hush-secret", "zzz"})
		var out bytes.Buffer
		for rest := []byte(text); len(rest) > 0; {
			n := min(size, len(rest))
			out.Write(v.pass(rest[:n]))
			rest = rest[n:]
		}
		out.Write(v.rest())
		if out.String() != want {
			t.Errorf("in pieces of %d: %q", size, out.String())
		}
	}
}

// Whatever a command prints, its secrets are in nothing that is kept or shown.
func TestSecretsOfACommandsOutput(t *testing.T) {
	const secret = "hush-7f3a-secret"
	spill := filepath.Join(t.TempDir(), "out.txt")
	var shown bytes.Buffer
	out, err := Run(context.Background(), Command{
		Shell: "printf 'one %s' hush-7f; printf '3a-secret two '; printf '%s' " + secret + " >&2; printf hush-7f", Dir: t.TempDir(),
		SpillPath: spill, Secrets: []string{secret}, OnOutput: func(p Progress) { shown.Write(p.Text) },
	})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(spill)
	if err != nil {
		t.Fatal(err)
	}
	for where, text := range map[string]string{"the outcome": out.Text(0), "the file": string(kept), "the display": shown.String()} {
		if strings.Contains(text, secret) || strings.Count(text, "[redacted]") != 2 || !strings.HasSuffix(text, "hush-7f") {
			t.Errorf("%s has %q", where, text)
		}
	}
}
