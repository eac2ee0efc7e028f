package neo4jstore_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/neo4jstore"
)

// The most mentioned entities come first, and documents tell how many they are, and their dates.
func TestOverview(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, dimension)
	if _, err := indexWorld(t, s, corpus, worlds[0].world); err != nil {
		t.Fatal(err)
	}
	query(t, `MATCH (e:Entity {corpus: $c}) SET e.frequency = CASE e.name WHEN 'Cid' THEN 9 WHEN 'Gus' THEN 8 ELSE 1 END, e.type = CASE e.name WHEN 'Gus' THEN 'event' ELSE 'person' END`, map[string]any{"c": corpus})
	query(t, `MATCH (d:Document {corpus: $c}) SET d.date = CASE WHEN d.key ENDS WITH 'a' THEN '2026-01-02' END`, map[string]any{"c": corpus})
	named := func(types []string, limit int) (names []string) {
		found, err := s.MostMentioned(t.Context(), corpus, types, limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range found {
			names = append(names, e.Name)
		}
		return names
	}
	if diff := cmp.Diff([]string{"Cid", "Gus"}, named(nil, 2)); diff != "" {
		t.Errorf("of any type (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Gus"}, named([]string{"event"}, 5)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	span, err := s.DocumentSpan(t.Context(), corpus)
	if diff := cmp.Diff(neo4jstore.DocumentSpan{Documents: 2, First: "2026-01-02", Last: "2026-01-02"}, span); diff != "" || err != nil {
		t.Errorf("documents: %v (-want +got):\n%s", err, diff)
	}
}
