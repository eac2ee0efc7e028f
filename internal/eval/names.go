package eval

import (
	"path"
	"slices"
	"strings"
)

// names finds documents by what a question calls them: the whole address, or
// the file name, with or without its extension.
type names map[string][]string

func newNames(documents []string) names {
	n := names{}
	for _, d := range documents {
		base := path.Base(d)
		for _, name := range unique(d, base, strings.TrimSuffix(base, path.Ext(base))) {
			n[name] = append(n[name], d)
		}
	}
	return n
}

// wanted are the documents behind each name that is known, and how many names
// are not. Several documents may share a name: any of them serves.
func (n names) wanted(list []string) (known [][]string, unknown int) {
	for _, name := range unique(list...) {
		found := n[name]
		if found == nil {
			found = n[strings.TrimSuffix(name, path.Ext(name))]
		}
		if found == nil {
			unknown++
			continue
		}
		known = append(known, found)
	}
	return known, unknown
}

func unique(list ...string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
