package describe

import (
	"path"
	"regexp"
	"strings"
)

// servedDir are directories whose files a web server hands out as they are.
var servedDir = regexp.MustCompile(`(?:^|/)(?:public|static|_static|assets|javascripts?|js)(?:/|$)`)

// programs says of what sort the programs of a directory are.
func (d *dir) programs() string {
	switch {
	case exampleDir.MatchString(d.in.Path) && len(d.entries) > 1:
		return "example programs"
	case exampleDir.MatchString(d.in.Path):
		return "an example program"
	}
	return "a program"
}

// fileDeed is what a file does that is not about a type.
var fileDeed = regexp.MustCompile(`^(?:Calls|Prints|Can|Offers|Types) `)

// deeds are what files do that have no comment, and those files.
func (d *dir) deeds() (parts []string, told []int) {
	n := 0
	for _, i := range d.order {
		if f := d.in.Files[i]; f.Text.Kind == Code && f.Note == "" && f.Text.Quality == FromDeeds {
			n++
		}
	}
	for _, i := range d.order {
		f := d.in.Files[i]
		if f.Text.Kind != Code || f.Note != "" || f.Text.Quality != FromDeeds || len(told) == 3 {
			continue
		}
		text := f.Text.Purpose
		if fileDeed.MatchString(text) {
			text = lower(text)
			switch {
			case d.kinds[Code] > 2:
				continue // names of files tell more
			case !d.namesake(f.Name) && !minor[strings.ToLower(strings.TrimSuffix(f.Name, path.Ext(f.Name)))]:
				text = phrase(strings.TrimSuffix(f.Name, path.Ext(f.Name))) + ": " + text
			}
		}
		parts = append(parts, listClip(text, maxRole/min(n, 3)))
		told = append(told, i)
	}
	return parts, told
}
