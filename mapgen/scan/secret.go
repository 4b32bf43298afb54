package scan

import (
	"bytes"
	"path"
	"regexp"
	"strings"
)

// SecretRule finds one kind of credential in text.
type SecretRule struct {
	Name string
	// One of Hints stands in every match: the pattern is tried around it alone,
	// which makes the search of a whole project cheap.
	Hints   []string
	Pattern *regexp.Regexp
}

// SecretRules are the tokens a map never stores. Each issuer publishes the form
// of its tokens, so that they can be found this way.
var SecretRules = []SecretRule{
	rule("private-key", "PRIVATE·KEY", `-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]{0,200}?[0-9A-Za-z+/]{32}`),
	rule("aws-access-key", "AKIA", `\bAKIA[0-9A-Z]{16}\b`),
	rule("aws-temporary-key", "ASIA", `\bASIA[0-9A-Z]{16}\b`),
	rule("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", `\bgh[pousr]_[0-9A-Za-z]{36,}\b`),
	rule("github-fine-grained-token", "github_pat_", `\bgithub_pat_[0-9A-Za-z_]{60,}\b`),
	rule("gitlab-token", "glpat-", `\bglpat-[0-9A-Za-z_-]{20,}`),
	rule("slack-token", "xox", `\bxox[abeoprs]-[0-9A-Za-z-]{10,}`),
	rule("slack-webhook", "hooks.slack.com", `hooks\.slack\.com/services/T[0-9A-Za-z_]+/B[0-9A-Za-z_]+/[0-9A-Za-z_]{16,}`),
	rule("stripe-key", "sk_live_ rk_live_", `\b[rs]k_live_[0-9A-Za-z]{20,}`),
	rule("google-api-key", "AIza", `\bAIza[0-9A-Za-z_-]{35}`),
	rule("google-oauth-secret", "GOCSPX-", `\bGOCSPX-[0-9A-Za-z_-]{24,}`),
	rule("npm-token", "npm_", `\bnpm_[0-9A-Za-z]{36}\b`),
	rule("pypi-token", "pypi-AgE", `\bpypi-AgE[0-9A-Za-z_-]{50,}`),
	rule("openai-key", "T3BlbkFJ", `\bsk-(?:proj-|svcacct-)?[0-9A-Za-z_-]{20,}T3BlbkFJ[0-9A-Za-z_-]{20,}`),
	rule("anthropic-key", "sk-ant-", `\bsk-ant-[a-z0-9]+-[0-9A-Za-z_-]{32,}`),
	rule("sendgrid-key", "SG.", `\bSG\.[0-9A-Za-z_-]{22}\.[0-9A-Za-z_-]{43}`),
	rule("digitalocean-token", "dop_v1_", `\bdop_v1_[0-9a-f]{64}\b`),
	rule("hugging-face-token", "hf_", `\bhf_[A-Za-z]{34}\b`),
	rule("json-web-token", "eyJ", `\beyJ[0-9A-Za-z_-]{16,}\.eyJ[0-9A-Za-z_-]{16,}\.[0-9A-Za-z_-]{16,}`),
}

func rule(name, hints, pattern string) SecretRule {
	list := strings.Fields(hints)
	for i := range list {
		list[i] = strings.ReplaceAll(list[i], "·", " ")
	}
	return SecretRule{name, list, regexp.MustCompile(pattern)}
}

// around is how far from a hint a match may begin or end, in bytes.
const around = 400

// hinted are the hints by the two bytes they begin with: a text is gone through
// once for all of them, and most pairs of bytes begin none.
var hinted = func() (t struct {
	begins [1 << 10]uint64 // a bit for each pair
	hints  map[uint16][]hint
}) {
	t.hints = map[uint16][]hint{}
	for i, r := range SecretRules {
		for _, text := range r.Hints {
			pair := uint16(text[0])<<8 | uint16(text[1])
			t.begins[pair>>6] |= 1 << (pair & 63)
			t.hints[pair] = append(t.hints[pair], hint{text, i})
		}
	}
	return t
}()

