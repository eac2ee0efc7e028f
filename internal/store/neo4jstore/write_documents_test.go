package neo4jstore_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// chain returns the chunks of a document along their links.
func chain(t *testing.T, document string) []any {
	t.Helper()
	return query(t, `MATCH p = (:Document {key: $key})-[:FIRST_CHUNK]->()-[:NEXT_CHUNK*0..]->(c)
		WHERE NOT EXISTS { (c)-[:NEXT_CHUNK]->() } RETURN [n IN nodes(p)[1..] | n.text] AS texts`, map[string]any{"key": document})[0]["texts"].([]any)
}

func TestWriteDocuments(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	p := pipeline{store: s, corpus: corpus}
	key := graph.DocumentKey(corpus, "a")
	write := func(w neo4jstore.DocumentWrite) {
		t.Helper()
		withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
			return writer.WriteDocuments(ctx, []neo4jstore.DocumentWrite{w, p.documentWrite("b", []string{"other"})})
		})
	}
	first := p.documentWrite("a", []string{"one", "two", "three", "four"})
	first.Document.Root, first.Document.Date = "/tmp/x", "2026-01-02"
	first.Document.Metadata = map[string]string{"From (sender)": "Ann", "from_[sender]": "Bob", "Re": "x"}
	write(first)
	got := query(t, "MATCH (d:Document {key: $key}) RETURN d {.*} AS d, labels(d) AS labels", map[string]any{"key": key})[0]
	want := map[string]any{
		"key": key, "corpus": corpus, "uri": "a", "root": "/tmp/x", "title": "Title of a", "sha256": first.Document.SHA256, "mime": "text/plain",
		"date": "2026-01-02", "n_tokens": int64(4), "source_fp": "source", "chunk_fp": "chunk", "terms": "one two three four", "lead": "a",
		"passages": int64(4), "meta_from__sender_": "Ann; Bob", "meta_re": "x",
	}
	if diff := cmp.Diff(map[string]any{"d": want, "labels": []any{"Document", "Document_" + corpus}}, got); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
	withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error { // done with extraction
		var writes []neo4jstore.ExtractionWrite
		for _, c := range first.Chunks {
			writes = append(writes, neo4jstore.ExtractionWrite{Chunk: c.Key, FP: "fp", Sum: "sum"})
		}
		return writer.WriteExtractions(ctx, writes)
	})
	second := p.documentWrite("a", []string{"zero", "two", "one", "four"})
	second.Passages = second.Passages[:3] // the last chunk keeps none
	write(second)
	if diff := cmp.Diff([]any{"zero", "two", "one", "four"}, chain(t, key)); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	chunks, err := s.DocumentChunks(t.Context(), corpus, key)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range chunks {
		want := neo4jstore.ChunkState{Chunk: second.Chunks[i], ExtractFP: "fp", ExtractSum: "sum"}
		if i == 0 {
			want = neo4jstore.ChunkState{Chunk: second.Chunks[i], Pending: true}
		}
		if diff := cmp.Diff(want, c); diff != "" {
			t.Errorf("chunk %d (-want +got):\n%s", i, diff)
		}
	}
	if n := number(t, "MATCH (:Document {key: $key})<-[:PART_OF]-()-[:HAS_PASSAGE]->(p:Passage) RETURN count(p)", map[string]any{"key": key}); n != 3 {
		t.Errorf("%d passages, want 3", n)
	}
	if n := number(t, "MATCH (d:Document {key: $key}) RETURN size([k IN keys(d) WHERE k STARTS WITH 'meta_from'])", map[string]any{"key": key}); n != 0 {
		t.Error("old metadata is still there")
	}
	second.Reextract = true
	write(second)
	if pending, err := s.Pending(t.Context(), corpus); err != nil || pending["extract"] != 5 {
		t.Errorf("pending %v, %v: want all 4 chunks and that of b", pending, err)
	}
}

