package describe

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"
)

// fixed are files whose name says it all.
var fixed = map[string]struct{ kind, purpose string }{
	".gitignore": {Config, "Ignore rules for git"}, ".gitattributes": {Config, "Attributes of paths for git"},
	".gitmodules": {Config, "Submodules of the repository"}, ".editorconfig": {Config, "Editor settings: indentation, line ends"},
	".dockerignore": {Config, "What stays out of container builds"}, ".npmignore": {Config, "What stays out of the npm package"},
	".prettierrc": {Config, "Formatter settings"}, ".eslintrc": {Config, "Linter settings"}, ".golangci.yml": {Config, "Go linter settings"},
	".mailmap": {Docs, "Canonical names of authors"}, "codeowners": {Config, "Who reviews which paths"},
	"authors": {Docs, "List of authors"}, "contributors": {Docs, "List of contributors"}, "patents": {Docs, "Grant of patent rights"},
	"go.sum": {Build, "Checksums of the Go modules in use"}, "go.work.sum": {Build, "Checksums of the Go modules in use"},
	"package-lock.json": {Build, "Exact versions of the npm packages in use"}, "yarn.lock": {Build, "Exact versions of the npm packages in use"},
	"pnpm-lock.yaml": {Build, "Exact versions of the npm packages in use"}, "bun.lock": {Build, "Exact versions of the npm packages in use"},
	"cargo.lock": {Build, "Exact versions of the crates in use"}, "gemfile.lock": {Build, "Exact versions of the gems in use"},
	"poetry.lock": {Build, "Exact versions of the Python packages in use"}, "uv.lock": {Build, "Exact versions of the Python packages in use"},
	"composer.lock": {Build, "Exact versions of the PHP packages in use"},
	".nvmrc":        {Config, "Node version"}, ".python-version": {Config, "Python version"}, ".ruby-version": {Config, "Ruby version"},
	".tool-versions": {Config, "Versions of the tools in use"}, "py.typed": {Config, "Marks the package as typed"},
	"manifest.in": {Build, "What goes into the Python source package"},
	".gitkeep":    {Data, "Keeps the directory in git"}, ".keep": {Data, "Keeps the directory in git"},
}

var manifests = map[string]func(FileInput, *FileText) bool{
	"package.json": packageJSON, "composer.json": packageJSON, "go.mod": goMod, "go.work": goWork,
	"cargo.toml": tomlManifest, "pyproject.toml": tomlManifest, "makefile": makefile, "gnumakefile": makefile,
	"dockerfile": dockerfile, "containerfile": dockerfile, "docker-compose.yml": compose, "docker-compose.yaml": compose, "compose.yml": compose,
	"compose.yaml": compose, "tsconfig.json": tsconfig, "pom.xml": pom, "cmakelists.txt": cmake, "requirements.txt": requirements,
	"gemfile": named("Ruby gems the project uses"), "build.gradle": named("Gradle build"), "build.gradle.kts": named("Gradle build"),
	"settings.gradle": named("Gradle modules"), "rakefile": named("Rake tasks"), "jenkinsfile": named("Jenkins pipeline"),
	"vagrantfile": named("Virtual machine for development"), "procfile": named("Processes to run"), "justfile": makefile,
	"setup.py": setupPy, "setup.cfg": setupCfg,
	"build.bazel": named("Bazel build targets"), "build": named("Bazel build targets"), "workspace": named("Bazel workspace"),
}

