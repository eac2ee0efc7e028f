package neo4jstore_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// A lossyStore loses the first answer to the commit of every write transaction, so that
// each runs twice.
type lossyStore struct {
	*neo4jstore.Store
	relay *neo4jtest.Relay
	lost  map[string]bool // names of the transactions so far
	kill  killSwitch
}

func openLossy(t *testing.T) *lossyStore {
	t.Helper()
	s := &lossyStore{relay: neo4jtest.NewRelay(t, neo4jtest.Server(t)), lost: map[string]bool{}}
	s.relay.OnCommit(neo4jtest.LoseEverySecond)
	s.kill.spare()
	s.Store = open(t, func(c *neo4jstore.Config) {
		c.URI = s.relay.URI()
		c.Fault = func(point string) error {
			s.lost[point] = true
			return s.kill.fault(point)
		}
	})
	return s
}

// TestLostAnswers runs every kind of write transaction, or a sample.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	plain := open(t, nil)
	s := openLossy(t)
	tests := []struct {
		name string
		test func(*testing.T, *neo4jstore.Store, *lossyStore)
	}{
		{"updates", testUpdatesWithLostAnswers},
		{"killed runs", func(t *testing.T, plain *neo4jstore.Store, s *lossyStore) {
			killAnywhere(t, plain, s.Store, &s.kill, len(faulttest.Points(t, 50, 2)), rand.New(rand.NewPCG(3, 0)))
		}},
		{"renamed hubs", testRenamedHubsWithLostAnswers},
		{"generations", testGenerationsWithLostAnswers},
		{"large document", testLargeDocumentWithLostAnswers},
		{"settings", testSettingsWithLostAnswers},
		{"queries", testQueriesWithLostAnswers},
		{"sentences", testSentencesWithLostAnswers},
		{"synonyms", testSynonymsWithLostAnswers},
		{"document links", testDocumentLinksWithLostAnswers},
		{"repair", testRepairWithLostAnswers},
		{"drop", testDropWithLostAnswers}, // drops indexes
	}
	if !faulttest.All() {
		tests = tests[:len(tests)-1]
	}
	for _, tt := range faulttest.Sample(t, tests, 2) {
		s.kill.spare()
		t.Run(tt.name, func(t *testing.T) { tt.test(t, plain, s) })
	}
	// A killed run, or a lease that ends while it is renewed, closes its connection before
	// the answer that the relay was to lose.
	if lost, commits := s.relay.Injected()+s.relay.Refused(), s.relay.Commits(); commits == 0 || lost*100 < commits*49 {
		t.Errorf("%d answers were lost or refused in %d commits, want half of them", lost, commits)
	}
	want := writePoints(t)
	if !faulttest.All() { // a sample loses the answers of some
		want = slices.DeleteFunc(want, func(point string) bool { return !s.lost[point] })
	}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(s.lost))); diff != "" {
		t.Errorf("transactions whose answer was lost (-in the code +lost):\n%s", diff)
	}
}

var pointInCode = regexp.MustCompile(`\b(?:(?:write|commit|set|setUnless|writeMembers|writeUntilDone|writeSorted|writeKeys|markPages|change|changeSchema|writeLinks|dropMade)\((?:ctx|bounded), |point: )"([^"]+)"[,+ ]`)

// writePoints returns the names of all write transactions in the code of this package.
func writePoints(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	points := map[string]bool{}
	for _, file := range files {
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range pointInCode.FindAllStringSubmatch(string(code), -1) {
			if !strings.HasSuffix(file, "_test.go") && found[1] != "mark " {
				points[found[1]] = true
			}
		}
	}
	for _, point := range neo4jstore.NamedPoints() {
		points[point] = true
	}
	for _, a := range []neo4jstore.Artifact{neo4jstore.ArtifactSentences, neo4jstore.ArtifactSynonyms, neo4jstore.ArtifactDocumentLinks} {
		points[string(a)+" settings"] = true
	}
	return slices.Sorted(maps.Keys(points))
}

