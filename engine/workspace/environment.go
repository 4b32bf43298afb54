package workspace

import (
	"os"
	"slices"
	"strings"
)

// passed are the variables of our own environment that children get. What
// names a secret or steers git is never among them.
var passed = strings.Fields(`
	PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR
	XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME
	SSL_CERT_FILE SSL_CERT_DIR
	HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy
	GOPATH GOBIN GOCACHE GOMODCACHE GOENV GOFLAGS GOPROXY GOPRIVATE GONOPROXY GOSUMDB GONOSUMDB GONOSUMCHECK
	GOTOOLCHAIN GOROOT GOARCH GOOS GOEXPERIMENT CGO_ENABLED CC CXX
	CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN
	PYENV_ROOT VIRTUAL_ENV CONDA_PREFIX PIP_CACHE_DIR PIP_INDEX_URL UV_CACHE_DIR
	NVM_DIR NVM_BIN VOLTA_HOME FNM_DIR NODE_EXTRA_CA_CERTS NPM_CONFIG_CACHE NPM_CONFIG_REGISTRY BUN_INSTALL DENO_DIR
	JAVA_HOME MAVEN_HOME GRADLE_HOME GRADLE_USER_HOME ANDROID_HOME
	GEM_HOME GEM_PATH RBENV_ROOT BUNDLE_PATH COMPOSER_HOME DOTNET_ROOT NUGET_PACKAGES
	ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR NIX_PATH NIX_SSL_CERT_FILE LD_LIBRARY_PATH PKG_CONFIG_PATH`)

// Environment is the environment for a child process: an allow-list of ours, a
// terminal that can do nothing, and extra ("NAME=value"), which is passed as it
// is and wins. The result is sorted and names no variable twice.
func Environment(extra ...string) []string {
	values := map[string]string{}
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		if (slices.Contains(passed, name) || strings.HasPrefix(name, "LC_")) && !secret(name) {
			values[name] = value
		}
	}
	values["TERM"] = "dumb"
	for _, entry := range extra {
		if name, value, ok := strings.Cut(entry, "="); ok && name != "" {
			values[name] = value
		}
	}
	list := make([]string, 0, len(values))
	for name, value := range values {
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return list
}

// secret guards the allow-list: names that look like this never pass, whatever
// is added to the list.
func secret(name string) bool {
	name = strings.ToUpper(name)
	return strings.HasPrefix(name, "GIT_") || strings.HasSuffix(name, "_KEY") || strings.HasSuffix(name, "_TOKEN") ||
		strings.Contains(name, "SECRET") || strings.Contains(name, "PASSWORD")
}