// known describes files that are known by their name.
func known(in FileInput, name string, t *FileText) bool {
	low := strings.ToLower(name)
	if f, ok := fixed[low]; ok {
		t.Kind, t.Purpose, t.Quality = f.kind, f.purpose, FromInside
		return true
	}
	if strings.HasPrefix(low, "dockerfile") || strings.HasSuffix(low, ".dockerfile") {
		low = "dockerfile"
	}
	if f := manifests[low]; f != nil && in.Content != nil && !dataDir.MatchString(path.Dir(in.Path)+"/") {
		if f(in, t) {
			t.Kind = Build
			return true
		}
	}
	stem := strings.TrimSuffix(low, path.Ext(low))
	if f := manifestsByExt[path.Ext(low)]; f != nil && !dataDir.MatchString(path.Dir(in.Path)+"/") {
		f(in, name, t)
		return true
	}
	switch {
	case low == "module-info.java":
		t.Kind, t.Purpose, t.Quality = Code, "declaration of the Java module "+firstOf(in.Content, javaModule, "it belongs to"), FromSubject
		return true
	case low == "assemblyinfo.cs":
		t.Kind, t.Purpose, t.Quality = Code, "attributes of the assembly: title, version, who sees its inner types", FromSubject
		return true
	case strings.HasSuffix(stem, ".min") && in.Language != "":
		t.Kind, t.Purpose, t.Quality = Code, "minified library "+phrase(strings.TrimSuffix(stem, ".min")), FromSubject
		return true
	case stem == "readme":
		readme(in, t)
		return t.Purpose != ""
	case stem == "license" || stem == "licence" || stem == "copying" || stem == "unlicense" || stem == "notice":
		t.Kind, t.Purpose, t.Quality = Docs, licence(in), FromInside
		return true
	case stem == "changelog" || stem == "changes" || stem == "history" || stem == "news" || stem == "releases":
		t.Kind, t.Purpose, t.Quality = Docs, "What changed from release to release", FromInside
		return true
	case stem == "contributing":
		t.Kind, t.Purpose, t.Quality = Docs, "How to contribute", FromInside
		return true
	case stem == "security":
		t.Kind, t.Purpose, t.Quality = Docs, "How to report a security problem", FromInside
		return in.Language == ""
	case stem == "code_of_conduct":
		t.Kind, t.Purpose, t.Quality = Docs, "Rules of conduct for contributors", FromInside
		return true
	case strings.HasSuffix(stem, ".config") || strings.HasSuffix(stem, "rc") && strings.HasPrefix(low, "."):
		t.Kind, t.Purpose, t.Quality = Config, "Settings of "+phrase(strings.TrimSuffix(strings.Trim(stem, "."), ".config")), FromInside
		return true
	case strings.Contains(in.Path, ".github/workflows/"):
		t.Kind, t.Purpose, t.Quality = Build, "CI workflow: "+firstOf(in.Content, ciName, phrase(stem)), FromInside
		return true
	}
	return false
}

func named(purpose string) func(FileInput, *FileText) bool {
	return func(_ FileInput, t *FileText) bool {
		t.Purpose, t.Quality = purpose, FromInside
		return true
	}
}

var (
	ciName       = regexp.MustCompile(`(?m)^name:\s*['"]?([^'"\n]+)`)
	javaModule   = regexp.MustCompile(`(?m)^\s*(?:open )?module\s+([\w.]+)\s*\{`)
	moduleLine   = regexp.MustCompile(`(?m)^module\s+(\S+)`)
	goLine       = regexp.MustCompile(`(?m)^go\s+(\S+)`)
	useLine      = regexp.MustCompile(`(?m)^\s*(?:use\s+)?(\.[^\s()]*)`)
	tomlName     = regexp.MustCompile(`(?m)^name\s*=\s*["']([^"'\n]+)`)
	tomlAbout    = regexp.MustCompile(`(?m)^description\s*=\s*["']{1,3}([^"\n]+?)["']{1,3}\s*$`)
	makeTarget   = regexp.MustCompile(`(?m)^([a-zA-Z][\w-]*)\s*:(?:[^=]|$)`)
	dockerFrom   = regexp.MustCompile(`(?mi)^FROM\s+(\S+)`)
	service      = regexp.MustCompile(`(?m)^  ([\w-]+):\s*$`)
	pomName      = regexp.MustCompile(`<(?:name|artifactId)>([^<$]+)</`)
	pomAbout     = regexp.MustCompile(`<description>([^<$]+)</`)
	cmakeProject = regexp.MustCompile(`(?i)project\(\s*([\w.-]+)`)
	licenceNames = regexp.MustCompile(`(?i)\b(MIT License|Apache License|GNU (?:AFFERO |LESSER )?GENERAL PUBLIC LICENSE|BSD [23]-Clause|Mozilla Public License|ISC License|The Unlicense|Redistribution and use in source and binary forms)\b`)
)

func firstOf(content []byte, p *regexp.Regexp, otherwise string) string {
	if m := p.FindSubmatch(content); m != nil {
		return strings.TrimSpace(string(m[1]))
	}
	return otherwise
}

