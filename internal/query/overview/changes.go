package overview

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/route"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

// changeSteps is how many sentences tell a change, from the first to the last.
const changeSteps = 8

// changeBonus is what a word of change adds to how much a sentence tells of it.
const changeBonus = 1.

// changeTerms are words of sentences that tell of a change.
var changeTerms = textproc.TermSetOf("again anymore became become began begin change changed different former formerly grew grow " +
	"improve improved longer never once promise started still stop stopped used")

// change answers with what is said of a name from the first source to the last.
func change(ctx context.Context, r query.Request, name retrieve.Name) (Overview, error) {
	entities, err := readEntities(ctx, r.Reader, name.Keys)
	if err != nil {
		return Overview{}, err
	}
	chunks, err := readMentionsInOrder(ctx, r.Reader, name.Keys, changeSteps)
	if err != nil {
		return Overview{}, err
	}
	var o Overview
	sources := 0
	said := map[string]bool{}
	for _, e := range entities {
		sources += e.Frequency
		for _, c := range chunks[e.Key] {
			s, ok := changeIn(c, e.Name, said)
			if !ok {
				continue
			}
			said[s.Text] = true
			o.add(cite.Item{Statement: s, Label: timeOf(c)}, c.NTokens)
		}
	}
	o.Lead = fmt.Sprintf("%s is named in %s; from the first to the last:", cite.SanitizeTitle(name.Text), text.Count(sources, "source", "sources"))
	return o, nil
}

// changeIn returns the sentence of a chunk that tells most of how a name changes, and was not said yet.
func changeIn(c neo4jstore.ChunkRow, name string, said map[string]bool) (best cite.Statement, ok bool) {
	most := 0.
	for _, s := range cite.TextStatements(c.Text, c.DocumentTitle, graph.Reference{Kind: graph.KindChunk, Key: c.Key}) {
		rated := rateSentence(s.Text, []string{name})
		first, _ := utf8.DecodeRuneInString(s.Text)
		if said[s.Text] || rated.names == 0 || textproc.IsTimeLine(s.Text) || unicode.IsLower(first) {
			continue
		}
		score := rated.tells
		if textproc.TermSetOf(s.Text).Shared(changeTerms) > 0 {
			score += changeBonus
		}
		if score > most {
			best, most, ok = s, score, true
		}
	}
	return best, ok
}

// timeline lists events and things in the order in which the documents mention them first, or, if the
// documents have no dates, what claims say of dates.
func timeline(ctx context.Context, r query.Request, q route.OverviewQuestion) (Overview, error) {
	read, err := readOverview(ctx, r.Reader, q.Types, overviewRead)
	if err != nil {
		return Overview{}, err
	}
	if read.First == "" && len(q.Types) == 0 {
		claims, err := datedClaims(ctx, r)
		o := Overview{Lead: leadOf(read)}
		for _, c := range claims {
			o.add(claimItem(c), c.NTokens)
		}
		if err != nil || len(claims) > 0 {
			return o, err
		}
	}
	named := read.Entities
	if len(q.Types) == 0 {
		if named, err = commonThings(ctx, r); err != nil {
			return Overview{}, err
		}
	}
	keys := make([]string, len(named))
	for i, e := range named {
		keys[i] = e.Key
	}
	first, err := readMentionsInOrder(ctx, r.Reader, keys, 1)
	if err != nil {
		return Overview{}, err
	}
	o := Overview{Lead: leadOf(read)}
	var steps []timelineStep
	for _, e := range named {
		for _, c := range first[e.Key] {
			if s, ok := changeIn(c, e.Name, nil); ok {
				steps = append(steps, timelineStep{c, cite.Item{Statement: s, Label: timeOf(c) + ", " + e.Name}})
			}
		}
	}
	slices.SortStableFunc(steps, compareSteps)
	steps = slices.CompactFunc(steps, func(a, b timelineStep) bool { return a.item.Text == b.item.Text })
	for _, step := range evenly(steps, changeSteps) {
		o.add(step.item, step.chunk.NTokens)
	}
	return o, nil
}

// commonThings reads the things and events that most chunks mention.
func commonThings(ctx context.Context, r query.Request) ([]graph.Entity, error) {
	found, err := readThemes(ctx, r.Reader, r.Level.Number(), themeRead)
	var out []graph.Entity
	for _, f := range chooseThemes(found) {
		if len(out) < overviewRead {
			out = append(out, f.Entity)
		}
	}
	return out, err
}

// A timelineStep is a sentence with the chunk that it is in.
type timelineStep struct {
	chunk neo4jstore.ChunkRow
	item  cite.Item
}

// compareSteps orders steps by date, those without one last, then by document and place.
func compareSteps(a, b timelineStep) int {
	undated := func(c neo4jstore.ChunkRow) int {
		if c.Date == "" {
			return 1
		}
		return 0
	}
	x, y := a.chunk, b.chunk
	return cmp.Or(
		cmp.Compare(undated(x), undated(y)), cmp.Compare(x.Date, y.Date), cmp.Compare(x.DocumentURI, y.DocumentURI),
		cmp.Compare(x.Index, y.Index), cmp.Compare(a.item.Quote.Start, b.item.Quote.Start),
	)
}

// evenly returns at most n of some steps, evenly spread from the first to the last.
func evenly(steps []timelineStep, n int) []timelineStep {
	if len(steps) <= n {
		return steps
	}
	out := make([]timelineStep, n)
	for i := range out {
		out[i] = steps[i*(len(steps)-1)/(n-1)]
	}
	return out
}

// add adds an item that is read from a node of a number of tokens.
func (o *Overview) add(item cite.Item, tokens int) {
	o.Draft.Items = append(o.Draft.Items, item)
	o.Draft.Blocks, o.Draft.Tokens = o.Draft.Blocks+1, o.Draft.Tokens+tokens
}

// timeOf returns the day of the document of a chunk, or its title if it has no date.
func timeOf(c neo4jstore.ChunkRow) string { return cmp.Or(dayOf(c.Date), c.DocumentTitle) }
