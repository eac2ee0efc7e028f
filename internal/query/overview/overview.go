// Package overview answers questions about a whole corpus from its graph, without a model: themes,
// people, connections, comparisons, changes and counts.
package overview

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/route"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/text"
)

const (
	overviewRead     = 50 // entities of a kind that an answer chooses from
	overviewEntities = 8  // that it lists
	// enoughNames is how many entities with a proper name make those without one, such as door,
	// superfluous.
	enoughNames = 3
)

// An Overview is what an answer without a model says of the whole scope, or of names in it.
type Overview struct {
	Lead  string      // a sentence of counts, about the documents or about what was asked for
	Draft synth.Draft // what was asked for: themes, people, connections or something else
}

// Answer answers a question that the graph answers as a whole, or around one or two names,
// without a model. found is whether it is such a question, and the graph has something to answer it. Of
// a filtered scope it reads nothing. names returns the entities that the question names.
func Answer(ctx context.Context, r query.Request, names func(context.Context) ([]retrieve.Name, error)) (a query.Answer, found bool, err error) {
	o, err := Read(ctx, r, names)
	if err != nil || o.Draft.Empty() {
		return query.Answer{}, false, err
	}
	a, err = r.Complete(ctx, o.Draft, query.Completion{Lead: o.Lead})
	return a, err == nil, err
}

// Read reads the answer to an overview question. It is empty for another question, and has only a
// first sentence if the graph has nothing else to answer it.
func Read(ctx context.Context, r query.Request, names func(context.Context) ([]retrieve.Name, error)) (Overview, error) {
	if r.ForModel() || r.Reader.Filtered() {
		return Overview{}, nil
	}
	var named []retrieve.Name
	var texts []string
	if route.MayName(r.Text) {
		var err error
		if named, err = names(ctx); err != nil {
			return Overview{}, err
		}
		named = slices.Clone(named)
		slices.SortStableFunc(named, func(a, b retrieve.Name) int {
			return cmp.Compare(strings.Index(r.Text, a.Text), strings.Index(r.Text, b.Text))
		})
	}
	for _, n := range named {
		texts = append(texts, n.Text)
	}
	switch q, ok := route.ReadOverview(r.Text, texts); {
	case !ok:
		return Overview{}, nil
	case q.Subject == route.Counts:
		return counts(ctx, r, q)
	case q.Subject == route.Comparison:
		return comparison(ctx, r, named[0], named[1])
	case q.Subject == route.Connections && len(named) == 2:
		return connection(ctx, r, named[0], named[1])
	case q.Subject == route.Connections:
		return connections(ctx, r, q)
	case q.Subject == route.Changes && len(named) == 1:
		return change(ctx, r, named[0])
	case q.Subject == route.Changes:
		return timeline(ctx, r, q)
	case q.Subject == route.Themes:
		return themes(ctx, r)
	default:
		read, err := readOverview(ctx, r.Reader, q.Types, overviewRead)
		o := Overview{Lead: leadOf(read)}
		o.addEntities(read.Entities)
		return o, err
	}
}

// SearchNames returns a search for the entities that the question names.
func SearchNames(r query.Request) func(context.Context) ([]retrieve.Name, error) {
	return func(ctx context.Context) ([]retrieve.Name, error) {
		found, err := r.Reader.HybridSearch(ctx, r.Text)
		return found.Names(), err
	}
}

// FoundNames returns the names of a search that was made already.
func FoundNames(found retrieve.Candidates) func(context.Context) ([]retrieve.Name, error) {
	return func(context.Context) ([]retrieve.Name, error) { return found.Names(), nil }
}

// addEntities lists the entities that most chunks mention, each with a sentence about it.
func (o *Overview) addEntities(entities []graph.Entity) {
	said := map[string]string{}
	entities = slices.DeleteFunc(slices.Clone(entities), func(e graph.Entity) bool {
		said[e.Key] = tellingSentence(e.Description, e.Name)
		return said[e.Key] == ""
	})
	for _, e := range withNames(entities) {
		o.add(entityItem(e, said[e.Key]), e.NTokens)
	}
}

// entityItem is a sentence about an entity, after its name and the number of sources.
func entityItem(e graph.Entity, sentence string) cite.Item {
	return cite.Item{
		Statement: cite.Statement{Text: sentence, Title: e.Name, Target: graph.Reference{Kind: graph.KindEntity, Key: e.Key}},
		Label:     fmt.Sprintf("%s (%s)", e.Name, text.Count(e.Frequency, "source", "sources")),
	}
}

// withNames returns the first entities with a proper name, which begins with a capital, before
// those without one. In a script without capitals all have names.
func withNames(entities []graph.Entity) []graph.Entity {
	var named, others []graph.Entity
	for _, e := range entities {
		if first, _ := utf8.DecodeRuneInString(e.Name); unicode.IsLower(first) {
			others = append(others, e)
		} else {
			named = append(named, e)
		}
	}
	if len(named) < enoughNames {
		named = append(named, others...)
	}
	return named[:min(overviewEntities, len(named))]
}

// leadOf returns a sentence about the documents of the scope and what they name most often.
func leadOf(o documentOverview) string {
	var names []string
	for _, e := range o.Named {
		names = append(names, cite.SanitizeTitle(e.Name))
	}
	lead := text.Count(o.Documents, "document", "documents")
	switch first, last := dayOf(o.First), dayOf(o.Last); {
	case first != "" && first == last:
		lead += ", dated " + first
	case first != "":
		lead += ", dated " + first + " to " + last
	}
	if len(names) > 0 {
		lead += "; most often named: " + strings.Join(names, ", ")
	}
	return lead + "."
}

// dayOf returns the day of a date that may have a time.
func dayOf(date string) string {
	day, _, _ := strings.Cut(date, "T")
	return day
}
