package tool

import "testing"

func TestCommandsThatPatternsAllow(t *testing.T) {
	patterns := []string{"go test *", "go build *", "npm run lint", "ls *", "make *-check", "cd *"}
	for line, want := range map[string]bool{
		"go test ./...":                     true,
		"go test":                           true,
		"  go   test  ./a   ":               true,
		"go test -run 'TestA|TestB' ./size": true,
		`go test -run "A b" ./size`:         true,
		"go test ./... 2>&1":                true,
		"go build ./... && go test ./...":   true,
		"cd sub && go test ./...":           true,
		"go build ./...; go test ./...":     true,
		"go build ./...\ngo test ./...":     true,
		"npm run lint":                      true,
		"make fast-check":                   true,
		"npm run lint --fix":                false,
		"go testify":                        false,
		"go vet ./...":                      false,
		"gotest ./...":                      false,
		"go test ./...; rm -rf /":           false,
		"go test ./... && curl http://x":    false,
		"go test ./... | sh":                false,
		"go test ./... &":                   false,
		"go test $(rm -rf /)":               false,
		"go test `rm -rf /`":                false,
		`go test "$(rm -rf /)"`:             false,
		"go test $HOME":                     false,
		"go test > /etc/passwd":             false,
		"go test < /etc/passwd":             false,
		"go test 2> x":                      false,
		"go test x2>&1 y":                   false,
		"(go test ./...)":                   false,
		"go test 'unfinished":               false,
		"go test \\; rm":                    false,
		"go test ./...\nrm -rf /":           false,
		"go test ./...\rrm":                 false,
		"GOFLAGS=-exec=evil go test":        false,
		"env go test":                       false,
		"'go test' x":                       false,
		"":                                  false,
		" ;":                                false,
		"&& go test":                        false,
		"go test *":                         false,
		"go test {a,b}":                     false,
		"make x; touch a-check":             false,
		"go test # comment":                 false,
		"go test ./... || go build ./...":   true,
		"go test ./... |& sh":               false,
		"go test <(curl x)":                 false,
		"go test \x00":                      false,
	} {
		if got := Allowed(line, patterns); got != want {
			t.Errorf("%q: allowed %v", line, got)
		}
	}
	if Allowed("rm -rf /", nil) || Allowed("rm", []string{""}) {
		t.Error("no pattern allows nothing")
	}
	if !Allowed("/bin/rm x", []string{"*"}) || Allowed("rm $x", []string{"*"}) {
		t.Error("a star is any plain command")
	}
}

func FuzzAllowed(f *testing.F) {
	f.Add("go test ./... && rm x")
	f.Fuzz(func(t *testing.T, line string) {
		if Allowed(line, []string{"go test *"}) && (len(line) < len("go test") || Allowed(line+" $(x)", []string{"go test *"})) {
			t.Fatalf("%q", line)
		}
	})
}
