package mapgen

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"growbench/mapgen/scan"
)

// packageKinds are the manifests that make a directory a package of its own.
var packageKinds = map[string]string{
	"go.mod": "go", "package.json": "npm", "Cargo.toml": "cargo", "pyproject.toml": "python", "setup.py": "python", "setup.cfg": "python",
	"composer.json": "composer", "pom.xml": "maven", "build.gradle": "gradle", "build.gradle.kts": "gradle", "Package.swift": "swift", "mix.exs": "mix",
}

func packageKind(name string) string {
	if kind := packageKinds[name]; kind != "" {
		return kind
	}
	switch path.Ext(name) {
	case ".csproj", ".fsproj":
		return "dotnet"
	case ".gemspec":
		return "gem"
	}
	return ""
}

// How many packages a directory hands on to the one above, and how many it
// lists.
const (
	maxPackages    = 400
	listedPackages = 60
)

// packageIn is a package as documents list it: its directory and the kinds of
// its manifests; "" for a directory that is none.
func packageIn(r *record) string {
	var kinds []string
	for _, f := range r.Files {
		if kind := packageKind(f.Name); kind != "" && !f.Link && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	return fmt.Sprintf("%s (%s)", packagePath(r.Dir), strings.Join(kinds, ", "))
}

// packagePath keeps a name apart from the marks of a list.
func packagePath(dir string) string {
	return strings.NewReplacer(";", "_", "(", "_", ")", "_", "\n", "_").Replace(dir)
}

const (
	packageLine  = "Package: "
	packagesLine = "Packages: "
)

// packages sets what a directory tells of its packages, and is the lines of
// its architecture about them.
func packages(r *record) string {
	own := packageIn(r)
	var below []string
	for _, c := range r.Parts {
		below = append(below, c.Summary.Packages...)
	}
	var lines []string
	if own != "" {
		r.Summary.Packages = []string{own}
		lines = append(lines, packageLine+own)
	}
	r.Summary.Packages = append(r.Summary.Packages, below[:min(len(below), maxPackages)]...)
	if len(below) > 0 {
		list := strings.Join(below[:min(len(below), listedPackages)], "; ")
		if rest := len(below) - listedPackages; rest > 0 {
			list += fmt.Sprintf("; +%d", rest)
		}
		lines = append(lines, packagesLine+list)
	}
	return strings.Join(lines, "\n")
}

// packagesOf reads back what packages wrote.
func packagesOf(arch string) (all []string) {
	for line := range strings.SplitSeq(arch, "\n") {
		if own, ok := strings.CutPrefix(line, packageLine); ok {
			all = append(all, own)
		} else if list, ok := strings.CutPrefix(line, packagesLine); ok {
			for item := range strings.SplitSeq(list, "; ") {
				if !strings.HasPrefix(item, "+") {
					all = append(all, item)
				}
			}
		}
	}
	return all
}

// packageOf is the directory of the package a directory belongs to: the
// nearest one with a manifest, at or above it; "" when there is none.
func packageOf(dir string, isPackage func(string) bool) string {
	for ; dir != ""; dir = scan.Parent(dir) {
		if isPackage(dir) {
			return dir
		}
	}
	return ""
}