type hint struct {
	text string
	rule int
}

// firstRule is the index of the first rule that matches, or len(SecretRules).
func firstRule(content []byte) int {
	best := len(SecretRules)
	if len(content) == 0 {
		return best
	}
	pair := uint16(content[0])
	for i := 1; i < len(content); i++ {
		pair = pair<<8 | uint16(content[i])
		if hinted.begins[pair>>6]&(1<<(pair&63)) == 0 {
			continue
		}
		at := i - 1
		for _, h := range hinted.hints[pair] {
			if h.rule < best && bytes.HasPrefix(content[at:], []byte(h.text)) &&
				SecretRules[h.rule].Pattern.Match(content[max(0, at-around):min(len(content), at+around)]) {
				best = h.rule
			}
		}
	}
	return best
}

// secretNames are files that exist to hold credentials.
var secretNames = map[string]string{
	".netrc": "credential file", "_netrc": "credential file", ".pgpass": "credential file",
	".npmrc": "credential file", ".pypirc": "credential file", ".htpasswd": "credential file",
	".git-credentials": "credential file", ".dockercfg": "credential file", ".dockerconfigjson": "credential file",
	"credentials": "credential file", "credentials.json": "credential file", "credentials.yml": "credential file",
	"credentials.yaml": "credential file", "secrets.json": "credential file", "secrets.yml": "credential file",
	"secrets.yaml": "credential file", "secrets.toml": "credential file", "service-account.json": "credential file",
	"client_secret.json": "credential file", "master.key": "private key", ".vault-token": "credential file",
	"id_rsa": "private key", "id_dsa": "private key", "id_ecdsa": "private key", "id_ed25519": "private key",
	"kubeconfig": "credential file", "terraform.tfstate": "credential file", "terraform.tfstate.backup": "credential file",
}

var secretExts = map[string]string{
	".pem": "private key", ".key": "private key", ".p12": "private key", ".pfx": "private key",
	".jks": "key store", ".keystore": "key store", ".kdbx": "password store", ".ppk": "private key", ".asc": "key",
	".gpg": "encrypted file",
}

// SecretName says by its name alone what secret a file holds, or "".
func SecretName(name string) string {
	base := strings.ToLower(path.Base(name))
	if base == ".env" || strings.HasPrefix(base, ".env.") || strings.HasPrefix(base, ".env-") || strings.HasSuffix(base, ".env") {
		return "environment file"
	}
	if why := secretNames[base]; why != "" {
		return why
	}
	return secretExts[path.Ext(base)]
}

// exempt files are full of hashes that look like secrets and are none.
var exempt = map[string]bool{
	"go.sum": true, "go.work.sum": true, "package-lock.json": true, "npm-shrinkwrap.json": true, "yarn.lock": true,
	"pnpm-lock.yaml": true, "bun.lock": true, "cargo.lock": true, "gemfile.lock": true, "composer.lock": true,
	"poetry.lock": true, "pdm.lock": true, "uv.lock": true, "pipfile.lock": true, "flake.lock": true, "mix.lock": true,
	"podfile.lock": true, "pubspec.lock": true, ".terraform.lock.hcl": true, "gradle.lockfile": true, "packages.lock.json": true,
	"sha256sums": true, "sha512sums": true, "checksums.txt": true, "deno.lock": true,
}

// LockFile says whether a file only pins versions by hash.
func LockFile(name string) bool { return exempt[strings.ToLower(path.Base(name))] }

// FindSecret returns the name of the first rule that matches a file's content,
// or "".
func FindSecret(name string, content []byte) string {
	if LockFile(name) {
		return ""
	}
	if i := firstRule(content); i < len(SecretRules) {
		return SecretRules[i].Name
	}
	return ""
}

// Redact removes what the rules match from a text that is about to be stored.
func Redact(s string) string {
	for _, r := range SecretRules {
		for _, hint := range r.Hints {
			if strings.Contains(s, hint) {
				s = r.Pattern.ReplaceAllString(s, "[secret]")
			}
		}
	}
	return s
}
