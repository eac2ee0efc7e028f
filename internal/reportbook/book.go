// Package reportbook reads the reports of a corpus as a book: a list, a tree of
// contents, a report with what it cites, and all of it as pages with links. It
// reads the graph and never writes it.
package reportbook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// Errors that callers decide on.
var (
	// ErrNone says that the corpus has no reports.
	ErrNone = errors.New("there are no reports yet")
	// ErrUnknown says that no report has that name.
	ErrUnknown = errors.New("there is no such report")
)

// An Entry is a report in the list: what it is, not what it says.
type Entry struct {
	Label     string   `json:"label"` // of its community, such as C1_3
	Key       string   `json:"key"`
	Community string   `json:"community"` // key
	Level     int      `json:"level"`
	Title     string   `json:"title"`
	Rating    float64  `json:"rating"`
	Size      int      `json:"size"`     // entities
	Weight    int      `json:"weight"`   // of the relationships inside
	Final     bool     `json:"final"`    // has no children
	Tokens    int      `json:"tokens"`   // of its text
	Model     string   `json:"model"`    // that wrote it
	Parent    string   `json:"parent"`   // label; empty at the root level
	Children  []string `json:"children"` // labels
}

// A Cited is what a report cites under a number.
type Cited struct {
	N     int        `json:"n"`
	Kind  graph.Kind `json:"kind"`
	Key   string     `json:"key"`
	Title string     `json:"title"`
}

// A Report is an entry with its texts, which carry [n], and what n stands for.
type Report struct {
	Entry

	Summary           string          `json:"summary"`
	Text              string          `json:"text"` // markdown of the whole report
	RatingExplanation string          `json:"rating_explanation"`
	Findings          []graph.Finding `json:"findings"`
	References        []Cited         `json:"references"`
}

// A Book is the list of the reports of one generation, level by level.
type Book struct {
	Corpus  string
	Entries []Entry

	store  *neo4jstore.Store
	labels map[string]int // place of a label in Entries
	keys   map[string]int // of a report's key
}

// listPage is how many reports are listed at a time.
const listPage = 1000

// Open lists the reports that readers see. When an index run shows new ones
// meanwhile, it lists those.
func Open(ctx context.Context, store *neo4jstore.Store, corpus string) (*Book, error) {
	generation, err := store.Generation(ctx, corpus)
	if err != nil {
		return nil, err
	}
	for try := 0; ; try++ {
		rows, err := list(ctx, store, corpus, generation)
		if err != nil {
			return nil, err
		}
		now, err := store.Generation(ctx, corpus)
		if err != nil {
			return nil, err
		}
		if now == generation || try > 0 {
			if len(rows) == 0 {
				return nil, fmt.Errorf("reports of corpus %s: %w", corpus, ErrNone)
			}
			return bind(store, corpus, rows), nil
		}
		generation = now
	}
}

func list(ctx context.Context, store *neo4jstore.Store, corpus string, generation int64) ([]neo4jstore.ReportRow, error) {
	var all []neo4jstore.ReportRow
	for after := graph.Key(corpus, ""); ; {
		page, err := store.ReportList(ctx, corpus, generation, after, listPage)
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
		if len(page) < listPage {
			return all, nil
		}
		after = page[len(page)-1].Key
	}
}

// bind orders the reports by level, then ordinal, and joins them to a tree.
func bind(store *neo4jstore.Store, corpus string, rows []neo4jstore.ReportRow) *Book {
	slices.SortFunc(rows, func(a, b neo4jstore.ReportRow) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Community.Ordinal, b.Community.Ordinal), cmp.Compare(a.Key, b.Key))
	})
	b := &Book{Corpus: corpus, store: store, labels: map[string]int{}, keys: map[string]int{}}
	byCommunity := map[string]int{}
	for i, r := range rows {
		b.Entries = append(b.Entries, Entry{
			Label: r.Community.Label, Key: r.Key, Community: r.Community.Key, Level: r.Level, Title: r.Title, Rating: r.Rating,
			Size: r.Size, Weight: r.Weight, Final: r.Final, Tokens: r.NTokens, Model: r.Model, Children: []string{},
		})
		b.labels[r.Community.Label], b.keys[r.Key], byCommunity[r.Community.Key] = i, i, i
	}
	for i, r := range rows {
		if at, ok := byCommunity[r.Community.Parent]; ok {
			parent := &b.Entries[at]
			parent.Children = append(parent.Children, b.Entries[i].Label)
			b.Entries[i].Parent = parent.Label
		}
	}
	return b
}

