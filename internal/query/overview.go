package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
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

// An overview is what an answer without a model says of the whole scope, or of names in it.
type overview struct {
	lead  string      // a sentence of counts, about the documents or about what was asked for
	draft synth.Draft // what was asked for: themes, people, connections or something else
}

// answerOverview answers a question that the graph answers as a whole, or around one or two names,
// without a model. found is whether it is such a question, and the graph has something to answer it. Of
// a filtered scope it reads nothing. names returns the entities that the question names.
func (r Request) answerOverview(ctx context.Context, names func(context.Context) ([]retrieve.Name, error)) (a Answer, found bool, err error) {
	o, err := r.overview(ctx, names)
	if err != nil || o.draft.Empty() {
		return Answer{}, false, err
	}
	a, err = r.Complete(ctx, o.draft, Completion{Lead: o.lead})
	return a, err == nil, err
}

// overview reads the answer to an overview question. It is empty for another question, and has only a
// first sentence if the graph has nothing else to answer it.
func (r Request) overview(ctx context.Context, names func(context.Context) ([]retrieve.Name, error)) (overview, error) {
	if r.Options.Model != nil || r.Reader.Filtered() {
		return overview{}, nil
	}
	var named []retrieve.Name
	var texts []string
	if route.MayName(r.Text) {
		var err error
		if named, err = names(ctx); err != nil {
			return overview{}, err
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
		return overview{}, nil
	case q.Subject == route.Counts:
		return r.counts(ctx, q)
	case q.Subject == route.Comparison:
		return r.comparison(ctx, named[0], named[1])
	case q.Subject == route.Connections && len(named) == 2:
		return r.connection(ctx, named[0], named[1])
	case q.Subject == route.Connections:
		return r.connections(ctx, q)
	case q.Subject == route.Changes && len(named) == 1:
		return r.change(ctx, named[0])
	case q.Subject == route.Changes:
		return r.timeline(ctx, q)
	case q.Subject == route.Themes:
		return r.themes(ctx)
	default:
		read, err := r.Reader.Overview(ctx, q.Types, overviewRead)
		return overview{leadOf(read), overviewDraft(read.Entities)}, err
	}
}

// searchNames searches for the entities that the question names.
func (r Request) searchNames(ctx context.Context) ([]retrieve.Name, error) {
	found, err := r.Reader.HybridSearch(ctx, r.Text)
	return found.Names(), err
}

// foundNames returns the names of a search that was made already.
func foundNames(found retrieve.Candidates) func(context.Context) ([]retrieve.Name, error) {
	return func(context.Context) ([]retrieve.Name, error) { return found.Names(), nil }
}

// overviewDraft lists the entities that most chunks mention, each with a sentence about it.
func overviewDraft(entities []graph.Entity) synth.Draft {
	said := map[string]string{}
	entities = slices.DeleteFunc(slices.Clone(entities), func(e graph.Entity) bool {
		said[e.Key] = tellingSentence(e.Description, e.Name)
		return said[e.Key] == ""
	})
	var d synth.Draft
	for _, e := range withNames(entities) {
		d.Blocks, d.Tokens = d.Blocks+1, d.Tokens+e.NTokens
		d.Items = append(d.Items, entityItem(e, said[e.Key]))
	}
	return d
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
func leadOf(o retrieve.Overview) string {
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
