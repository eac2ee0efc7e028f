// Package reportbook presents the reports of a corpus as a book: a list, a table of
// contents, each report with what it cites, and all of it as linked pages. It reads the
// graph and never writes to it.
package reportbook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Errors that callers decide on.
var (
	// ErrNoReports reports that the corpus has no reports.
	ErrNoReports = errors.New("there are no reports yet")
	// ErrUnknownReport reports that no report has the given name.
	ErrUnknownReport = errors.New("there is no such report")
)

// An Entry is a report in the list, without its texts.
type Entry struct {
	Label     string   `json:"label"` // of its community, such as C1_3
	Key       string   `json:"key"`
	Community string   `json:"community"` // key
	Level     int      `json:"level"`
	Title     string   `json:"title"`
	Rating    float64  `json:"rating"`
	Size      int      `json:"size"`     // number of entities
	Weight    int      `json:"weight"`   // of the relationships inside the community
	Final     bool     `json:"final"`    // its community has no children
	Tokens    int      `json:"tokens"`   // of its text
	Model     string   `json:"model"`    // that wrote it
	Parent    string   `json:"parent"`   // label; empty at the root level
	Children  []string `json:"children"` // labels
}

// A Citation is what a number in a report refers to.
type Citation struct {
	N     int        `json:"n"`
	Kind  graph.Kind `json:"kind"`
	Key   string     `json:"key"`
	Title string     `json:"title"`
	// Document and Chunk are the keys of what it rests on; empty if that is several or unknown.
	Document, Chunk string `json:"-"`
}

// A Report is an entry with its texts, which cite by [n], and the citations.
type Report struct {
	Entry

	Summary           string          `json:"summary"`
	Text              string          `json:"text"` // Markdown of the whole report; [n] is reference n
	RatingExplanation string          `json:"rating_explanation"`
	Findings          []graph.Finding `json:"findings"`
	References        []Citation      `json:"references"`
	Documents         []Source        `json:"documents"` // that most references are from, most first
}

// A Book is the list of the reports of one generation, by level.
type Book struct {
	Corpus  string
	Entries []Entry

	store  reader
	labels map[string]int // index in Entries, by label
	keys   map[string]int // and by key of the report
}

// A reader reads reports. *neo4jstore.Store is one.
type reader interface {
	Generation(ctx context.Context, corpus string) (int64, error)
	ReportList(ctx context.Context, corpus string, generation int64, after string, limit int) ([]neo4jstore.ReportRow, error)
	ReportTexts(ctx context.Context, corpus string, keys []string) ([]graph.Report, error)
	Evidence(ctx context.Context, corpus string, refs []graph.Reference) ([]neo4jstore.Evidence, error)
}

// listBatch is the number of reports that are listed at a time.
const listBatch = 1000

// Open lists the reports of the visible generation. If an index run publishes a new
// generation meanwhile, it lists that one.
func Open(ctx context.Context, store reader, corpus string) (*Book, error) {
	generation, err := store.Generation(ctx, corpus)
	if err != nil {
		return nil, err
	}
	for try := 0; ; try++ {
		rows, err := listReports(ctx, store, corpus, generation)
		if err != nil {
			return nil, err
		}
		now, err := store.Generation(ctx, corpus)
		if err != nil {
			return nil, err
		}
		if now == generation || try > 0 {
			if len(rows) == 0 {
				return nil, fmt.Errorf("reports of corpus %s: %w", corpus, ErrNoReports)
			}
			return newBook(store, corpus, rows), nil
		}
		generation = now
	}
}

func listReports(ctx context.Context, store reader, corpus string, generation int64) ([]neo4jstore.ReportRow, error) {
	var all []neo4jstore.ReportRow
	for after := graph.Key(corpus, ""); ; {
		batch, err := store.ReportList(ctx, corpus, generation, after, listBatch)
		if err != nil {
			return nil, err
		}
		all = append(all, batch...)
		if len(batch) < listBatch {
			return all, nil
		}
		after = batch[len(batch)-1].Key
	}
}

// newBook sorts the reports by level, then ordinal, and links parents and children.
func newBook(store reader, corpus string, rows []neo4jstore.ReportRow) *Book {
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

// Level returns the entries of a level, or of the deepest level if there is no such
// level.
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

// Find returns the entry with a label, key or title, ignoring case. Labels take
// precedence, then keys.
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
	return Entry{}, fmt.Errorf("report %q of corpus %s: %w", name, b.Corpus, ErrUnknownReport)
}

// textBatch is the number of reports whose texts are read at a time.
const textBatch = 100

// Read reads whole reports, in the order of the entries. It leaves out reports that no
// longer exist.
func (b *Book) Read(ctx context.Context, entries []Entry) ([]Report, error) {
	out := make([]Report, 0, len(entries))
	for part := range slices.Chunk(entries, textBatch) {
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
				out = append(out, newReport(e, r))
			}
		}
	}
	return out, b.addTitles(ctx, out)
}

func newReport(e Entry, r graph.Report) Report {
	w := Report{
		Entry: e, Summary: r.Summary, Text: r.FullContent, RatingExplanation: r.RatingExplanation,
		Findings: append([]graph.Finding{}, r.Findings...), References: []Citation{}, Documents: []Source{},
	}
	for _, ref := range r.References {
		w.References = append(w.References, Citation{N: ref.N, Kind: ref.Kind, Key: ref.Key})
	}
	return w
}

// evidenceBatch is the number of cited nodes that are read at a time.
const evidenceBatch = 500

// readEvidence reads nodes in batches and calls each for each of them.
func (b *Book) readEvidence(ctx context.Context, refs []graph.Reference, each func(neo4jstore.Evidence) error) error {
	for part := range slices.Chunk(refs, evidenceBatch) {
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

// addTitles adds the titles of cited nodes to the citations of reports, and the documents that they
// are from, and drops citations of nodes that do not exist.
func (b *Book) addTitles(ctx context.Context, reports []Report) error {
	titles, documents, chunks := map[graph.Reference]string{}, map[graph.Reference]string{}, map[graph.Reference]string{}
	err := b.readEvidence(ctx, citedNodes(reports), func(ev neo4jstore.Evidence) error {
		ref := graph.Reference{Kind: ev.Kind, Key: ev.Key}
		titles[ref], documents[ref] = cmp.Or(ev.Title, graph.Local(ev.Key)), ev.Document
		chunks[ref] = ev.Chunk
		return nil
	})
	if err != nil {
		return err
	}
	for i, r := range reports {
		kept := []Citation{}
		for _, ref := range r.References {
			node := graph.Reference{Kind: ref.Kind, Key: ref.Key}
			if ref.Title, ref.Document, ref.Chunk = titles[node], documents[node], chunks[node]; ref.Title != "" {
				kept = append(kept, ref)
			}
		}
		reports[i].References = kept
	}
	return b.addDocuments(ctx, reports, documents)
}

// citedNodes returns the nodes that reports cite, each once, sorted by kind and key.
func citedNodes(reports []Report) []graph.Reference {
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
