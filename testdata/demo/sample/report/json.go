package report

import (
	"encoding/json"
	"io"
)

// JSON writes rows as one list of objects with name, bytes and files, without
// a total.
func JSON(w io.Writer, rows []Row) error {
	type object struct {
		Name  string `json:"name"`
		Bytes int64  `json:"bytes"`
		Files int    `json:"files"`
	}
	list := make([]object, 0, len(rows))
	for _, row := range rows {
		list = append(list, object(row))
	}
	return json.NewEncoder(w).Encode(list)
}
