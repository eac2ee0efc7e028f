package config

import (
	"regexp"
	"slices"
	"strings"
)

var keyShape = regexp.MustCompile(`^(Bearer )?(sk-|gsk_|hf_|xai-|nvapi-|AIza)[-_A-Za-z0-9]{16,}`)

// secret tells that a value is a key of one of the known shapes.
func secret(text string) bool {
	return keyShape.MatchString(text) && strings.ContainsAny(text, "0123456789")
}

// secretName tells that a name promises a key or password, which no file may hold.
func secretName(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	last = strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(last))
	return slices.Contains([]string{"apikey", "key", "openaiapikey", "token", "apitoken", "secret", "authorization", "password", "bearer"}, last)
}
