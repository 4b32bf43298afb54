package describe

import (
	"path"
	"regexp"
	"strings"
)

// SpeaksForPackage says that a file of that name is a README or a manifest:
// what it says holds for its directory and for the main source below.
func SpeaksForPackage(name string) bool {
	switch dot := strings.IndexByte(name, '.'); {
	case dot == len("readme"), dot < 0 && len(name) == len("readme"):
		return strings.EqualFold(name[:len("readme")], "readme")
	case dot < 0:
		return false
	}
	switch ext := path.Ext(name); ext {
	case ".json", ".toml", ".py", ".cfg", ".xml", ".txt":
		return packageFiles[strings.ToLower(name)]
	default:
		return manifestsByExt[ext] != nil
	}
}

var packageFiles = wordSet("package.json composer.json cargo.toml pyproject.toml setup.py setup.cfg pom.xml cmakelists.txt")

// manifestsByExt are those that bear the name of what they are about.
var manifestsByExt = map[string]func(in FileInput, name string, t *FileText){".csproj": project, ".fsproj": project, ".gemspec": gemspec}

// describedAs takes what a manifest says of its package.
func (t *FileText) describedAs(words string) {
	if about := sentence(words, maxRole); saysSomething(about) {
		t.About, t.Rank = upper(about), 85
	}
}

var (
	netAbout   = regexp.MustCompile(`<(?:Description|PackageDescription)>([^<$]+)</`)
	gemAbout   = regexp.MustCompile(`(?m)^\s*\w+\.(?:summary|description)\s*=\s*(?:%q\W|['"])([^'"\n}|]{8,})`)
	setupAbout = regexp.MustCompile(`\bdescription\s*=\s*\(?\s*['"]{1,3}([^'"\n]{8,})['"]`)
	setupName  = regexp.MustCompile(`\bname\s*=\s*['"]([\w.-]+)['"]`)
	cfgAbout   = regexp.MustCompile(`(?m)^description\s*=\s*(\S.*)$`)
	cfgName    = regexp.MustCompile(`(?m)^name\s*=\s*([\w.-]+)`)
)

func project(in FileInput, name string, t *FileText) {
	t.Kind, t.Package = Build, strings.TrimSuffix(name, path.Ext(name))
	t.Purpose, t.Quality = ".NET project "+t.Package, FromInside
	t.describedAs(firstOf(in.Content, netAbout, ""))
}

func gemspec(in FileInput, name string, t *FileText) {
	t.Kind, t.Package = Build, strings.TrimSuffix(name, path.Ext(name))
	t.Purpose, t.Quality = "Manifest of the gem "+t.Package, FromInside
	t.describedAs(firstOf(in.Content, gemAbout, ""))
}

func setupPy(in FileInput, t *FileText) bool {
	t.Package = firstOf(in.Content, setupName, "")
	t.Purpose, t.Quality = "Python packaging script", FromInside
	t.describedAs(firstOf(in.Content, setupAbout, ""))
	return true
}

func setupCfg(in FileInput, t *FileText) bool {
	t.Package = firstOf(in.Content, cfgName, "")
	t.Purpose, t.Quality = "Python packaging and tool settings", FromInside
	t.describedAs(firstOf(in.Content, cfgAbout, ""))
	return true
}

// packageRole tells what a package's main source is for: what the package says
// of itself, and which subjects its files are about.
func (d *dir) packageRole() string {
	words := firstOfMany(strings.TrimRight(d.in.Package, "."))
	title := d.place()
	if name, _, _ := strings.Cut(title, ","); len(words) > len(name) && strings.EqualFold(words[:len(name)], name) && !asciiLetter(words[len(name)]) {
		title, words = "", upper(words)
	} else {
		title += ": "
	}
	whole := clip(title+words, maxRole)
	role := d.covering(title + words)
	if base := path.Base(d.in.Path); role == whole && !strings.HasPrefix(title, "The project's") && len(role) < maxRole-20 {
		role += " (its " + or(map[string]string{"src": "source", "lib": "library", "include": "headers"}[base], phrase(base)) + ")"
	}
	return role
}

// firstOfMany is the first sentence of a text that holds several.
func firstOfMany(text string) string {
	if first := firstSentence(text); len(first) > 12 {
		return first
	}
	return text
}

// covering adds to words on the whole what its parts are about.
func (d *dir) covering(text string) string {
	const enough = 60
	if at := strings.Index(text, ". "); at > enough {
		text = text[:at]
	}
	var source []int
	for _, i := range d.order {
		if f := d.in.Files[i]; (f.Text.Kind == Code || f.Text.Kind == Test) && f.Note == "" {
			source = append(source, i)
		}
	}
	more := ""
	if subjects := d.subjects(source, text); len(subjects) > 1 {
		more = "; covers " + strings.Join(subjects, ", ")
	} else if s := d.symbolWords(nil); s != "" {
		more = "; " + s
	}
	const least = 40 // bytes that are worth adding
	if room := maxRole - len(text); more != "" && room > least {
		return text + clip(more, room)
	}
	return clip(text, maxRole)
}
