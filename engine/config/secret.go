package config

import (
	"cmp"
	"encoding/json"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
)

// Redacted stands where a secret was.
const Redacted = "[redacted]"

// shortestSecret keeps a placeholder key such as "x" from eating whole texts.
const shortestSecret = 4

var secretName = regexp.MustCompile(`(?i)key|token|secret|passw|credential`)

// SecretValues reads the values of all secrets that c names from the
// environment: the providers' keys, the Telegram bot's token, and variables handed to agents whose name
// says that they are secret. The values belong nowhere but in Redact and in
// the provider's request.
func SecretValues(c Config) []string {
	var names []string
	for _, provider := range c.Providers {
		names = append(names, provider.KeyEnv)
	}
	if c.Telegram.On {
		names = append(names, TelegramToken)
	}
	for _, agent := range c.Agents {
		for _, name := range agent.Env {
			if secretName.MatchString(name) {
				names = append(names, name)
			}
		}
	}
	var values []string
	for _, name := range names {
		if name == "" {
			continue
		}
		if value := strings.TrimSpace(os.Getenv(name)); len(value) >= shortestSecret {
			values = append(values, value)
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// Redact replaces every secret in text, also where it stands escaped in JSON
// or in an address. Secrets under 4 bytes are left: they would match
// everywhere. A secret split over two texts is not seen, so redact whole ones.
func Redact(text string, secrets []string) string {
	var spellings []string
	for _, secret := range secrets {
		if len(secret) < shortestSecret {
			continue
		}
		spellings = append(spellings, secret, url.QueryEscape(secret), url.PathEscape(secret))
		if escaped, err := json.Marshal(secret); err == nil {
			spellings = append(spellings, string(escaped[1:len(escaped)-1]))
		}
		plain := compact(secret) // JSON as other writers spell it: < > & as they are
		spellings = append(spellings, plain[1:len(plain)-1])
	}
	// The longest first, so that no secret is cut short by one it contains.
	slices.SortFunc(spellings, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	pairs := make([]string, 0, 2*len(spellings))
	for _, spelling := range slices.Compact(spellings) {
		pairs = append(pairs, spelling, Redacted)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
