package mapgen

import (
	"fmt"
	"slices"
	"strings"

	"growbench/mapgen/describe"
)

// Where a part of a directory's map comes from.
const (
	FromParser  = "parser"  // read from the source
	FromModel   = "model"   // said, or inferred, by a model
	FromOffline = "offline" // found in the project's own words
	FromHand    = "hand"    // written by a person
	FromScan    = "scan"    // a note on a file that is not read, or a count
)

// Origin says who a part of a directory's map is by.
type Origin struct {
	Section string `json:"section"`
	File    string `json:"file,omitempty"`
	Field   string `json:"field,omitempty"` // purpose, exp, dep or note; of arch, the line
	Origin  string `json:"origin"`
	By      string `json:"by,omitempty"` // which model
	// Earlier says that it is about an earlier version of the content.
	Earlier bool `json:"earlier,omitempty"`
}

// Origins lists who each part of a directory's map is by, in the document's
// order.
func (p *Project) Origins(dir string) ([]Origin, error) {
	e, err := p.readPair(dir)
	if err != nil {
		return nil, fmt.Errorf("read the map of %s: %w", dir, err)
	}
	if e.m == nil {
		return nil, fmt.Errorf("read the map of %s: %w", dir, ErrNoMap)
	}
	r := p.store.get(dir)
	if r != nil && r.load() != nil {
		r = nil
	}
	o := origins{told: !slices.Contains(e.m.Tags, describe.OfflineTag)}
	if r != nil {
		o.told = r.Told != nil
		if o.told {
			o.by = r.Told.By
		}
	}
	o.words("role", "", "", o.told, o.by, false)
	for _, f := range e.m.Files {
		k, hash := o.known(r, f.Name)
		switch {
		case k == nil:
			o.words("files", f.Name, "purpose", o.told, "", false)
		case k.InPlace:
			o.add(Origin{Section: "files", File: f.Name, Field: "purpose", Origin: FromScan})
		case k.Said != nil:
			o.words("files", f.Name, "purpose", true, k.Said.By, k.Said.Of != "" && k.Said.Of != hash)
		case f.Purpose != "":
			o.words("files", f.Name, "purpose", false, "", false)
		}
		if len(f.Exports) > 0 {
			o.add(Origin{Section: "files", File: f.Name, Field: "exp", Origin: FromParser})
		}
		inferred := func(d string) bool { return strings.HasPrefix(d, "~") }
		if slices.ContainsFunc(f.Deps, func(d string) bool { return !inferred(d) }) {
			o.add(Origin{Section: "files", File: f.Name, Field: "dep", Origin: FromParser})
		}
		if slices.ContainsFunc(f.Deps, inferred) {
			o.add(Origin{Section: "files", File: f.Name, Field: "dep ~", Origin: FromModel})
		}
		if f.Note != "" {
			o.add(Origin{Section: "files", File: f.Name, Field: "note", Origin: FromScan})
		}
	}
	model := o.told
	for _, b := range e.m.Arch {
		if b.Keep {
			o.add(Origin{Section: "arch", Field: firstWords(b.Text), Origin: FromHand})
			continue
		}
		for line := range strings.SplitSeq(b.Text, "\n") {
			counted := strings.HasPrefix(line, packageLine) || strings.HasPrefix(line, packagesLine) || strings.HasPrefix(line, summaryLine)
			if model = model && !strings.HasPrefix(line, filesLine); model && !counted {
				o.words("arch", "", firstWords(line), true, o.by, false)
			} else {
				o.add(Origin{Section: "arch", Field: firstWords(line), Origin: FromScan})
			}
		}
	}
	for _, x := range e.m.Extra {
		o.add(Origin{Section: x.Name, Origin: FromHand})
	}
	return o.list, nil
}

type origins struct {
	told bool // a model described the directory
	by   string
	list []Origin
}

func (o *origins) add(one Origin) { o.list = append(o.list, one) }

// words are somebody's who describes.
func (o *origins) words(section, file, field string, model bool, by string, earlier bool) {
	one := Origin{Section: section, File: file, Field: field, Origin: FromOffline}
	if model {
		one.Origin, one.By, one.Earlier = FromModel, by, earlier
	}
	o.add(one)
}

func (o *origins) known(r *record, file string) (k *known, hash string) {
	if r == nil {
		return nil, ""
	}
	for i, f := range r.Files {
		if f.Name == file {
			return &r.Known[i], hashText(f)
		}
	}
	return nil, ""
}

// firstWords tell a line from others.
func firstWords(text string) string {
	words := strings.Fields(text)
	if len(words) > 5 {
		return strings.Join(words[:5], " ") + " …"
	}
	return strings.Join(words, " ")
}
