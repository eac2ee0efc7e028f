package cli

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

const (
	maxNearNames  = 3
	maxTypedBytes = 200 // of a name for which near ones are searched
)

// nearNames collects the names that were probably meant by one that was typed: those that
// contain it, then those that differ by a few letters, or in a word by one.
type nearNames struct {
	typed string // folded
	found bool   // the typed name is one of the names
	best  []nearName
}

type nearName struct {
	name     string
	distance int
}

func newNearNames(typed string) *nearNames {
	return &nearNames{typed: strings.ToLower(strings.TrimSpace(typed))}
}

// add considers a name, and other names of the same thing.
func (n *nearNames) add(name string, others ...string) {
	n.found = n.found || strings.EqualFold(name, n.typed)
	distance, near := n.distance(name)
	for _, other := range others {
		if d, ok := n.distance(other); ok && (!near || d < distance) {
			distance, near = d, true
		}
	}
	if !near {
		return
	}
	candidate := nearName{name, distance}
	at, known := slices.BinarySearchFunc(n.best, candidate, func(a, b nearName) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(len(a.name), len(b.name)), cmp.Compare(a.name, b.name))
	})
	if !known {
		n.best = slices.Insert(n.best, at, candidate)
		n.best = n.best[:min(len(n.best), maxNearNames)]
	}
}

// distance returns how far a name is from the typed one, and whether that is near.
func (n *nearNames) distance(name string) (d int, near bool) {
	if n.typed == "" || len(n.typed) > maxTypedBytes {
		return 0, false
	}
	folded := strings.ToLower(name)
	if strings.Contains(folded, n.typed) {
		return 0, true
	}
	for word := range strings.FieldsSeq(folded) {
		if word != folded && config.Distance(n.typed, word) == 1 {
			return 2, true
		}
	}
	limit := max(2, len(n.typed)/5)
	if longer := len(folded) - len(n.typed); longer > limit || -longer > limit {
		return 0, false
	}
	d = config.Distance(n.typed, folded)
	return d, d <= limit
}

// question returns "did you mean A, B or C?", "" if no name is near.
func (n *nearNames) question() string {
	var names []string
	for _, b := range n.best {
		names = append(names, b.name)
	}
	switch last := len(names) - 1; {
	case last < 0:
		return ""
	case last == 0:
		return "did you mean " + names[0] + "?"
	default:
		return "did you mean " + strings.Join(names[:last], ", ") + " or " + names[last] + "?"
	}
}

// namedParams are the parameters of saved queries that name something, with what lists its names.
var namedParams = map[string]struct {
	what string
	list func(context.Context, *neo4jstore.Store, string, func(string, ...string)) error
}{
	"entity":   {"entity", entityNames},
	"other":    {"entity", entityNames},
	"type":     {"type", typeNames},
	"label":    {"community", communityNames},
	"document": {"document", documentNames},
}

func entityNames(ctx context.Context, store *neo4jstore.Store, corpus string, each func(string, ...string)) error {
	return store.EntityAliases(ctx, corpus, func(e neo4jstore.AliasedEntity) { each(e.Name, e.Aliases...) })
}

func typeNames(ctx context.Context, store *neo4jstore.Store, corpus string, each func(string, ...string)) error {
	counts, err := store.EntityTypeCounts(ctx, corpus)
	for name := range counts {
		each(name)
	}
	return err
}

func communityNames(ctx context.Context, store *neo4jstore.Store, corpus string, each func(string, ...string)) error {
	c, err := store.Corpus(ctx, corpus)
	if err != nil {
		return err
	}
	communities, err := store.Communities(ctx, corpus, c.Generation, false)
	for _, community := range communities {
		each(community.Label)
	}
	return err
}

func documentNames(ctx context.Context, store *neo4jstore.Store, corpus string, each func(string, ...string)) error {
	documents, err := store.DocumentList(ctx, corpus)
	for _, d := range documents {
		each(d.URI)
	}
	return err
}

// noteUnknownName notes that a given parameter of a saved query names nothing in the corpus, and
// which names are near. It reports whether there is such a parameter.
func noteUnknownName(ctx context.Context, env *environment, store *neo4jstore.Store, corpus string, q cypher.SavedQuery, given map[string]any) (bool, error) {
	for _, p := range q.Params {
		typed, ok := given[p.Name].(string)
		named, known := namedParams[p.Name]
		if !ok || !known || typed == "" {
			continue
		}
		near := newNearNames(typed)
		if err := named.list(ctx, store, corpus, near.add); err != nil {
			return false, err
		}
		if near.found {
			continue
		}
		env.note("no rows: no %s is named %q%s", named.what, typed, strings.TrimRight("; "+near.question(), "; "))
		return true, nil
	}
	return false, nil
}