// The graph and the counted changes are those of updates without lost answers.
func testUpdatesWithLostAnswers(t *testing.T, plain *neo4jstore.Store, s *lossyStore) {
	t.Helper()
	want := freshDumps(t, plain)
	corpus, twin := newCorpus(t, plain, dimension), newCorpus(t, plain, dimension)
	for i, step := range worlds {
		undisturbed, err := indexWorld(t, plain, twin, step.world)
		if err != nil {
			t.Fatal(err)
		}
		counters, err := indexWorld(t, s.Store, corpus, step.world)
		if err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if diff := cmp.Diff(want[i], dump(t, plain, corpus)); diff != "" {
			t.Fatalf("%s: dump (-fresh +with lost answers):\n%s", step.name, diff)
		}
		// How many properties the server counts for one statement depends on its plan, which
		// the server may choose differently after a while.
		off := counters.Properties - undisturbed.Properties
		counters.Properties = undisturbed.Properties
		if counters != undisturbed || max(off, -off) > undisturbed.Properties/20 {
			t.Errorf("%s: counted %+v and %d more properties, without lost answers %+v", step.name, counters, off, undisturbed)
		}
	}
}

// With pages of one row every entity is a hub; a document changes the names of two.
func testRenamedHubsWithLostAnswers(t *testing.T, plain *neo4jstore.Store, s *lossyStore) {
	t.Helper()
	corpus := newCorpus(t, plain, dimension)
	for i, step := range worlds[1:3] {
		if _, err := indexWorld(t, s.WithPages(1), corpus, step.world); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(freshDumps(t, plain)[i+1], dump(t, plain, corpus)); diff != "" {
			t.Fatalf("%s: dump (-fresh +with lost answers):\n%s", step.name, diff)
		}
	}
}

// A community gets another parent, later a sibling, and last two communities swap their
// ordinals twice, the second time in pages.
func testGenerationsWithLostAnswers(t *testing.T, plain *neo4jstore.Store, s *lossyStore) {
	t.Helper()
	_, corpus := described(t, "a b. b c. c d")
	community := func(level, ordinal int, parent string, names ...string) graph.Community {
		var keys []string
		for _, name := range names {
			keys = append(keys, graph.EntityKey(corpus, name))
		}
		return graph.Community{
			Key: graph.CommunityKey(corpus, level, keys), Level: level, Ordinal: ordinal, Parent: parent, Members: keys,
			Label: graph.CommunityLabel("C", level, ordinal), Weight: len(keys), Final: level == 1,
		}
	}
	whole, left, right := community(0, 0, "", "a", "b", "c", "d"), community(0, 1, "", "a", "b"), community(0, 2, "", "c", "d")
	under := func(parents ...graph.Community) []graph.Community {
		return append(parents, community(1, 0, parents[0].Key, "a", "b"), community(1, 1, parents[len(parents)-1].Key, "c", "d"))
	}
	before := []graph.Community{whole}
	swapped := append(under(community(0, 2, "", "a", "b"), community(0, 1, "", "c", "d")), community(1, 2, left.Key, "b"))
	three := append(under(left, right), community(1, 2, left.Key, "b"))
	for i, all := range [][]graph.Community{under(whole), under(left, right), three, swapped, three} {
		next, store := int64(i+1), s.Store
		if i == 4 {
			store = store.WithPages(1)
		}
		withWriter(t, store, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
			for _, opened := range [][]graph.Community{all, before, all} { // the visible one again, then the new one after all
				if got, err := writer.OpenGeneration(ctx, entities(t, plain, corpus), opened); err != nil || got != next {
					t.Errorf("OpenGeneration = %d, %v, want %d", got, err, next)
				}
			}
			before = all
			if err := writer.Flip(ctx, next, neo4jstore.Partition{Topology: 1}); err != nil {
				t.Error(err)
			}
			return errors.Join(writer.RecordClustered(ctx, neo4jstore.Partition{Topology: next}), writer.SetForgetting(ctx, next == 1), writer.SetExclusions(ctx, neo4jstore.Exclusions{Documents: []string{"a.txt"}}),
				writer.SetUnread(ctx, neo4jstore.Unread{Skipped: map[string]int{".x": i}}), writer.Sweep(ctx, next))
		})
		got, err := plain.Communities(t.Context(), corpus, next, true)
		if err != nil || len(got) != len(all) {
			t.Errorf("generation %d: %d communities, %v, want %d", next, len(got), err, len(all))
		}
		for _, c := range got {
			if at := slices.IndexFunc(all, func(k graph.Community) bool { return k.Key == c.Key }); at < 0 || all[at].Label != c.Label || all[at].Ordinal != c.Ordinal {
				t.Errorf("generation %d: community %s has ordinal %d and label %s", next, c.Key, c.Ordinal, c.Label)
			}
		}
	}
}

