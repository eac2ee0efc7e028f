package personas

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/text/textproc"
)

// distinct returns the items that ask for something else than what is known and than the items
// before them, and those that ask for the same.
func distinct(items, known []string) (fresh, same []string) {
	all := make([]folded, 0, len(known)+len(items))
	for _, k := range known {
		all = append(all, fold(k))
	}
	for _, item := range items {
		f := fold(item)
		if slices.ContainsFunc(all, f.same) {
			same = append(same, item)
			continue
		}
		fresh, all = append(fresh, item), append(all, f)
	}
	return fresh, same
}

// folded is a text as it is compared.
type folded struct {
	text  string // in lower case
	terms textproc.TermSet
}

func fold(s string) folded {
	return folded{strings.Join(strings.Fields(strings.ToLower(s)), " "), textproc.TermSetOf(s)}
}

// same reports whether two texts ask for the same: they are equal without letter case and space, or
// have at least four fifths of their terms in common (words without endings and stop words).
func (f folded) same(o folded) bool {
	if f.text == o.text {
		return true
	}
	shared := f.terms.Shared(o.terms)
	return shared > 0 && 5*shared >= 4*(len(f.terms)+len(o.terms)-shared)
}
