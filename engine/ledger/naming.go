package ledger

import "growbench/engine/doc"

// Naming returns the Signatures of a task that rely on symbol in file, as the
// task words them.
func Naming(t doc.PlanTask, symbol, file string) []string {
	var lines []string
	for _, line := range t.Signatures {
		if sig, path := splitSignature(line); path == file && hasSymbol(sig, symbol) {
			lines = append(lines, line)
		}
	}
	return lines
}
