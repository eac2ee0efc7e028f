package source

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/sys/glob"
)

// fieldTargets are the fields of a record that are not metadata of its document.
var fieldTargets = []string{"text", "title", "id", "date"}

// ParseFields parses pairs such as "text=body" or "text=title,body" for Options.Fields.
func ParseFields(pairs []string) (map[string]string, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	fields := map[string]string{}
	for _, pair := range pairs {
		target, name, found := strings.Cut(pair, "=")
		if !found {
			return nil, fmt.Errorf("field %q: write TARGET=NAME, as in text=body", pair)
		}
		if _, duplicate := fields[target]; duplicate {
			return nil, fmt.Errorf("field %s: given twice", target)
		}
		fields[target] = name
	}
	return fields, Options{Fields: fields}.Validate()
}

// splitField splits the name of a field into the pattern of the files that it is for, "" for all, and
// the target.
func splitField(field string) (pattern, target string) {
	if at := strings.LastIndexByte(field, ':'); at >= 0 {
		return field[:at], field[at+1:]
	}
	return "", field
}

func (o Options) validateFields() error {
	type column struct{ pattern, name string }
	targets := map[column]string{}
	for _, field := range slices.Sorted(maps.Keys(o.Fields)) {
		pattern, target := splitField(field)
		if _, err := filePattern(pattern); err != nil {
			return fmt.Errorf("field %q: %w", field, err)
		}
		if !slices.Contains(fieldTargets, target) {
			return fmt.Errorf("field %q: use one of %s", field, strings.Join(fieldTargets, ", "))
		}
		c := column{pattern, o.Fields[field]}
		if c.name == "" {
			return fmt.Errorf("field %s: missing name of a column, as in %s=NAME", field, field)
		}
		if other := targets[c]; other != "" {
			return fmt.Errorf("field %s: column %q is already used as %s", field, c.name, other)
		}
		targets[c] = target
	}
	return nil
}

// filePattern compiles a pattern of files; one without a folder matches at any depth.
func filePattern(pattern string) (*regexp.Regexp, error) {
	return regexp.Compile("(?s)^(?:.*/)?" + glob.Expression(strings.TrimPrefix(pattern, "/")) + "$")
}

// fieldsOf returns the columns of one file by target.
func (o Options) fieldsOf(uri string) map[string]string {
	fields := map[string]string{}
	for _, field := range slices.Sorted(maps.Keys(o.Fields)) {
		if pattern, target := splitField(field); pattern == "" {
			fields[target] = o.Fields[field]
		}
	}
	for _, field := range slices.Sorted(maps.Keys(o.Fields)) {
		pattern, target := splitField(field)
		if files, err := filePattern(pattern); pattern != "" && err == nil && files.MatchString(uri) {
			fields[target] = o.Fields[field]
		}
	}
	return fields
}