// A document of several transactions is written, replaced and removed.
func testLargeDocumentWithLostAnswers(t *testing.T, plain *neo4jstore.Store, s *lossyStore) {
	t.Helper()
	corpus := newCorpus(t, plain, 0)
	write := func(n int) string {
		var texts []string
		for i := range n {
			texts = append(texts, fmt.Sprintf("%06d %s", i, strings.Repeat("x", 4500)))
		}
		w := pipeline{store: s.Store, corpus: corpus}.documentWrite("big", texts)
		w.Terms, w.Passages = "", nil
		withWriter(t, s.Store, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
			return writer.WriteDocuments(ctx, []neo4jstore.DocumentWrite{w})
		})
		if got := chain(t, w.Document.Key); len(got) != n {
			t.Errorf("%d linked chunks, want %d", len(got), n)
		}
		return w.Document.Key
	}
	write(1100)
	key := write(1050)
	withWriter(t, s.Store, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		if err := errors.Join(writer.MoveDocuments(ctx, []string{key}, "/moved"), writer.PlaceDocuments(ctx, []neo4jstore.DocumentState{{Key: key, Row: 2, Line: 5}})); err != nil {
			return err
		}
		if d, err := plain.Documents(ctx, corpus); err != nil || len(d) != 1 || d[0].Root != "/moved" || d[0].Row != 2 || d[0].Line != 5 {
			t.Errorf("documents %+v, %v, want one moved to row 2 of line 5", d, err)
		}
		return writer.RemoveDocuments(ctx, []string{key})
	})
	if n := number(t, "MATCH (n:Document|Chunk) WHERE n.corpus = $c RETURN count(n)", map[string]any{"c": corpus}); n != 0 {
		t.Errorf("%d nodes of the removed document are left", n)
	}
}

// Marks, failures, and the records of the corpus.
func testSettingsWithLostAnswers(t *testing.T, plain *neo4jstore.Store, s *lossyStore) {
	t.Helper()
	corpus := newCorpus(t, plain, dimension)
	if _, err := indexWorld(t, plain, corpus, worlds[0].world); err != nil {
		t.Fatal(err)
	}
	chunk := graph.ChunkKey(corpus, graph.DocumentKey(corpus, "a"), worlds[0].world["a"][0], 0)
	withWriter(t, s.Store, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		for stage, want := range map[string]int64{"extract": 4, "derive": 15, "describe": 15, "embed": 23, "report": 4, "queries": 4, "link": 0} {
			if n, err := writer.MarkAll(ctx, stage); err != nil || n != want {
				t.Errorf("mark all for %s: %d, %v, want %d", stage, n, err, want)
			}
		}
		if err := writer.FailStage(ctx, graph.KindChunk, "extract", map[string]string{chunk: "no"}); err != nil {
			t.Error(err)
		}
		entity := graph.EntityKey(corpus, strings.Fields(worlds[0].world["a"][0])[0])
		if err := writer.SetNameDecisions(ctx, graph.NameDecisions{Merged: [][2]string{{"x", "y"}}, Split: []string{"z"}}, []string{entity}); err != nil {
			t.Error(err)
		}
		kept, gone := graph.NamePair{A: "ibm", B: "international business machines", Same: true}, graph.NamePair{A: "a", B: "b"}
		if err := errors.Join(writer.WriteNamePairs(ctx, []graph.NamePair{kept, gone}), writer.DeleteNamePairs(ctx, []graph.NamePair{gone})); err != nil {
			t.Error(err)
		}
		if got, err := plain.NamePairs(ctx, corpus); err != nil || !cmp.Equal([]graph.NamePair{kept}, got) {
			t.Errorf("pairs of names %+v, %v", got, err)
		}
		if err := writer.SetSettings(ctx, map[string]string{"extract": "x"}, neo4jstore.CorpusSet{}); err != nil {
			t.Error(err)
		}
		return writer.RecordRun(ctx, neo4jstore.Run{ID: "one", Corpus: corpus, Started: time.Now(), Finished: time.Now()})
	})
	if runs, err := plain.Runs(t.Context(), corpus, 5); err != nil || len(runs) != 1 {
		t.Errorf("runs %+v, %v, want one", runs, err)
	}
	want := graph.NameDecisions{Merged: [][2]string{{"x", "y"}}, Split: []string{"z"}}
	if c, err := plain.Corpus(t.Context(), corpus); err != nil || !cmp.Equal(want, c.Decisions) {
		t.Errorf("decisions %+v, %v", c.Decisions, err)
	}
	if failed, err := plain.Failed(t.Context(), corpus, 5); err != nil || len(failed) != 1 {
		t.Errorf("failed %+v, %v, want one", failed, err)
	}
}

