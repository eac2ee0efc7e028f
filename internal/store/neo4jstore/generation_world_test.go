package neo4jstore_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A generationWorld is a corpus whose communities and reports change from generation to
// generation. Every report has a word of the generation that it was written in.
type generationWorld struct {
	t      *testing.T
	store  *neo4jstore.Store
	corpus string
	since  map[string]int64 // by community: the generation of its latest report
}

// canaries are the words of the reports, by generation.
var canaries = []string{"", "canaryone", "canarytwo", "canarythree", "canaryfour"}

func newGenerationWorld(t *testing.T) *generationWorld {
	t.Helper()
	s, corpus := described(t, "a b. b c. c d. d e. e f. f g. g h. a h. !a b", "i j. j k. k l. m n. o p. q r. a i")
	w := &generationWorld{t: t, store: s, corpus: corpus, since: map[string]int64{}}
	withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		return pipeline{store: s, writer: writer, corpus: corpus, page: 1000}.embed(ctx)
	})
	return w
}

// chunks returns the keys of all chunks.
func (w *generationWorld) chunks() []string {
	w.t.Helper()
	rows, err := w.store.ChunkRowPage(w.t.Context(), w.corpus, w.corpus+"/", 1000)
	if err != nil {
		w.t.Fatal(err)
	}
	keys := []string{}
	for _, row := range rows {
		keys = append(keys, row.Key)
	}
	return keys
}

// A planned community is one of a generation: its level, its ordinal, the letters of its
// members, the letters of its parent, and whether the generation writes a report on it.
type planned struct {
	level, ordinal  int
	members, parent string
	reported        bool
}

// generationPlans are the communities of each generation. Some exist in one generation
// only, some stay with a new parent or a new report, ijkl-ij stays with its report, kl has
// its first report in the third, in which both get other ordinals, and gh and mn never have one. mn has a child in the first and
// the third. In the last generation no report is valid.
var generationPlans = [][]planned{
	1: {
		{0, 10, "abcde", "", true},
		{0, 11, "fgh", "", true},
		{0, 0, "ijkl", "", true},
		{0, 1, "mn", "", false},
		{0, 12, "op", "", false},
		{1, 0, "ab", "abcde", true},
		{1, 10, "cde", "abcde", true},
		{1, 1, "gh", "fgh", false},
		{1, 11, "f", "fgh", true},
		{1, 2, "ij", "ijkl", true},
		{1, 3, "kl", "ijkl", false},
		{1, 12, "m", "mn", false},
	},
	2: {
		{0, 20, "abcd", "", true},
		{0, 21, "efgh", "", true},
		{0, 0, "ijkl", "", true},
		{0, 1, "mn", "", false},
		{1, 0, "ab", "abcd", true},
		{1, 20, "cd", "abcd", true},
		{1, 1, "gh", "efgh", false},
		{1, 21, "ef", "efgh", true},
		{1, 2, "ij", "ijkl", false},
		{1, 3, "kl", "ijkl", false},
	},
	3: {
		{0, 30, "abc", "", true},
		{0, 31, "defgh", "", true},
		{0, 0, "ijkl", "", true},
		{0, 1, "mn", "", false},
		{0, 32, "qr", "", false},
		{1, 0, "ab", "abc", true},
		{1, 30, "c", "abc", true},
		{1, 1, "gh", "defgh", false},
		{1, 31, "def", "defgh", true},
		{1, 33, "ij", "ijkl", false},
		{1, 34, "kl", "ijkl", true},
		{1, 32, "m", "mn", false},
	},
	4: {{0, 40, "abcdefghijklmnopqr", "", false}},
}

func (w *generationWorld) members(letters string) []string {
	var keys []string
	for letter := range strings.SplitSeq(letters, "") {
		keys = append(keys, graph.EntityKey(w.corpus, letter))
	}
	return keys
}

