package index_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestProfiles brings up a corpus whose relationships were embedded without keywords. An
// index run leaves their vectors and says what it costs to make them again, and so does an
// estimate; embed makes them again, and no others.
func TestProfiles(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	docs := folder(t, town())
	corpus := modelCorpus(t)
	server, with := model(t, llmtest.Options{}, "")
	o := with(options(corpus))
	run(t, store, o, docs)
	want := dump(t, store, corpus, "")
	c, err := store.Counts(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	neo4jtest.Query(t, `MATCH (k:Corpus {key: $c}) REMOVE k.settings_profile WITH k MATCH (r:Relationship {corpus: $c})
		SET r.embed_fp = 'without keywords', r.embedding = [x IN range(1, 384) | 1.0] RETURN count(r)`, map[string]any{"c": corpus})
	chats := server.Counts().Chats
	indexer := func() *index.Indexer {
		x, err := index.New(store, with(options(corpus)))
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	says := func(notes []string) bool {
		return slices.ContainsFunc(notes, func(n string) bool {
			return strings.Contains(n, "without their keywords") && strings.Contains(n, "neorag embed")
		})
	}
	if e, err := indexer().Estimate(t.Context(), []string{docs}, nil); err != nil || !says(e.Notes) {
		t.Errorf("estimate: %q, %v", e.Notes, err)
	}
	if r := run(t, store, o, docs); r.Writes != 0 {
		t.Errorf("an index run wrote %d times", r.Writes)
	}
	if note, err := indexer().ProfilesNote(t.Context()); err != nil || !strings.Contains(note, fmt.Sprint(c.Relationships, " relationships are replaced")) || !strings.Contains(note, "tokens") {
		t.Errorf("before embed: %q, %v", note, err)
	}
	r, err := indexer().Embed(t.Context(), false)
	if err != nil || r.Exit != 0 {
		t.Fatalf("embed: %+v, %v", r, err)
	}
	for _, stage := range r.Stages {
		if want := map[string]int{"embed": c.Relationships}[stage.Name]; stage.Done != want {
			t.Errorf("stage %s: %d nodes done, want %d", stage.Name, stage.Done, want)
		}
	}
	if n := server.Counts().Chats - chats; n != 0 {
		t.Errorf("%d calls of the chat model", n)
	}
	same(t, want, dump(t, store, corpus, ""))
	if note, err := indexer().ProfilesNote(t.Context()); err != nil || note != "" {
		t.Errorf("after embed: %q, %v", note, err)
	}
	if r, err := indexer().Embed(t.Context(), false); err != nil || r.Writes != 0 {
		t.Errorf("once more: %+v, %v", r, err)
	}
	if e, err := indexer().Estimate(t.Context(), []string{docs}, nil); err != nil || says(e.Notes) {
		t.Errorf("estimate: %q, %v", e.Notes, err)
	}
}
