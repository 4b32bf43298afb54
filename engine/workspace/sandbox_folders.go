package workspace

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
)

// Where programs keep what opens doors elsewhere: below the home folder,
// below its .config and below its .local/share.
var (
	credentialsInHome = strings.Fields(`
		.ssh .aws .azure .oci .kube .helm .docker .gnupg .pki .password-store .fly .chef .vault-token
		.netrc .authinfo .authinfo.gpg .git-credentials .npmrc .yarnrc.yml .pypirc .pgpass .my.cnf .mylogin.cnf
		.s3cfg .boto .terraformrc .terraform.d/credentials.tfrc.json .gem/credentials
		.cargo/credentials .cargo/credentials.toml .databrickscfg .snowflake
		.mozilla .thunderbird .var/app snap/firefox snap/chromium
		.bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history
		Library/Keychains`)
	credentialsInConfig = strings.Fields(`
		gh glab-cli hub git/credentials gcloud doctl hcloud rclone sops age op 1Password Bitwarden keepassxc
		containers/auth.json netlify configstore heroku
		google-chrome chromium BraveSoftware microsoft-edge vivaldi opera Signal Slack discord`)
	credentialsInData = strings.Fields(`keyrings kwalletd fish/fish_history containers/auth.json`)
	// Servers that do for everyone who may connect what only the user, or
	// root, should be able to do.
	powerfulSockets = strings.Fields(`
		/run/user /run/docker.sock /run/containerd /run/podman /run/crio /run/libvirt /run/dbus /run/systemd/private
		/run/snapd.socket /var/lib/lxd/unix.socket /var/snap/lxd/common/lxd/unix.socket /run/incus`)
)

// CredentialStores are the places to hide from every agent: keys, tokens,
// password stores, browser profiles, shell histories, and the sockets of
// programs with more rights than an agent should have. Growbench's own folders
// are not among them. The places need not exist.
func CredentialStores(home string) []string {
	config := cmp.Or(os.Getenv("XDG_CONFIG_HOME"), filepath.Join(home, ".config"))
	data := cmp.Or(os.Getenv("XDG_DATA_HOME"), filepath.Join(home, ".local", "share"))
	places := append(below(home, credentialsInHome), below(config, credentialsInConfig)...)
	places = append(places, below(data, credentialsInData)...)
	return append(places, powerfulSockets...)
}

// toolCaches are the caches of build tools: the variable that names one, what
// follows its value, and the usual place below the home folder.
var toolCaches = []struct{ variable, rest, usual string }{
	{"GOCACHE", "", ".cache/go-build"},
	{"GOMODCACHE", "", "go/pkg/mod"},
	{"GOPATH", "pkg/mod", ""},
	{"NPM_CONFIG_CACHE", "", ".npm"},
	{"CARGO_HOME", "registry", ".cargo/registry"},
	{"CARGO_HOME", "git", ".cargo/git"},
	{"PIP_CACHE_DIR", "", ".cache/pip"},
	{"UV_CACHE_DIR", "", ".cache/uv"},
	{"GRADLE_USER_HOME", "", ".gradle"},
	{"NUGET_PACKAGES", "", ".nuget/packages"},
	{"", "", ".cache/yarn"}, {"", "", ".cache/pnpm"}, {"", "", ".local/share/pnpm/store"}, {"", "", ".cache/node-gyp"},
	{"", "", ".cache/deno"}, {"", "", ".bun/install/cache"}, {"", "", ".cache/pypoetry"}, {"", "", ".m2/repository"},
	{"", "", ".cache/ccache"}, {"", "", ".cache/sccache"}, {"", "", ".cache/golangci-lint"}, {"", "", ".cache/typescript"},
}

// ToolCaches are the folders build tools keep between runs. Most tools fail, or
// start from nothing, where they cannot write there; but what an agent leaves
// in them is used outside the sandbox too. The folders need not exist.
func ToolCaches(home string) []string {
	var folders []string
	for _, cache := range toolCaches {
		if value := os.Getenv(cache.variable); cache.variable != "" && filepath.IsAbs(value) {
			folders = append(folders, filepath.Join(value, cache.rest))
		} else if cache.usual != "" {
			folders = append(folders, filepath.Join(home, cache.usual))
		}
	}
	return folders
}

func below(dir string, names []string) []string {
	var paths []string
	for _, name := range names {
		paths = append(paths, filepath.Join(dir, name))
	}
	return paths
}