func (w *generationWorld) community(p planned, plan []planned) graph.Community {
	c := graph.Community{
		Key: graph.CommunityKey(w.corpus, p.level, w.members(p.members)), Level: p.level, Ordinal: p.ordinal, Members: w.members(p.members),
		Label: graph.CommunityLabel("C", p.level, p.ordinal), Weight: len(p.members),
		Final: !slices.ContainsFunc(plan, func(child planned) bool { return child.parent == p.members }),
	}
	if p.parent != "" {
		c.Parent = graph.CommunityKey(w.corpus, 0, w.members(p.parent))
	}
	return c
}

// keys returns the keys of the communities of a generation.
func (w *generationWorld) keys(generation int64) []string {
	var keys []string
	for _, p := range generationPlans[generation] {
		keys = append(keys, w.community(p, nil).Key)
	}
	return keys
}

// begin writes the communities and reports of a generation, without making it visible.
func (w *generationWorld) begin(next int64) {
	w.t.Helper()
	plan := slices.Clone(generationPlans[next])
	var all []graph.Community
	for _, p := range plan {
		all = append(all, w.community(p, plan))
	}
	// The reports of children come first: their parents cite them.
	slices.SortStableFunc(plan, func(a, b planned) int { return b.level - a.level })
	withWriter(w.t, w.store, w.corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		if opened, err := writer.OpenGeneration(ctx, entities(w.t, w.store, w.corpus), all); err != nil || opened != next {
			return fmt.Errorf("opened generation %d, want %d: %w", opened, next, err)
		}
		for _, p := range plan {
			if !p.reported {
				continue
			}
			row := w.report(w.community(p, plan), plan, next)
			if err := writer.WriteReports(ctx, next, []neo4jstore.ReportWrite{row}); err != nil {
				return err
			}
			w.since[row.Community] = next
		}
		return nil
	})
}

// report cites an entity, a chunk, and the reports of the children. The reports of hidden
// generations have the best ratings.
func (w *generationWorld) report(c graph.Community, plan []planned, next int64) neo4jstore.ReportWrite {
	word := canaries[next]
	row := neo4jstore.ReportWrite{Community: c.Key, ReportFP: word, EmbedFP: word, Stale: .5, Records: []int64{1}, Vector: []float32{1, 1, 1, float32(next)}, Terms: word + " " + c.Label}
	row.Report = graph.Report{
		Level: c.Level, Final: c.Final, Size: len(c.Members), Weight: c.Weight, Title: word + " on " + c.Label, Summary: "Summary " + word + " [1]",
		FullContent: "Text " + word + " [1]", Rating: map[int64]float64{1: 9, 2: 5, 3: 8}[next], Model: "test", NTokens: 10 + int(next),
		Findings:   []graph.Finding{{Summary: "First " + word, Explanation: "As said [1, 2]."}},
		References: []graph.Reference{{N: 1, Kind: graph.KindEntity, Key: c.Members[0]}},
	}
	for _, p := range plan {
		child := w.community(p, plan)
		if since := w.since[child.Key]; child.Parent == c.Key && since > 0 {
			row.Report.References = append(row.Report.References, graph.Reference{
				N: len(row.Report.References) + 1, Kind: graph.KindReport, Key: graph.ReportKey(w.corpus, child.Key, since),
			})
		}
	}
	return row
}

func (w *generationWorld) flip(next int64) {
	w.t.Helper()
	withWriter(w.t, w.store, w.corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		if err := writer.Flip(ctx, next, neo4jstore.Partition{Topology: next}); err != nil {
			return err
		}
		return pipeline{store: w.store, writer: writer, corpus: w.corpus, page: 1000}.labels(ctx)
	})
}

func (w *generationWorld) sweep(generation int64) {
	w.t.Helper()
	withWriter(w.t, w.store, w.corpus, func(ctx context.Context, writer *neo4jstore.Writer) error { return writer.Sweep(ctx, generation) })
}