func TestDocumentOfSeveralTransactions(t *testing.T) {
	t.Parallel()
	plain := open(t, nil)
	var points []string
	kill := ""
	s := open(t, func(c *neo4jstore.Config) {
		c.Fault = func(point string) error {
			points = append(points, point)
			if point == kill {
				return errKilled
			}
			return nil
		}
	})
	corpus := newCorpus(t, plain, 0)
	p := pipeline{store: s, corpus: corpus}
	var texts []string
	for i := range 12 {
		texts = append(texts, strings.Repeat(fmt.Sprintf("%08d ", i), 60_000))
	}
	w := p.documentWrite("big", texts)
	w.Passages = nil
	key := w.Document.Key
	write := func() (err error) {
		return s.WithWriter(t.Context(), corpus, "big", 0, func(ctx context.Context, writer *neo4jstore.Writer) error {
			return writer.WriteDocuments(ctx, []neo4jstore.DocumentWrite{w})
		})
	}
	state := func() string {
		documents, err := s.Documents(t.Context(), corpus)
		if err != nil || len(documents) != 1 {
			t.Fatalf("documents %v, %v", documents, err)
		}
		return documents[0].SHA256
	}
	for _, kill = range []string{"document opened", "document part", ""} {
		points = nil
		if err := write(); kill != "" && !errors.Is(err, errKilled) || kill == "" && err != nil {
			t.Fatalf("killed at %q: %v", kill, err)
		}
		if sum := state(); (sum == "") != (kill != "") {
			t.Errorf("killed at %q: hash %q", kill, sum)
		}
	}
	if len(points) < 4 {
		t.Errorf("transactions %v: want several parts", points)
	}
	if got := chain(t, key); len(got) != 12 || got[11] != texts[11] {
		t.Errorf("%d linked chunks, want 12", len(got))
	}
	// A shorter one replaces it, and in between the original text would count as new.
	w = p.documentWrite("big", texts[:10])
	w.Passages = nil
	kill = "document part"
	if err := write(); !errors.Is(err, errKilled) || state() != "" {
		t.Errorf("killed while replaced: %v, hash %q", err, state())
	}
	kill = ""
	if err := write(); err != nil || len(chain(t, key)) != 10 {
		t.Errorf("replaced: %v, %d chunks", err, len(chain(t, key)))
	}
}

// The contents of a removed document are deleted, and everything derived from them is
// marked.
func TestRemoveDocumentsMarks(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, dimension)
	if _, err := indexWorld(t, s, corpus, worlds[0].world); err != nil {
		t.Fatal(err)
	}
	withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		if err := writer.RemoveDocuments(ctx, []string{graph.DocumentKey(corpus, "a"), graph.DocumentKey(corpus, "nowhere")}); err != nil {
			return err
		}
		return writer.RemoveDocuments(ctx, []string{graph.DocumentKey(corpus, "a")})
	})
	pending, err := s.Pending(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	// Ann to Eve and their four relationships; the communities of the five.
	if diff := cmp.Diff(map[string]int{"derive": 9, "report": 3}, pending); diff != "" {
		t.Errorf("pending (-want +got):\n%s", diff)
	}
	counts, err := s.Counts(t.Context(), corpus)
	if err != nil || counts.Documents != 1 || counts.Chunks != 2 || counts.Claims != 0 {
		t.Errorf("counts %+v, %v", counts, err)
	}
}

func TestPassageOfMissingChunk(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	w := pipeline{store: s, corpus: corpus}.documentWrite("a", []string{"one"})
	w.Passages[0].Chunk = graph.Key(corpus, "nowhere")
	err := s.WithWriter(t.Context(), corpus, "x", 0, func(ctx context.Context, writer *neo4jstore.Writer) error {
		return writer.WriteDocuments(ctx, []neo4jstore.DocumentWrite{w})
	})
	if !errors.Is(err, neo4jstore.ErrMissingEnd) {
		t.Errorf("WriteDocuments = %v, want ErrMissingEnd", err)
	}
}

