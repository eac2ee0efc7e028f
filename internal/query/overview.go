package query

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/cite"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/retrieve"
	"github.com/neorag/neorag/internal/route"
	"github.com/neorag/neorag/internal/synth"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/textproc"
)

const (
	overviewRead     = 50 // entities of a kind that an answer chooses from
	overviewEntities = 8  // that it lists
	// enoughNames is how many entities with a proper name make those without one, such as door,
	// superfluous.
	enoughNames = 3
)

// An overview is what an answer without a model says of the whole scope.
type overview struct {
	lead  string      // a sentence about the documents, and what they name most often
	draft synth.Draft // the people, places or other things that the question asks for
}

// overview reads the answer to a question about the whole, without a model. found is whether the question
// asks for people, places or other things, and there are some. Of a filtered scope it reads nothing.
func (r request) overview(ctx context.Context) (o overview, found bool, err error) {
	if r.options.Model != nil || r.reader.Filtered() || !route.IsOverview(textproc.ReadQuestion(r.Text)) {
		return o, false, nil
	}
	read, err := r.reader.Overview(ctx, route.OverviewTypes(r.Text), overviewRead)
	if err != nil {
		return o, false, err
	}
	o = overview{leadOf(read), overviewDraft(read.Entities)}
	return o, !o.draft.Empty(), nil
}

// overviewDraft lists the entities that most chunks mention, each with a sentence about it.
func overviewDraft(entities []graph.Entity) synth.Draft {
	said := map[string]string{}
	entities = slices.DeleteFunc(slices.Clone(entities), func(e graph.Entity) bool {
		said[e.Key] = tellingSentence(e)
		return said[e.Key] == ""
	})
	var d synth.Draft
	for _, e := range withNames(entities) {
		d.Blocks, d.Tokens = d.Blocks+1, d.Tokens+e.NTokens
		d.Items = append(d.Items, cite.Item{
			Statement: cite.Statement{Text: said[e.Key], Title: e.Name, Target: graph.Reference{Kind: graph.KindEntity, Key: e.Key}},
			Label:     fmt.Sprintf("%s (%s)", e.Name, text.Count(e.Frequency, "source", "sources")),
		})
	}
	return d
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

// tellingSentence returns the first sentence of the description of an entity that names it, else the
// first one.
func tellingSentence(e graph.Entity) string {
	first := ""
	for _, at := range textproc.Sentences(e.Description) {
		sentence := text.OneLine(e.Description[at.Start:at.End])
		if strings.Contains(strings.ToLower(sentence), strings.ToLower(e.Name)) {
			return sentence
		}
		if first == "" {
			first = sentence
		}
	}
	return first
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
