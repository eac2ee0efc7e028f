package eval

import (
	"path"
	"slices"
	"strings"
)

// documentNames finds the addresses of documents by a name of the evidence: the address,
// or the file name with or without its extension.
type documentNames map[string][]string

func newDocumentNames(documents []string) documentNames {
	n := documentNames{}
	for _, d := range documents {
		base := path.Base(d)
		for _, name := range unique(d, base, strings.TrimSuffix(base, path.Ext(base))) {
			n[name] = append(n[name], d)
		}
	}
	return n
}

// wanted returns the documents of each known name, and the number of unknown names. If
// several documents share a name, finding any of them counts.
func (n documentNames) wanted(list []string) (known [][]string, unknown int) {
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

// unique returns the strings without duplicates, keeping their order.
func unique(list ...string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