func licence(in FileInput) string {
	name := firstOf(in.Content[:min(len(in.Content), 2000)], licenceNames, "")
	switch {
	case name == "":
		return "Terms of use"
	case strings.HasPrefix(strings.ToLower(name), "redistribution"):
		name = "BSD-style"
	}
	return "Terms of use: " + name
}

func packageJSON(in FileInput, t *FileText) bool {
	var p struct {
		Name        string         `json:"name"`
		Description string         `json:"description"`
		Scripts     map[string]any `json:"scripts"`
		Workspaces  any            `json:"workspaces"`
	}
	if json.Unmarshal(in.Content, &p) != nil {
		return false
	}
	what := "npm"
	if strings.HasPrefix(strings.ToLower(path.Base(in.Path)), "composer") {
		what = "PHP"
	}
	t.Quality = FromInside
	t.Package = path.Base(p.Name)
	t.Purpose = "Manifest of the " + what + " package " + p.Name
	if p.Name == "" {
		t.Purpose = "Manifest of an " + what + " package"
	}
	t.describedAs(p.Description)
	return true
}

func goMod(in FileInput, t *FileText) bool {
	t.Purpose, t.Quality = "Go module "+firstOf(in.Content, moduleLine, "?")+", Go "+firstOf(in.Content, goLine, "of any version")+", and what it needs", FromInside
	return true
}

func goWork(in FileInput, t *FileText) bool {
	var dirs []string
	for _, m := range useLine.FindAllSubmatch(in.Content, -1) {
		dirs = append(dirs, string(m[1]))
	}
	t.Purpose, t.Quality = "Go workspace of "+some(dirs, 4, ", "), FromInside
	return true
}

func tomlManifest(in FileInput, t *FileText) bool {
	what := "Rust crate"
	if strings.HasPrefix(path.Base(in.Path), "py") {
		what = "Python package"
	}
	t.Package = firstOf(in.Content, tomlName, "")
	t.Purpose, t.Quality = "Manifest of the "+what+" "+t.Package, FromInside
	if strings.Contains(string(in.Content), "[workspace]") && !tomlName.Match(in.Content) {
		t.Purpose = "Cargo workspace: its members and shared settings"
	}
	t.describedAs(firstOf(in.Content, tomlAbout, ""))
	return true
}

func makefile(in FileInput, t *FileText) bool {
	var targets []string
	seen := map[string]bool{}
	for _, m := range makeTarget.FindAllSubmatch(in.Content, 40) {
		if n := string(m[1]); !seen[n] {
			seen[n] = true
			targets = append(targets, n)
		}
	}
	t.Purpose, t.Quality = "Build targets: "+some(targets, 6, ", "), FromInside
	if len(targets) == 0 {
		t.Purpose = "Make rules"
	}
	return true
}

func dockerfile(in FileInput, t *FileText) bool {
	t.Purpose, t.Quality = "Container image on "+firstOf(in.Content, dockerFrom, "scratch"), FromInside
	return true
}

func compose(in FileInput, t *FileText) bool {
	var names []string
	for _, m := range service.FindAllSubmatch(in.Content, 20) {
		names = append(names, string(m[1]))
	}
	t.Purpose, t.Quality = "Services for Docker Compose: "+some(names, 5, ", "), FromInside
	return true
}

func tsconfig(_ FileInput, t *FileText) bool {
	t.Purpose, t.Quality = "TypeScript compiler settings", FromInside
	return true
}

func pom(in FileInput, t *FileText) bool {
	t.Purpose, t.Quality = "Maven build of "+firstOf(in.Content, pomName, "the module"), FromInside
	t.describedAs(firstOf(in.Content, pomAbout, ""))
	return true
}

func cmake(in FileInput, t *FileText) bool {
	t.Package = firstOf(in.Content, cmakeProject, "")
	t.Purpose, t.Quality = "CMake build of "+firstOf(in.Content, cmakeProject, phrase(path.Base(path.Dir(in.Path)))), FromInside
	return true
}

func requirements(in FileInput, t *FileText) bool {
	t.Purpose, t.Quality = "Python packages to install", FromInside
	return true
}
