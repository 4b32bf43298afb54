// Package report prints rows of sizes for people and for programs.
package report

import (
	"fmt"
	"io"
	"strings"

	"example.com/sizes/size"
)

// Row is one line of a report.
type Row struct {
	Name  string
	Bytes int64
	Files int
}

// Table writes rows as aligned columns under a header, and their total below.
func Table(w io.Writer, rows []Row) error {
	var text strings.Builder
	line := func(bytes, files, name string) {
		fmt.Fprintf(&text, "%9s %6s  %s\n", bytes, files, name)
	}
	line("SIZE", "FILES", "NAME")
	for _, row := range append(rows[:len(rows):len(rows)], total(rows)) {
		line(size.Format(row.Bytes), fmt.Sprint(row.Files), row.Name)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

func total(rows []Row) Row {
	sum := Row{Name: "total"}
	for _, row := range rows {
		sum.Bytes += row.Bytes
		sum.Files += row.Files
	}
	return sum
}
