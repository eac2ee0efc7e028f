package parse

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/text"
)

// Limits of the metadata of a document.
const (
	MaxMetadata      = 100     // fields of one document
	maxMetadataName  = 100     // bytes
	maxMetadataValue = 4 << 10 // bytes
)

// Metadata returns the other fields of a record, within limits; nil for none.
func Metadata(rest map[string]string) map[string]string {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(rest)) {
		value := strings.TrimSpace(decode.Clean(rest[name]))
		key := Truncate(strings.TrimSpace(decode.Clean(name)), maxMetadataName)
		if value == "" || key == "" {
			continue
		}
		if len(out) == MaxMetadata {
			break
		}
		out[key] = Truncate(value, maxMetadataValue)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// Truncate cuts s to at most n bytes, an ellipsis included.
func Truncate(s string, n int) string {
	const ellipsis = "…"
	if len(s) <= n {
		return s
	}
	return text.Truncate(s, n-len(ellipsis)) + ellipsis
}

// HasText reports whether there is a letter or a digit in a text.
func HasText(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// FirstLine returns an error with the first line of another error's message.
func FirstLine(err error) error {
	return errors.New(text.FirstLine(strings.TrimSpace(err.Error())))
}