// A corpus of an older schema version is created, upgraded and dropped.
func testDropWithLostAnswers(t *testing.T, _ *neo4jstore.Store, s *lossyStore) {
	t.Helper()
	corpus := neo4jtest.Corpus(t)
	if err := s.EnsureCorpus(t.Context(), corpus, dimension); err != nil {
		t.Fatal(err)
	}
	query(t, "MATCH (k:Corpus {key: $c}) SET k.schema = 0", map[string]any{"c": corpus})
	if err := s.EnsureCorpus(t.Context(), corpus, dimension+1); err != nil {
		t.Fatal(err)
	}
	query(t, "UNWIND range(1, 25) AS i CREATE (:Passage {key: $corpus + '/x' + i, corpus: $corpus})", map[string]any{"corpus": corpus})
	counters, err := s.DropCorpus(t.Context(), corpus, "")
	if err != nil || counters.Deleted != 26 {
		t.Errorf("DropCorpus = %+v, %v, want 26 deleted", counters, err)
	}
	if n := number(t, "MATCH (n) WHERE n.corpus = $c OR n.key = $c RETURN count(n)", map[string]any{"c": corpus}); n != 0 {
		t.Errorf("%d nodes are left", n)
	}
}

// A chunk is deleted, and everything is to be extracted and clustered again.
func testRepairWithLostAnswers(t *testing.T, plain *neo4jstore.Store, s *lossyStore) {
	t.Helper()
	repaired := func(store *neo4jstore.Store) []string {
		corpus := newCorpus(t, plain, dimension)
		if _, err := indexWorld(t, plain, corpus, worlds[0].world); err != nil {
			t.Fatal(err)
		}
		whole := dump(t, plain, corpus)
		chunk := graph.ChunkKey(corpus, graph.DocumentKey(corpus, "a"), worlds[0].world["a"][0], 0)
		withWriter(t, store, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
			return writer.Repair(ctx, &neo4jstore.Damage{Chunks: []string{chunk}, ExtractAll: true, Recluster: true})
		})
		got := dump(t, plain, corpus)
		if cmp.Equal(whole, got) {
			t.Error("the repair deleted nothing")
		}
		return got
	}
	if diff := cmp.Diff(repaired(plain), repaired(s.Store)); diff != "" {
		t.Errorf("dump (-undisturbed +with lost answers):\n%s", diff)
	}
}

// checkArtifact writes an artifact and drops it, with all answers and with the first answer to
// each commit lost: it is the same, and nothing is left of it.
func checkArtifact(t *testing.T, plain *neo4jstore.Store, s *lossyStore, write func(store *neo4jstore.Store, corpus string), drop func(context.Context, *neo4jstore.Writer) error) {
	t.Helper()
	var dumps [2][]string
	for i, store := range []*neo4jstore.Store{plain, s.Store} {
		corpus := newCorpus(t, plain, dimension)
		if _, err := indexWorld(t, plain, corpus, worlds[0].world); err != nil {
			t.Fatal(err)
		}
		before := dump(t, plain, corpus)
		write(store, corpus)
		dumps[i] = dump(t, plain, corpus)
		withWriter(t, store, corpus, drop)
		if diff := cmp.Diff(before, dump(t, plain, corpus)); diff != "" {
			t.Errorf("after it is dropped (-before +after):\n%s", diff)
		}
	}
	if diff := cmp.Diff(dumps[0], dumps[1]); diff != "" {
		t.Errorf("dump (-plain +with lost answers):\n%s", diff)
	}
}
