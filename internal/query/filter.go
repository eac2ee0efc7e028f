package query

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

var (
	// ErrFilter says that a filter leaves nothing, or that a method takes none.
	ErrFilter = errors.New("filter")
	// errDate says how a date is written.
	errDate = errors.New("write it as 2026, 2026-03, 2026-03-01 or 2026-03-01T10:30")
)

// A Filter bounds what a question is answered from. The zero value bounds nothing.
type Filter struct {
	// Documents are patterns of which one must match the document's address, its
	// file name, or that without its extension: * stands for anything but /, ** for
	// anything, ? for one letter.
	Documents []string
	After     string   // documents dated that day or later
	Before    string   // documents dated earlier than that day
	Types     []string // text that mentions an entity of one of these types
}

// IsZero tells whether the filter bounds nothing.
func (f Filter) IsZero() bool {
	return len(f.Documents) == 0 && f.After == "" && f.Before == "" && len(f.Types) == 0
}

// String says what the filter asks for, as its flags do.
func (f Filter) String() string {
	var parts []string
	add := func(flag string, values ...string) {
		for _, v := range values {
			if v != "" {
				parts = append(parts, "--"+flag+" "+v)
			}
		}
	}
	add("document", f.Documents...)
	add("after", f.After)
	add("before", f.Before)
	add("type", f.Types...)
	return strings.Join(parts, " ")
}

// day is the moment at which a date begins, as dates of documents are written.
func day(s string) (string, error) {
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

// maxPattern is how long a pattern may be, in bytes.
const maxPattern = 1000

// glob turns a pattern into an expression over a whole name.
func glob(pattern string) (*regexp.Regexp, error) {
	if pattern == "" || len(pattern) > maxPattern {
		return nil, fmt.Errorf("%w --document: a pattern is 1 to %d bytes long", ErrFilter, maxPattern)
	}
	var b strings.Builder
	b.WriteString(`\A`)
	for rest := pattern; rest != ""; {
		switch {
		case strings.HasPrefix(rest, "**"):
			b.WriteString(`(?s:.*)`)
			rest = rest[2:]
		case rest[0] == '*':
			b.WriteString(`[^/]*`)
			rest = rest[1:]
		case rest[0] == '?':
			b.WriteString(`[^/]`)
			rest = rest[1:]
		default:
			n := strings.IndexAny(rest, "*?")
			if n < 0 {
				n = len(rest)
			}
			b.WriteString(regexp.QuoteMeta(rest[:n]))
			rest = rest[n:]
		}
	}
	b.WriteString(`\z`)
	re, err := regexp.Compile(b.String())
	if err != nil {
		return nil, fmt.Errorf("%w --document %q: %w", ErrFilter, pattern, err)
	}
	return re, nil
}

// matches tells whether one of the patterns, if there are any, fits a document.
func matches(patterns []*regexp.Regexp, uri string) bool {
	base := path.Base(uri)
	stem := strings.TrimSuffix(base, path.Ext(base))
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(re *regexp.Regexp) bool {
		return re.MatchString(uri) || re.MatchString(base) || re.MatchString(stem)
	})
}
