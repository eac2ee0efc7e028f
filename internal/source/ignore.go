package source

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A rule is one pattern of what to ignore, read as git reads .gitignore.
type rule struct {
	expr    *regexp.Regexp
	base    string // folder it holds in, "" for the root
	negated bool   // "!": what it matches is listed after all
	folder  bool   // a trailing "/": it matches folders alone
}

func compileAll(base string, patterns []string) ([]rule, error) {
	var rules []rule
	for _, pattern := range patterns {
		pattern = strings.TrimRight(pattern, " \t\r")
		if pattern == "" || strings.HasPrefix(pattern, "#") {
			continue
		}
		r, err := compile(base, pattern)
		if err != nil {
			return nil, fmt.Errorf("ignore pattern %q: %w", pattern, err)
		}
		rules = append(rules, r)
	}
	return rules, nil
}

func compile(base, pattern string) (rule, error) {
	r := rule{base: base}
	pattern, r.negated = strings.CutPrefix(pattern, "!")
	pattern, r.folder = strings.CutSuffix(pattern, "/")
	expr := translate(strings.TrimPrefix(pattern, "/"))
	if !strings.Contains(pattern, "/") { // a bare name counts at any depth
		expr = "(?:.*/)?" + expr
	}
	var err error
	r.expr, err = regexp.Compile("(?s)^" + expr + "$")
	return r, err
}

// translate makes a regular expression of a pattern: "*" and "?" stay within
// one name, "**" crosses folders.
func translate(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		rest := pattern[i:]
		switch {
		case strings.HasPrefix(rest, "**/"):
			b.WriteString("(?:.*/)?")
			i += 2
		case strings.HasPrefix(rest, "**"):
			b.WriteString(".*")
			i++
		case rest[0] == '*':
			b.WriteString("[^/]*")
		case rest[0] == '?':
			b.WriteString("[^/]")
		case rest[0] == '[' && strings.IndexByte(rest, ']') > 1:
			end := strings.IndexByte(rest, ']')
			set := strings.ReplaceAll(rest[1:end], `\`, `\\`)
			if after, negated := strings.CutPrefix(set, "!"); negated {
				set = "^" + after
			}
			b.WriteString("[" + set + "]")
			i += end
		case rest[0] == '\\' && len(rest) > 1:
			b.WriteString(regexp.QuoteMeta(rest[1:2]))
			i++
		default:
			_, n := utf8.DecodeRuneInString(rest)
			b.WriteString(regexp.QuoteMeta(rest[:n]))
			i += n - 1
		}
	}
	return b.String()
}

func (r rule) matches(rel string, folder bool) bool {
	if r.folder && !folder {
		return false
	}
	if r.base != "" {
		below, ok := strings.CutPrefix(rel, r.base+"/")
		if !ok {
			return false
		}
		rel = below
	}
	return r.expr.MatchString(rel)
}
