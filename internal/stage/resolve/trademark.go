package resolve

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// symbols are marks of a trademark, which do not belong to a name.
var symbols = strings.NewReplacer("®", "", "™", "", "℠", "", "©", "")

func withoutSymbols(s string) string { return symbols.Replace(s) }

// WithoutSymbols returns an extraction whose names have no marks of a trademark. x stays unchanged.
func WithoutSymbols(x graph.Extraction) graph.Extraction {
	x.Entities, x.Relationships = slices.Clone(x.Entities), slices.Clone(x.Relationships)
	x.Claims, x.Absent = slices.Clone(x.Claims), slices.Clip(x.Absent)
	for i, e := range x.Entities {
		x.Entities[i].Name = withoutSymbols(e.Name)
	}
	for i, r := range x.Relationships {
		x.Relationships[i].Source, x.Relationships[i].Target = withoutSymbols(r.Source), withoutSymbols(r.Target)
	}
	for i, c := range x.Claims {
		x.Claims[i].Subject, x.Claims[i].Object = withoutSymbols(c.Subject), withoutSymbols(c.Object)
	}
	for _, a := range x.Absent { // quotes keep their marks
		if name := withoutSymbols(a); name != a {
			x.Absent = append(x.Absent, name)
		}
	}
	return x
}
