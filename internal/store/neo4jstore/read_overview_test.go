package neo4jstore_test

import (
	"cmp"
	"errors"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/store/neo4jstore"
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
	if diff := gocmp.Diff([]string{"Cid", "Gus"}, named(nil, 2)); diff != "" {
		t.Errorf("of any type (-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff([]string{"Gus"}, named([]string{"event"}, 5)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	dates, err := s.Dates(t.Context(), corpus)
	if diff := gocmp.Diff(neo4jstore.Dates{Documents: 2, Dated: 1, First: "2026-01-02", Last: "2026-01-02"}, dates); diff != "" || err != nil {
		t.Errorf("documents: %v (-want +got):\n%s", err, diff)
	}
}

// Counts, openings and mentions in order cover the documents of a corpus, and themes are no persons.
func TestOverviewOfDocuments(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, dimension)
	if _, err := indexWorld(t, s, corpus, worlds[0].world); err != nil {
		t.Fatal(err)
	}
	query(t, `MATCH (e:Entity {corpus: $c}) SET e.type = CASE e.name WHEN 'Gus' THEN 'event' ELSE 'person' END`, map[string]any{"c": corpus})
	query(t, `MATCH (d:Document {corpus: $c}) SET d.date = CASE WHEN d.key ENDS WITH 'a' THEN '2026-01-02' END`, map[string]any{"c": corpus})
	themes, err := s.Themes(t.Context(), corpus, 9, 5)
	if err != nil || len(themes) != 1 || themes[0].Name != "Gus" {
		t.Errorf("themes %+v, %v", themes, err)
	}
	people, err := s.CountTypes(t.Context(), corpus, []string{"person"})
	all, allErr := s.MostMentioned(t.Context(), corpus, []string{"person"}, 100)
	if err := errors.Join(err, allErr); err != nil || people.Entities != len(all) || people.Documents != 2 {
		t.Errorf("counted %+v of %d people, %v", people, len(all), err)
	}
	opening, err := s.OpeningChunks(t.Context(), corpus, 1, 1)
	if err != nil || len(opening) != 1 || opening[0].Date == "" || opening[0].Index != 0 {
		t.Errorf("the first chunk of the first document: %+v, %v", opening, err)
	}
	mentioned := map[int]int{} // entities by the number of their chunks
	for _, limit := range []int{1, 2, 100} {
		var keys []string
		for _, e := range all {
			keys = append(keys, e.Key)
		}
		found, err := s.MentionsInOrder(t.Context(), corpus, keys, limit)
		if err != nil || len(found) != len(keys) {
			t.Fatalf("mentions of %d of %d entities, %v", len(found), len(keys), err)
		}
		for key, chunks := range found {
			mentioned[len(chunks)]++
			if len(chunks) > limit {
				t.Errorf("%s: %d chunks, want at most %d", key, len(chunks), limit)
			}
			ordered := slices.IsSortedFunc(chunks, func(a, b neo4jstore.ChunkRow) int {
				return cmp.Or(cmp.Compare(b.Date, a.Date), cmp.Compare(a.DocumentURI, b.DocumentURI), cmp.Compare(a.Index, b.Index))
			})
			if !ordered {
				t.Errorf("%s: chunks out of order: %+v", key, chunks)
			}
		}
	}
	if len(mentioned) < 2 {
		t.Errorf("all entities are mentioned by as many chunks: %v", mentioned)
	}
}
