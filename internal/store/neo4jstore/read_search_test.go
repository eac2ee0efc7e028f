package neo4jstore

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func hitKeys(hits []Hit) []string {
	keys := []string{}
	for _, h := range hits {
		keys = append(keys, graph.Local(h.Key))
	}
	return keys
}

func testSearchReadsAllViews(t *testing.T, s *Store, corpus string) {
	got, err := s.Search(t.Context(), corpus, SearchQuery{Terms: "scroog^2 1843 door", Pairs: "door_scroog", Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, view := range []struct {
		name string
		hits []Hit
		want []string
	}{
		{"passages", got.Passages, []string{"p2", "p1"}},
		{"pairs", got.Pairs, []string{"p2"}},
		{"documents", got.Documents, []string{"docs/a.txt"}},
		{"leads", got.Leads, []string{"docs/a.txt"}},
	} {
		if diff := cmp.Diff(view.want, hitKeys(view.hits)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", view.name, diff)
		}
	}
	if h := got.Passages[0]; h.Owner != corpus+"/c2" || h.Document != corpus+"/docs/a.txt" || h.Score <= got.Passages[1].Score {
		t.Errorf("best passage is %+v after %+v", h, got.Passages[1])
	}
	if diff := cmp.Diff(map[string]int{corpus + "/docs/a.txt": 2}, got.PassageCounts); diff != "" {
		t.Errorf("PassageCounts (-want +got):\n%s", diff)
	}
}

func testSearchOfOneViewAgreesWithAll(t *testing.T, s *Store, corpus string) {
	ctx := t.Context()
	all, err := s.Search(ctx, corpus, SearchQuery{Terms: "ledger", Pairs: "cratchit_ledger", Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	if len(all.Passages)*len(all.Pairs)*len(all.Documents)*len(all.Leads) != 1 {
		t.Errorf("Search = %+v, want one hit in each view", all)
	}
}

func testSearchWithoutQuestion(t *testing.T, s *Store, corpus string) {
	got, err := s.Search(t.Context(), corpus, SearchQuery{Pairs: "dead_marley", Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Pairs) != 1 || len(got.Passages)+len(got.Documents)+len(got.Leads) != 0 {
		t.Errorf("Search for only a pair = %+v", got)
	}
}

func TestSearchInMissingCorpus(t *testing.T) {
	t.Parallel()
	s, corpus := readerStore(t), neo4jtest.Corpus(t)
	if _, err := s.Search(t.Context(), corpus, SearchQuery{Terms: "door", Limit: 5}); !errors.Is(err, ErrNoCorpus) {
		t.Errorf("Search: %v, want ErrNoCorpus", err)
	}
}

func testSearchTermsKeepsToKindsAndGeneration(t *testing.T, s *Store, corpus string) {
	tests := []struct {
		name  string
		kinds []graph.Kind
		query string
		limit int
		want  []string
	}{
		{"entities", []graph.Kind{graph.KindEntity}, "marley", 5, []string{"marley"}},
		{"claims", []graph.Kind{graph.KindClaim}, "marley", 5, []string{"l1"}},
		{"reports that are visible", []graph.Kind{graph.KindReport}, "partner", 5, []string{"p1-2"}},
		{"nothing of that kind", []graph.Kind{graph.KindRelationship}, "marley", 5, []string{}},
		{"behind other kinds", []graph.Kind{graph.KindQuery}, "dead", 1, []string{"q1"}},
	}
	for _, test := range tests {
		hits, err := s.SearchTerms(t.Context(), corpus, test.kinds, test.query, test.limit)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if diff := cmp.Diff(test.want, hitKeys(hits)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	hits, err := s.SearchTerms(t.Context(), corpus, []graph.Kind{graph.KindClaim, graph.KindReport}, "marley partner", 5)
	if err != nil {
		t.Fatal(err)
	}
	owners := map[string]string{}
	for _, h := range hits {
		owners[graph.Local(h.Key)] = graph.Local(h.Owner) + " " + graph.Local(h.Document)
	}
	if diff := cmp.Diff(map[string]string{"l1": "c1 docs/a.txt", "p1-2": "g1 "}, owners); diff != "" {
		t.Errorf("owners (-want +got):\n%s", diff)
	}
}

// Many entities precede the only claim in the index.
func TestSearchTermsSkipsOtherKinds(t *testing.T) {
	t.Parallel()
	s, corpus := readerCorpus(t)
	runText(t, s, "UNWIND range(1, 60) AS i CREATE (:Entity:Entity_"+corpus+" {key: $corpus + '/many' + i, corpus: $corpus, name: 'x', terms: 'marley'})", map[string]any{"corpus": corpus})
	hits, err := s.SearchTerms(t.Context(), corpus, []graph.Kind{graph.KindClaim}, "marley", 1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"l1"}, hitKeys(hits)); diff != "" {
		t.Errorf("SearchTerms (-want +got):\n%s", diff)
	}
}

func testSearchVectorScoresByCosine(t *testing.T, s *Store, corpus string) {
	tests := []struct {
		kind graph.Kind
		want map[string]float64
	}{
		{graph.KindChunk, map[string]float64{"c1": 1, "c2": 0}},
		{graph.KindEntity, map[string]float64{"scrooge": 1, "marley": 0, "door": 0.6}},
		{graph.KindRelationship, map[string]float64{"r1": 1, "r2": 0}},
		{graph.KindReport, map[string]float64{"p1-2": 1, "p0-2": 0.6}},
	}
	for _, test := range tests {
		hits, err := s.SearchVector(t.Context(), corpus, test.kind, []float32{2, 0, 0, 0}, 10)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		last := 2.0
		for _, h := range hits {
			if h.Score > last {
				t.Errorf("%s: %v comes after a lower score", test.kind, h)
			}
			last = h.Score
			got[graph.Local(h.Key)] = math.Round(h.Score*100) / 100
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.kind, diff)
		}
	}
	if _, err := s.SearchVector(t.Context(), corpus, graph.KindChunk, make([]float32, 4), 10); err == nil {
		t.Error("a zero vector was searched for")
	}
	if _, err := s.SearchVector(t.Context(), corpus, graph.KindChunk, []float32{1, 0, 0}, 10); !errors.Is(err, ErrDimension) || !strings.Contains(err.Error(), "neorag embed --again") {
		t.Errorf("a vector of another dimension: %v, want ErrDimension and what to do", err)
	}
	if _, err := s.SearchVector(t.Context(), corpus, graph.KindClaim, []float32{1, 0, 0, 0}, 10); err == nil {
		t.Error("claims were searched by vector")
	}
}
