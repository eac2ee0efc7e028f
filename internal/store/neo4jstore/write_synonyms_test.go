package neo4jstore_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// namedEntities reads all entities of a corpus, which are at least four.
func namedEntities(t *testing.T, s *neo4jstore.Store, corpus string) []neo4jstore.SynonymNode {
	t.Helper()
	var all []neo4jstore.SynonymNode
	if err := s.SynonymNodes(t.Context(), corpus, true, func(n neo4jstore.SynonymNode) { all = append(all, n) }); err != nil {
		t.Fatal(err)
	}
	if len(all) < 4 {
		t.Fatalf("there are %d entities, want 4", len(all))
	}
	return all
}

// writeSynonyms gives the first entity the second and third one as synonyms, each of these the
// first one, and the others none.
func writeSynonyms(ctx context.Context, w *neo4jstore.Writer, all []neo4jstore.SynonymNode) error {
	lists := make([]neo4jstore.Linked, len(all))
	for i, n := range all {
		lists[i].Key = n.Key
	}
	lists[0].Neighbours = []neo4jstore.Neighbour{{Key: all[1].Key, Score: .9}, {Key: all[2].Key, Score: .8}}
	for i, score := range []float64{.9, .8} {
		lists[i+1].Neighbours = []neo4jstore.Neighbour{{Key: all[0].Key, Score: score}}
	}
	return w.WriteSynonyms(ctx, lists)
}

// An entity is marked if its name changes or its full list loses a member: one that is renamed
// or deleted.
func TestSynonymMarks(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, dimension)
	if _, err := indexWorld(t, s, corpus, worlds[0].world); err != nil {
		t.Fatal(err)
	}
	all := namedEntities(t, s, corpus)
	withWriter(t, s, corpus, func(ctx context.Context, w *neo4jstore.Writer) error {
		vectors := make([]neo4jstore.Embedded, len(all))
		for i, n := range all {
			vectors[i] = neo4jstore.Embedded{Key: n.Key, EmbedFP: "fp", Vector: []float32{1, 0, 0, 0}}
		}
		if err := w.WriteNameVectors(ctx, dimension, vectors); err != nil {
			return err
		}
		return writeSynonyms(ctx, w, all)
	})
	type state struct {
		Marked     bool
		Neighbours int
	}
	for _, step := range []struct {
		name    string
		full    int
		renamed int
		gone    int
		want    []state // of the first entities
	}{
		{"same name", 2, -1, -1, []state{{false, 2}, {false, 1}, {false, 1}, {false, 0}}},
		{"another entity", 2, 3, -1, []state{{false, 2}, {false, 1}, {false, 1}, {true, 0}}},
		{"a member of a list that is not full", 3, 1, -1, []state{{false, 1}, {true, 0}, {false, 1}, {true, 0}}},
		{"a member of a full list", 1, -1, 2, []state{{true, 0}, {true, 0}, {true, 0}}},
	} {
		row := func(i int, name string) neo4jstore.EntityDerived {
			return neo4jstore.EntityDerived{Key: all[i].Key, DeriveFP: step.name, Name: name, Type: "person", Degree: 1, Frequency: 1}
		}
		rows, gone := []neo4jstore.EntityDerived{row(0, all[0].Name)}, []string{all[0].Key} // which is mentioned, and stays
		if step.renamed >= 0 {
			rows = append(rows, row(step.renamed, "Another Name"))
		}
		if step.gone >= 0 {
			query(t, `MATCH (:Chunk)-[m:MENTIONS]->(:Entity {key: $key}) DELETE m`, map[string]any{"key": all[step.gone].Key})
			gone = append(gone, all[step.gone].Key)
		}
		withWriter(t, s, corpus, func(ctx context.Context, w *neo4jstore.Writer) error {
			return w.WriteEntities(ctx, rows, gone, neo4jstore.DeriveOptions{Synonyms: step.full})
		})
		var got []state
		for _, n := range namedEntities(t, s, corpus)[:len(step.want)] {
			got = append(got, state{n.Marked, len(n.Neighbours)})
			if renamed := n.Name == "Another Name"; renamed != (n.NameFP == "") || renamed != (n.Vector == nil) {
				t.Errorf("%s: the entity %s has the vector %v of its name, with the fingerprint %q", step.name, n.Name, n.Vector, n.NameFP)
			}
		}
		if diff := cmp.Diff(step.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
	counted := query(t, `MATCH (e:Entity {corpus: $corpus}) WHERE COUNT { (e)-[:SYNONYM]->() } <> e.synonyms RETURN e.key AS key`, map[string]any{"corpus": corpus})
	if len(counted) > 0 {
		t.Errorf("entities with another number of synonyms than they record: %v", counted)
	}
}

// Lost answers change nothing about synonyms, nor do synonyms that were dropped.
func testSynonymsWithLostAnswers(t *testing.T, plain *neo4jstore.Store, s *lossyStore) {
	t.Helper()
	var first string // of the entities, of the last corpus
	checkArtifact(t, plain, s, func(store *neo4jstore.Store, corpus string) {
		all := namedEntities(t, plain, corpus)
		first = all[0].Key
		withWriter(t, store, corpus, func(ctx context.Context, w *neo4jstore.Writer) error {
			if err := w.SetArtifact(ctx, neo4jstore.ArtifactSynonyms, true); err != nil {
				return err
			}
			if _, err := w.MarkAll(ctx, "synonyms"); err != nil {
				return err
			}
			vectors := []neo4jstore.Embedded{{Key: first, EmbedFP: "fp", Vector: []float32{1, 0, 0, 0}}, {Key: all[1].Key, EmbedFP: "fp"}}
			if err := w.WriteNameVectors(ctx, dimension, vectors); err != nil {
				return err
			}
			return writeSynonyms(ctx, w, all)
		})
		if n := namedEntities(t, plain, corpus)[0]; n.NameFP != "fp" || len(n.Vector) != 4 || n.Marked || len(n.Neighbours) != 2 {
			t.Errorf("the first entity is %+v", n)
		}
	}, func(ctx context.Context, w *neo4jstore.Writer) error {
		if err := w.WriteNameVectors(ctx, dimension, []neo4jstore.Embedded{{Key: first, Vector: []float32{0, 0, 0, 0}}}); err == nil {
			t.Error("a vector without a direction was written")
		}
		return w.DropArtifact(ctx, neo4jstore.ArtifactSynonyms)
	})
}