// Level is the entries of one level, the deepest one where level is deeper.
func (b *Book) Level(level int) []Entry {
	level = min(level, b.Entries[len(b.Entries)-1].Level)
	var out []Entry
	for _, e := range b.Entries {
		if e.Level == level {
			out = append(out, e)
		}
	}
	return out
}

// Find is the entry of a label, a key, or a title, in any letter case.
func (b *Book) Find(name string) (Entry, error) {
	name = strings.ToLower(strings.TrimSpace(name))
	for _, names := range []func(Entry) []string{
		func(e Entry) []string { return []string{e.Label} },
		func(e Entry) []string {
			return []string{e.Key, graph.Local(e.Key), e.Community, graph.Local(e.Community)}
		},
		func(e Entry) []string { return []string{e.Title} },
	} {
		for _, e := range b.Entries {
			if slices.ContainsFunc(names(e), func(n string) bool { return strings.ToLower(n) == name }) {
				return e, nil
			}
		}
	}
	return Entry{}, fmt.Errorf("report %q of corpus %s: %w", name, b.Corpus, ErrUnknown)
}

// textPage is how many reports are read whole at a time.
const textPage = 100

// Read reads reports whole, in the order of the entries.
func (b *Book) Read(ctx context.Context, entries []Entry) ([]Report, error) {
	out := make([]Report, 0, len(entries))
	for part := range slices.Chunk(entries, textPage) {
		keys := make([]string, len(part))
		for i, e := range part {
			keys[i] = e.Key
		}
		texts, err := b.store.ReportTexts(ctx, b.Corpus, keys)
		if err != nil {
			return nil, err
		}
		found := map[string]graph.Report{}
		for _, r := range texts {
			found[r.Key] = r
		}
		for _, e := range part {
			if r, ok := found[e.Key]; ok {
				out = append(out, whole(e, r))
			}
		}
	}
	return out, b.name(ctx, out)
}

func whole(e Entry, r graph.Report) Report {
	w := Report{
		Entry: e, Summary: r.Summary, Text: r.FullContent, RatingExplanation: r.RatingExplanation,
		Findings: append([]graph.Finding{}, r.Findings...), References: []Cited{},
	}
	for _, ref := range r.References {
		w.References = append(w.References, Cited{N: ref.N, Kind: ref.Kind, Key: ref.Key})
	}
	return w
}

// evidencePage is how many cited nodes are read at a time.
const evidencePage = 500

// evidence reads nodes by page.
func (b *Book) evidence(ctx context.Context, refs []graph.Reference, each func(neo4jstore.Evidence) error) error {
	for part := range slices.Chunk(refs, evidencePage) {
		found, err := b.store.Evidence(ctx, b.Corpus, part)
		if err != nil {
			return err
		}
		for _, ev := range found {
			if err := each(ev); err != nil {
				return err
			}
		}
	}
	return nil
}

// name gives the references of reports the titles of what they stand for. One
// that stands for nothing is left out.
func (b *Book) name(ctx context.Context, reports []Report) error {
	titles := map[graph.Reference]string{}
	err := b.evidence(ctx, cited(reports), func(ev neo4jstore.Evidence) error {
		titles[graph.Reference{Kind: ev.Kind, Key: ev.Key}] = cmp.Or(ev.Title, graph.Local(ev.Key))
		return nil
	})
	if err != nil {
		return err
	}
	for i, r := range reports {
		kept := []Cited{}
		for _, ref := range r.References {
			if ref.Title = titles[graph.Reference{Kind: ref.Kind, Key: ref.Key}]; ref.Title != "" {
				kept = append(kept, ref)
			}
		}
		reports[i].References = kept
	}
	return nil
}

// cited is what reports cite, each once, by kind and key.
func cited(reports []Report) []graph.Reference {
	seen := map[graph.Reference]bool{}
	var refs []graph.Reference
	for _, r := range reports {
		for _, c := range r.References {
			if ref := (graph.Reference{Kind: c.Kind, Key: c.Key}); !seen[ref] {
				seen[ref] = true
				refs = append(refs, ref)
			}
		}
	}
	slices.SortFunc(refs, func(a, b graph.Reference) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Key, b.Key)) })
	return refs
}
