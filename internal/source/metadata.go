package source

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/text"
)

const (
	maxMetadata      = 100     // fields of one document
	maxMetadataName  = 100     // bytes
	maxMetadataValue = 4 << 10 // bytes
)

// metadata returns the other fields of a record, within limits; nil for none.
func metadata(rest map[string]string) map[string]string {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(rest)) {
		value := strings.TrimSpace(clean(rest[name]))
		key := truncate(strings.TrimSpace(clean(name)), maxMetadataName)
		if value == "" || key == "" {
			continue
		}
		if len(out) == maxMetadata {
			break
		}
		out[key] = truncate(value, maxMetadataValue)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// truncate cuts s to at most n bytes, an ellipsis included.
func truncate(s string, n int) string {
	const ellipsis = "…"
	if len(s) <= n {
		return s
	}
	return text.Truncate(s, n-len(ellipsis)) + ellipsis
}

// hasText reports whether there is a letter or a digit in a text.
func hasText(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// firstLine returns an error with the first line of another error's message.
func firstLine(err error) error {
	return errors.New(text.FirstLine(strings.TrimSpace(err.Error())))
}
