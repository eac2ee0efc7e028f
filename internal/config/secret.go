package config

import (
	"regexp"
	"slices"
	"strings"
)

var keyShape = regexp.MustCompile(`^(Bearer )?(sk-|gsk_|hf_|xai-|nvapi-|AIza)[-_A-Za-z0-9]{16,}`)

// secret reports whether a value has the shape of a known kind of API key.
func secret(text string) bool {
	return keyShape.MatchString(text) && strings.ContainsAny(text, "0123456789")
}

// secretName reports whether a name denotes an API key or a password, which no
// file may hold.
func secretName(name string) bool {
	word := strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(lastWord(name)))
	return slices.Contains([]string{"apikey", "key", "openaiapikey", "token", "apitoken", "secret", "authorization", "password", "bearer"}, word)
}
