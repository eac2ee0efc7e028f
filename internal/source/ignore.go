package source

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/neorag/neorag/internal/sys/glob"
)

// An ignoreRule is a pattern of files to ignore, with the meaning that it has in
// .gitignore.
type ignoreRule struct {
	expr        *regexp.Regexp
	base        string // the folder it applies to, relative to the root; "" for the root
	negated     bool   // with a leading "!": what it matches is listed again
	foldersOnly bool   // with a trailing "/"
}

// compileIgnoreRules compiles the patterns of a folder, one a line. Empty lines
// and lines that start with "#" are skipped.
func compileIgnoreRules(base string, patterns []string) ([]ignoreRule, error) {
	var rules []ignoreRule
	for _, pattern := range patterns {
		pattern = strings.TrimRight(pattern, " \t\r")
		if pattern == "" || strings.HasPrefix(pattern, "#") {
			continue
		}
		r, err := compileIgnoreRule(base, pattern)
		if err != nil {
			return nil, fmt.Errorf("ignore pattern %q: %w", pattern, err)
		}
		rules = append(rules, r)
	}
	return rules, nil
}

func compileIgnoreRule(base, pattern string) (ignoreRule, error) {
	r := ignoreRule{base: base}
	pattern, r.negated = strings.CutPrefix(pattern, "!")
	pattern, r.foldersOnly = strings.CutSuffix(pattern, "/")
	expr := glob.Expression(strings.TrimPrefix(pattern, "/"))
	if !strings.Contains(pattern, "/") { // a bare name matches at any depth
		expr = "(?:.*/)?" + expr
	}
	var err error
	r.expr, err = regexp.Compile("(?s)^" + expr + "$")
	return r, err
}

// matches reports whether the rule applies to a path relative to the root.
func (r ignoreRule) matches(rel string, isFolder bool) bool {
	if r.foldersOnly && !isFolder {
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
