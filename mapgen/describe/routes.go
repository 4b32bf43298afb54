package describe

import (
	"bytes"
	"regexp"
	"slices"
)

// routeCall is how programs of several frameworks say what they answer to.
var routeCall = regexp.MustCompile(`(?m)^\s*(?:(?:app|router|server|api|fastify)\.(?:get|post|put|patch|delete|all|use|route|websocket)\(\s*|@(?:app|bp|router|blueprint|api)\.(?:route|get|post|put|delete|websocket)\(\s*|(?:get|post|put|delete|patch) )['"](/[^'"\s]{0,60})['"]`)

// routes are the addresses a file answers to, at most eight.
func routes(in FileInput) []string {
	switch in.Language {
	case "JavaScript", "TypeScript", "Python", "Ruby":
	default:
		return nil
	}
	text := in.Content[:min(len(in.Content), 64<<10)]
	if !bytes.Contains(text, []byte(`'/`)) && !bytes.Contains(text, []byte(`"/`)) {
		return nil
	}
	var out []string
	for _, m := range routeCall.FindAllSubmatch(text, 20) {
		if address := string(m[1]); !slices.Contains(out, address) && len(out) < 8 {
			out = append(out, address)
		}
	}
	return out
}