// A new chunk that comes with its vector is not marked to be embedded, and a stored chunk
// keeps the vector that it has.
func TestVectorsOfDocuments(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, dimension)
	p := pipeline{store: s, corpus: corpus}
	write := func(vector ...float32) error {
		w := p.documentWrite("a", []string{"one", "two"})
		w.Vectors = map[string]neo4jstore.Embedded{w.Chunks[0].Key: {EmbedFP: "fp", Vector: vector}}
		return s.WithWriter(t.Context(), corpus, "x", 0, func(ctx context.Context, writer *neo4jstore.Writer) error {
			return writer.WriteDocuments(ctx, []neo4jstore.DocumentWrite{w})
		})
	}
	if err := write(0, 0, 0, 0); err == nil {
		t.Error("a vector without direction was written")
	}
	for _, vector := range [][]float32{{0, 0, 3, 4}, {1, 0, 0, 0}} {
		if err := write(vector...); err != nil {
			t.Fatal(err)
		}
		hits, err := s.NearestInScope(t.Context(), corpus, nil, []float32{0, 0, 3, 4}, 2)
		if err != nil || len(hits) != 1 || hits[0].Score < .99 {
			t.Errorf("found %v, %v, want the chunk with its first vector", hits, err)
		}
		const marked = "MATCH (c:Chunk {todo_embed: $c}) WHERE c.embedding IS NULL AND c.embed_fp IS NULL RETURN count(c)"
		if n := number(t, marked, map[string]any{"c": corpus}); n != 1 {
			t.Errorf("%d chunks wait for a vector, want the one without", n)
		}
	}
}

// Names of corpora may have a common prefix.
func TestCorporaWithCommonPrefix(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	others := []string{corpus + "_a", corpus + "0"}
	for _, name := range append([]string{corpus}, others...) {
		if name != corpus { // no index is asked, so that they need none
			query(t, "CREATE (:Corpus {key: $c})", map[string]any{"c": name})
			t.Cleanup(func() { neo4jtest.Wipe(t, name) })
		}
		p := pipeline{store: s, corpus: name}
		withWriter(t, s, name, func(ctx context.Context, writer *neo4jstore.Writer) error {
			return writer.WriteDocuments(ctx, []neo4jstore.DocumentWrite{p.documentWrite("a", []string{"text"}), p.documentWrite("b", []string{"text"})})
		})
	}
	for _, name := range append([]string{corpus}, others...) {
		documents, err := s.Documents(t.Context(), name)
		if err != nil || len(documents) != 2 || !strings.HasPrefix(documents[0].Key, name+"/") {
			t.Errorf("documents of %s: %v, %v", name, documents, err)
		}
		pending, err := s.PendingDocuments(t.Context(), name, "", 10)
		if diff := cmp.Diff([]neo4jstore.PendingDocument{{Key: name + "/a", NTokens: 1}, {Key: name + "/b", NTokens: 1}}, pending); err != nil || diff != "" {
			t.Errorf("pending documents of %s: %v (-want +got):\n%s", name, err, diff)
		}
		chunks, err := s.ChunkRowPage(t.Context(), name, "", 10)
		if err != nil || len(chunks) != 2 {
			t.Errorf("chunks of %s: %v, %v", name, chunks, err)
		}
	}
	withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		for _, todo := range []string{"embed", "extract"} {
			if n, err := writer.MarkAll(ctx, todo); n != 0 || err != nil {
				t.Errorf("MarkAll of %s = %d, %v, want 0: all were marked", todo, n, err)
			}
		}
		return writer.RemoveDocuments(ctx, []string{corpus + "/a", corpus + "/b"})
	})
	for _, name := range others {
		if documents, err := s.Documents(t.Context(), name); err != nil || len(documents) != 2 {
			t.Errorf("documents of %s after removal elsewhere: %v, %v", name, documents, err)
		}
	}
}
