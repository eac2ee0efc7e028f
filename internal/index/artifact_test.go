package index_test

import (
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestArtifactsAreKept indexes with pairs or with sentences, which have vector indexes, changes
// a document without naming them again, and drops them.
func TestArtifactsAreKept(t *testing.T) {
	faulttest.Nightly(t, "changes indexes many times")
	neo4jtest.ChangesIndexes(t)
	for _, a := range []struct {
		use  string
		with func(corpus string) index.Options
		drop func(*index.Options)
		made func(neo4jstore.Counts) int
	}{
		{"queries", withQueries, func(o *index.Options) { o.Without, o.AllowRedo = []string{"queries"}, true }, func(c neo4jstore.Counts) int { return c.Queries }},
		{"sentences", withSentences, func(o *index.Options) { o.Without, o.AllowRedo = []string{"sentences"}, true }, func(c neo4jstore.Counts) int { return c.Sentences }},
	} {
		artifactIsKept(t, a.use, a.with, a.drop, a.made)
	}
}

// artifactIsKept checks that a corpus that was indexed with an artifact has it after a change of
// a document, as a new corpus has, and is as before when the artifact was dropped.
func artifactIsKept(t *testing.T, use string, with func(corpus string) index.Options, drop func(*index.Options), made func(neo4jstore.Counts) int) {
	t.Helper()
	store := open(t, nil)
	live, fresh := neo4jtest.Borrow(t, use), neo4jtest.Borrow(t, use)
	docs := folder(t, town())
	run(t, store, options(live), docs)
	plain := dump(t, store, live, "")
	run(t, store, with(live), docs)
	if n := made(counts(t, store, live)); n == 0 {
		t.Fatal("nothing was made")
	}
	write(t, docs+"/one.txt", "Clara Hale met Tobias Reed in Glasgow in 1934. They talked about the fire at the Harbour Museum because it had burnt down.")
	run(t, store, options(live), docs) // the corpus remembers what it has
	if again := run(t, store, options(live), docs); again.Writes != 0 {
		t.Errorf("a second run wrote %d times", again.Writes)
	}
	run(t, store, with(fresh), docs)
	same(t, dump(t, store, fresh, "evidence"), dump(t, store, live, "evidence"))
	if problems, err := index.CheckGraph(t.Context(), store, live); err != nil || len(problems) > 0 {
		t.Errorf("the doctor finds %v, %v", problems, err)
	}
	o := options(live)
	o.Fresh = true
	drop(&o)
	writeFiles(t, docs, town())
	run(t, store, o, docs)
	same(t, plain, dump(t, store, live, ""))
	if n := made(counts(t, store, live)); n != 0 {
		t.Errorf("%d are left", n)
	}
	if again := run(t, store, options(live), docs); again.Writes != 0 {
		t.Errorf("after the artifact was dropped, a run wrote %d times", again.Writes)
	}
}

// A killedArtifact is what checkKilledRuns needs for a corpus with an artifact.
type killedArtifact struct {
	docs                string
	keep, with, without index.Options
	none, want          string // the graph without the artifact, and the evidence with it
}

// newKilledArtifact indexes documents without an artifact and with it. with are the options of a run
// that makes it, keep those of later runs; drop adds that it is dropped.
func newKilledArtifact(t *testing.T, use string, keep, with func(corpus string) index.Options, drop func(*index.Options)) killedArtifact {
	t.Helper()
	store := open(t, nil)
	live, fresh := neo4jtest.Borrow(t, use), neo4jtest.Borrow(t, use)
	k := killedArtifact{docs: folder(t, town()), keep: keep(live), with: with(live), without: keep(live)}
	drop(&k.without)
	run(t, store, keep(fresh), k.docs)
	k.none = dump(t, store, fresh, "")
	neo4jtest.Wipe(t, fresh)
	run(t, store, with(fresh), k.docs)
	k.want = dump(t, store, fresh, "evidence")
	return k
}

// sameAsNew checks that a corpus is as a new one that is indexed with the options, that its artifact
// has edges of a type, and that its graph is sound. It returns the evidence of the corpus.
func sameAsNew(t *testing.T, store *neo4jstore.Store, live, docs, edge string, fresh index.Options) string {
	t.Helper()
	neo4jtest.Wipe(t, fresh.Corpus)
	run(t, store, fresh, docs)
	want, got := dump(t, store, fresh.Corpus, "evidence"), dump(t, store, live, "evidence")
	if same(t, want, got); !strings.Contains(got, edge) {
		t.Errorf("there are no edges %s", edge)
	}
	if problems, err := index.CheckGraph(t.Context(), store, live); err != nil || len(problems) > 0 {
		t.Errorf("the doctor finds %v, %v", problems, err)
	}
	return got
}

// embedAgain embeds a corpus by the embedder of the options.
func embedAgain(t *testing.T, store *neo4jstore.Store, o index.Options) {
	t.Helper()
	x, err := index.New(store, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Embed(t.Context(), true); err != nil {
		t.Fatal(err)
	}
}

func TestCheckArtifacts(t *testing.T) {
	t.Parallel()
	names := index.ArtifactNames()
	last := len(names) - 1
	all := strings.Join(names[:last], ", ") + " and " + names[last]
	for _, tc := range []struct {
		with, without []string
		want          string // part of the error, empty for none
	}{
		{[]string{"queries", "documents"}, []string{"reports", "synonyms"}, ""},
		{[]string{"reports"}, nil, "only " + all + " can be added"},
		{nil, []string{"chunks"}, "only reports, " + all + " can be left out"},
		{nil, []string{"documents"}, "are called document-links"},
		{[]string{"documents"}, []string{"document-links"}, "give one of them"},
	} {
		err := index.CheckArtifacts(tc.with, tc.without)
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("with %v, without %v: got the error %v, want %q", tc.with, tc.without, err, tc.want)
		}
	}
}
