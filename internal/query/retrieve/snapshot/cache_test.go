package snapshot_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve/snapshot"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

// A world is a corpus of some documents, and a folder for snapshots.
type world struct {
	store            *neo4jstore.Store
	corpus           string
	documents, files string
}

func newWorld(t *testing.T) world {
	t.Helper()
	conn := neo4jtest.Server(t)
	store, err := neo4jstore.Open(t.Context(), neo4jstore.Config{URI: conn.URI, Username: conn.User, Password: conn.Password})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close(context.Background()) })
	w := world{store, neo4jtest.Borrow(t, "index"), t.TempDir(), filepath.Join(t.TempDir(), "graphs")}
	w.write(t, "a.txt", "Ebenezer Scrooge met Bob Cratchit in Camden Town. Bob Cratchit works for Ebenezer Scrooge.")
	w.write(t, "b.txt", "Jacob Marley was the partner of Ebenezer Scrooge in London.")
	return w
}

// write writes a document and indexes the corpus.
func (w world) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(w.documents, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	x, err := index.New(w.store, index.Options{Corpus: w.corpus, With: []string{"synonyms"}, Synonyms: index.Synonyms{Least: .01}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Run(t.Context(), []string{w.documents}); err != nil {
		t.Fatal(err)
	}
}

func (w world) get(t *testing.T, c *snapshot.Cache) *snapshot.Snapshot {
	t.Helper()
	s, err := c.Get(t.Context(), w.store, w.corpus)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// edges counts the edges of a snapshot by kind, each at both of its ends.
func edges(s *snapshot.Snapshot) map[uint8]int {
	counts := map[uint8]int{}
	for _, kind := range neo4jstore.GraphKinds {
		from, to := s.Range(kind)
		for node := from; node < to; node++ {
			s.Neighbours(node, func(_ uint32, kind uint8, _ float32) { counts[kind]++ })
		}
	}
	return counts
}

// TestSnapshot compares a snapshot with the graph, read otherwise.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.get(t, &snapshot.Cache{})
	for _, kind := range neo4jstore.GraphKinds {
		keys := neo4jtest.Query(t, "MATCH (n {corpus: $corpus}) WHERE $kind IN labels(n) RETURN n.key AS key ORDER BY key", map[string]any{"corpus": w.corpus, "kind": string(kind)})
		from, to := s.Range(kind)
		if int(to-from) != len(keys) || len(keys) == 0 {
			t.Errorf("%d nodes of kind %s, want %d", to-from, kind, len(keys))
		}
		for _, row := range keys {
			key, _ := row["key"].(string)
			if node, found := s.Node(kind, key); !found || s.Key(node) != key {
				t.Errorf("no node for the key %s of kind %s", key, kind)
			}
		}
	}
	want := map[uint8]int{}
	for kind, pattern := range map[uint8]string{
		snapshot.Related: "(:Entity)-[:RELATED]->(:Entity)", snapshot.Mentioned: "(:Chunk)-[:MENTIONS]->(:Entity)",
		snapshot.Stated: "(:Chunk)-[:MENTIONS]->(:Relationship)", snapshot.End: "(:Relationship)-[:SOURCE|TARGET]->(:Entity)", snapshot.Next: "(:Chunk)-[:NEXT_CHUNK]->(:Chunk)",
		snapshot.Part: "(:Chunk)-[:PART_OF]->(:Document)", snapshot.Synonym: "(a:Entity)-[:SYNONYM]->(b:Entity WHERE b.key > a.key)",
	} {
		rows := neo4jtest.Query(t, "MATCH p = "+pattern+" WHERE nodes(p)[0].corpus = $corpus RETURN count(*) AS n", map[string]any{"corpus": w.corpus})
		if n, _ := rows[0]["n"].(int64); n > 0 {
			want[kind] = 2 * int(n)
		}
	}
	if diff := cmp.Diff(want, edges(s)); diff != "" || len(want) < 5 || want[snapshot.Synonym] == 0 {
		t.Errorf("edges of each kind (-in the graph +got):\n%s", diff)
	}
	marley, found := s.Node(graph.KindEntity, graph.EntityKey(w.corpus, "jacob marley"))
	if !found {
		t.Fatal("the snapshot has no Jacob Marley")
	}
	scores := s.PageRank([]rank.Seed{{Node: marley, Weight: 1}}, rank.PageRankOptions{})
	from, to := s.Range(graph.KindChunk)
	best := from
	for node := from; node < to; node++ {
		if scores[node] > scores[best] {
			best = node
		}
	}
	rows := neo4jtest.Query(t, "MATCH (c:Chunk {key: $key})-[:PART_OF]->(d) RETURN d.title AS title", map[string]any{"key": s.Key(best)})
	document, found := s.DocumentOf(s.Key(best))
	if !found || graph.Local(document) == "" || s.Documents() != 2 || s.Frequency("ebenez") != 2 || s.Frequency("marley") != 1 || s.Frequency("ghost") != 0 {
		t.Errorf("document %q of the chunk; %d documents, of which %d and %d have two terms", document, s.Documents(), s.Frequency("ebenez"), s.Frequency("marley"))
	}
	if len(rows) != 1 || rows[0]["title"] != "b" {
		t.Errorf("the chunk closest to Jacob Marley is of %v, want b", rows)
	}
}

// TestCache reads a graph from the server if its file is missing or damaged, or if the corpus
// changed after it was written, and else from memory or the file.
func TestCache(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cache := func() *snapshot.Cache { return &snapshot.Cache{Folder: w.files} }
	first := cache()
	s := w.get(t, first)
	files, err := filepath.Glob(filepath.Join(w.files, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v, want one", files, err)
	}
	stamp := func() os.FileInfo {
		t.Helper()
		info, err := os.Stat(files[0])
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	written := stamp()
	if again := w.get(t, first); again != s {
		t.Error("the same cache read the graph again")
	}
	if mapped := w.get(t, cache()); !cmp.Equal(edges(s), edges(mapped)) || !os.SameFile(written, stamp()) {
		t.Error("another cache has another graph, or wrote the file again")
	}

	w.write(t, "c.txt", "Tiny Tim is a son of Bob Cratchit.")
	for name, c := range map[string]*snapshot.Cache{"the same cache": first, "another cache": cache()} {
		if _, found := w.get(t, c).Node(graph.KindEntity, graph.EntityKey(w.corpus, "tiny tim")); !found {
			t.Errorf("%s has the graph of before", name)
		}
	}
	if os.SameFile(written, stamp()) {
		t.Error("the file was not replaced")
	}
	if _, found := s.Node(graph.KindEntity, graph.EntityKey(w.corpus, "tiny tim")); found {
		t.Error("the snapshot of before changed")
	}

	written = stamp()
	if err := os.WriteFile(files[0]+".new", []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(files[0]+".new", files[0]); err != nil {
		t.Fatal(err)
	}
	if repaired := w.get(t, cache()); len(edges(repaired)) == 0 || stamp().Size() != written.Size() {
		t.Error("a damaged file was not replaced")
	}
	if _, err := cache().Get(t.Context(), w.store, "nothing"); !errors.Is(err, neo4jstore.ErrNoCorpus) {
		t.Errorf("a corpus that does not exist: %v", err)
	}
}

// TestDeleteStale: the file of a graph stays while it is that of the corpus, and goes when the
// corpus changed, when it is damaged, and when nobody can tell.
func TestDeleteStale(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := &snapshot.Cache{Folder: w.files}
	w.get(t, c)
	files, err := filepath.Glob(filepath.Join(w.files, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v, want one", files, err)
	}
	forget := func(ctx context.Context, c *snapshot.Cache) (gone bool) {
		t.Helper()
		if err := c.DeleteStale(ctx, w.store, w.corpus); err != nil {
			t.Fatal(err)
		}
		_, err := os.Stat(files[0])
		return errors.Is(err, fs.ErrNotExist)
	}
	if forget(t.Context(), &snapshot.Cache{Folder: w.files}) {
		t.Error("the graph of the corpus is gone")
	}
	w.write(t, "b.txt", "Nobody was the partner of Ebenezer Scrooge in London.")
	if !forget(t.Context(), &snapshot.Cache{Folder: w.files}) {
		t.Error("the graph of a removed text stays")
	}
	w.get(t, &snapshot.Cache{Folder: w.files})
	if err := errors.Join(os.WriteFile(files[0]+".new", []byte("damaged"), 0o600), os.Rename(files[0]+".new", files[0])); err != nil {
		t.Fatal(err)
	}
	if !forget(t.Context(), &snapshot.Cache{Folder: w.files}) {
		t.Error("a damaged graph stays")
	}
	w.get(t, &snapshot.Cache{Folder: w.files})
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if !forget(canceled, &snapshot.Cache{Folder: w.files}) {
		t.Error("a graph stays that may be old")
	}
	forget(t.Context(), &snapshot.Cache{Folder: w.files}) // one that is not there
}
