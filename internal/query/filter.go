package query

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/sys/glob"
)

var (
	// ErrFilter means that no document or chunk passes the filter, or that the method
	// takes no filter.
	ErrFilter = errors.New("filter")

	errDate = errors.New("write it as 2026, 2026-03, 2026-03-01 or 2026-03-01T10:30")
)

// A Filter limits what a question is answered from. The zero value limits nothing.
type Filter struct {
	// Documents are patterns in the syntax of .gitignore. At least one of them must match
	// the document's URI, its file name, or its file name without the extension.
	Documents []string
	After     string   // documents dated that day or later
	Before    string   // documents dated earlier than that day
	Types     []string // text that mentions an entity of one of these types
}

// IsZero reports whether the filter limits nothing.
func (f Filter) IsZero() bool {
	return len(f.Documents) == 0 && f.After == "" && f.Before == "" && len(f.Types) == 0
}

// String returns the filter as the flags that make it.
func (f Filter) String() string {
	var flags []string
	add := func(flag string, values ...string) {
		for _, v := range values {
			if v != "" {
				flags = append(flags, "--"+flag+" "+v)
			}
		}
	}
	add("document", f.Documents...)
	add("after", f.After)
	add("before", f.Before)
	add("type", f.Types...)
	return strings.Join(flags, " ")
}

// parseDay returns the moment at which a date begins, in the form of document
// dates. An empty date is an empty moment.
func parseDay(s string) (string, error) {
	if s = strings.TrimSpace(s); s == "" {
		return "", nil
	}
	for _, layout := range []string{"2006", "2006-01", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Format(time.DateOnly), nil
		}
	}
	if _, err := time.Parse("2006-01-02T15:04", s); err == nil {
		return s, nil
	}
	return "", errDate
}

// maxPattern is the length of the longest pattern, in bytes.
const maxPattern = 1000

// literalBrackets escapes what is special in a .gitignore pattern but common in names.
var literalBrackets = strings.NewReplacer(`\`, `\\`, `[`, `\[`)

// compilePattern returns expressions, one of which has to match a whole name. Names
// often hold brackets: a pattern with brackets matches as a .gitignore pattern, and
// with its brackets and backslashes taken literally.
func compilePattern(pattern string) ([]*regexp.Regexp, error) {
	if pattern == "" || len(pattern) > maxPattern {
		return nil, fmt.Errorf("%w --document: a pattern is 1 to %d bytes long", ErrFilter, maxPattern)
	}
	literal, err := glob.Compile(literalBrackets.Replace(pattern))
	if err != nil {
		return nil, fmt.Errorf("%w --document %q: %w", ErrFilter, pattern, err)
	}
	if !strings.ContainsAny(pattern, `[\`) {
		return []*regexp.Regexp{literal}, nil
	}
	patterns := []*regexp.Regexp{literal}
	if special, err := glob.Compile(pattern); err == nil { // [z-a] is not a set
		patterns = append(patterns, special)
	}
	return patterns, nil
}

// matches reports whether a document matches one of the patterns; without patterns all do.
func matches(patterns []*regexp.Regexp, uri string) bool {
	base := path.Base(uri)
	stem := strings.TrimSuffix(base, path.Ext(base))
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(re *regexp.Regexp) bool {
		return re.MatchString(uri) || re.MatchString(base) || re.MatchString(stem)
	})
}
