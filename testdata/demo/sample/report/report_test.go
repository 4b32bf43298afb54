package report

import (
	"strings"
	"testing"
)

var rows = []Row{{"photos", 48_200_000, 31}, {"drafts", 2_400_000, 118}}

func TestTable(t *testing.T) {
	want := `     SIZE  FILES  NAME
  48.2 MB     31  photos
   2.4 MB    118  drafts
  50.6 MB    149  total
`
	var got strings.Builder
	if err := Table(&got, rows); err != nil {
		t.Fatal(err)
	}
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}

func TestJSON(t *testing.T) {
	cases := []struct {
		rows []Row
		want string
	}{
		{nil, "[]\n"},
		{rows[:1], `[{"name":"photos","bytes":48200000,"files":31}]` + "\n"},
	}
	for _, c := range cases {
		var got strings.Builder
		if err := JSON(&got, c.rows); err != nil {
			t.Fatal(err)
		}
		if got.String() != c.want {
			t.Errorf("JSON(%v) = %s, want %s", c.rows, got.String(), c.want)
		}
	}
}
