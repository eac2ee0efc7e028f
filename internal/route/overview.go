package route

import (
	"strings"
	"sync"

	"github.com/neorag/neorag/internal/textproc"
)

// An overviewType is a type of entities, with the words that ask for it.
type overviewType struct {
	kind  string
	words textproc.TermSet
}

// overviewTypes are the types of entities that a question about the whole may ask for.
var overviewTypes = sync.OnceValue(func() []overviewType {
	of := func(kind, words string) overviewType { return overviewType{kind, textproc.TermSetOf(words)} }
	return []overviewType{
		of("person", "people person character figure"),
		of("location", "place location city country setting"),
		of("organization", "organization organisation company institution group"),
		of("event", "event happen happening"),
	}
})

// OverviewTypes returns the types of entities that a question about the whole asks for, none if it asks
// for something else.
func OverviewTypes(question string) []string {
	asked := textproc.TermSetOf(question)
	var out []string
	for _, t := range overviewTypes() {
		if asked.Shared(t.words) > 0 {
			out = append(out, t.kind)
		}
	}
	if len(out) == 0 && strings.HasPrefix(strings.ToLower(strings.TrimSpace(question)), "who ") {
		out = append(out, "person")
	}
	return out
}
