package scan

import (
	"strings"
	"testing"
)

func TestSecretsAreKnownByName(t *testing.T) {
	for _, n := range []string{".env", ".env.local", "prod.env", "id_rsa", "server.pem", "tls.key", ".netrc", ".npmrc", "credentials.json", "a/b/.htpasswd", "store.p12"} {
		if SecretName(n) == "" {
			t.Errorf("%s is not taken for a secret", n)
		}
	}
	for _, n := range []string{"env.go", "key.go", "environment.ts", "keys.md", "id_rsa.pub", "package.json", ".envrc.md"} {
		if why := SecretName(n); why != "" {
			t.Errorf("%s is taken for a %s", n, why)
		}
	}
}

// The samples are put together here, so that no scanner takes this file for a
// leak.
func TestSecretsAreKnownByForm(t *testing.T) {
	rep := strings.Repeat
	for rule, sample := range map[string]string{
		"aws-access-key": "AKIA" + rep("Q7", 8), "github-token": "ghp_" + rep("aB3", 12), "gitlab-token": "glpat-" + rep("x9", 10),
		"slack-token": "xoxb-" + rep("12", 8), "stripe-key": "sk_live_" + rep("a1", 12), "google-api-key": "AIza" + rep("S", 35),
		"npm-token": "npm_" + rep("z", 36), "private-key": "-----BEGIN RSA " + "PRIVATE KEY-----\n" + rep("MIIE", 12),
		"json-web-token":      "eyJ" + rep("hb", 10) + ".eyJ" + rep("zd", 10) + "." + rep("Qx", 10),
		"sendgrid-key":        "SG." + rep("a", 22) + "." + rep("b", 43),
		"slack-webhook":       "https://hooks.slack.com/services/T" + "00/B00/" + rep("x", 24),
		"anthropic-key":       "sk-ant-" + "api03-" + rep("k", 40),
		"google-oauth-secret": "GOCSPX-" + rep("q", 28),
	} {
		text := "before\nvalue = \"" + sample + "\"\nafter\n"
		if got := FindSecret("config.py", []byte(text)); got != rule {
			t.Errorf("%s: found %q", rule, got)
		}
		if FindSecret("package-lock.json", []byte(text)) != "" {
			t.Errorf("%s: found in a lock file", rule)
		}
		if r := Redact(text); strings.Contains(r, sample[len(sample)/2:]) {
			t.Errorf("%s: left in %q", rule, r)
		}
	}
	for _, harmless := range []string{
		"sha512-" + rep("abcdEFGH", 10) + "==", "the task-runner disk-usage", "AKIA is how keys begin", "-----BEGIN PRIVATE KEY-----",
		"-----BEGIN CERTIFICATE-----\n" + rep("MIIE", 20), "ghp_short", "d41d8cd98f00b204e9800998ecf8427e",
	} {
		if got := FindSecret("a.txt", []byte(harmless)); got != "" {
			t.Errorf("%q is taken for %s", harmless, got)
		}
	}
}
