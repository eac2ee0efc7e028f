package neo4jstore

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// ofCorpus returns the names that belong to one corpus: other tests create and drop theirs
// concurrently.
func ofCorpus(names []string, corpus string) []string {
	own := []string{}
	for _, name := range names {
		if strings.Contains(name, corpus) {
			own = append(own, name)
		}
	}
	return own
}

func TestCheck(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	s, corpus := readerStore(t), neo4jtest.BorrowAs(t, "4", "changed")
	seedReader(t, s, corpus)
	indexes := func() []IndexState {
		t.Helper()
		check, err := s.Check(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		if check.Server != s.ServerInfo() || check.Server.Version == "" {
			t.Errorf("Check.Server = %+v", check.Server)
		}
		i := slices.IndexFunc(check.Corpora, func(c CorpusIndexes) bool { return c.Corpus == corpus })
		if i < 0 {
			t.Fatalf("Check shows no corpus %s", corpus)
		}
		return check.Corpora[i].Indexes
	}
	all := indexes()
	names := []string{}
	for _, x := range all {
		names = append(names, strings.TrimSuffix(x.Name, "_"+corpus))
		if x.State != "ONLINE" || x.PopulationPercent != 100 || (x.Dimension == 4) != (x.Type == vectorIndex) {
			t.Errorf("index %+v", x)
		}
	}
	want := []string{"chunk_vector", "document", "entity_vector", "lead", "pairs", "passage", "relationship_vector", "report_vector", "terms"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("indexes (-want +got):\n%s", diff)
	}

	runText(t, s, "DROP INDEX lead_"+corpus, nil)
	runText(t, s, "DROP INDEX entity_vector_"+corpus, nil)
	runText(t, s, "CREATE VECTOR INDEX entity_vector_"+corpus+" FOR (n:Entity_"+corpus+") ON (n.embedding) OPTIONS {indexConfig: {`vector.dimensions`: 8, `vector.similarity_function`: 'cosine'}}", nil)
	runText(t, s, "DROP INDEX report_vector_"+corpus, nil)
	runText(t, s, "CREATE VECTOR INDEX report_vector_"+corpus+" FOR (n:Report_"+corpus+") ON (n.embedding) OPTIONS {indexConfig: {`vector.dimensions`: 4, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: true}}", nil)
	check, err := s.Check(context.Background(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"lead_" + corpus}, ofCorpus(check.Missing, corpus)); diff != "" {
		t.Errorf("Missing (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"entity_vector_" + corpus + ": dimension 8, not 4", "report_vector_" + corpus + ": quantized true, not false"}, ofCorpus(check.Different, corpus)); diff != "" {
		t.Errorf("Different (-want +got):\n%s", diff)
	}

	// An index of the wanted name may have any labels and properties.
	runText(t, s, "CREATE FULLTEXT INDEX lead_"+corpus+" FOR (n:Elsewhere) ON EACH [n.lead] OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}", nil)
	err = s.EnsureCorpus(t.Context(), corpus, 4)
	runText(t, s, "DROP INDEX lead_"+corpus, nil)
	if want := "labels [Elsewhere], not [Document_" + corpus + "]"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("EnsureCorpus beside an index of the same name: %v, want %s", err, want)
	}
	if err := s.EnsureCorpus(t.Context(), corpus, 4); err != nil {
		t.Fatal(err)
	}
	if check, err = s.Check(t.Context(), corpus); err != nil {
		t.Fatal(err)
	}
	if wrong := ofCorpus(slices.Concat(check.Missing, check.Different), corpus); len(wrong) > 0 {
		t.Errorf("EnsureCorpus left %v", wrong)
	}
}

// A corpus that is dropped while it is being read appears as a node without properties.
func TestCorpusWithoutKeyIsSkipped(t *testing.T) {
	t.Parallel()
	s := readerStore(t)
	runText(t, s, "CREATE (:Corpus {dimension: 4})", nil)
	defer runText(t, s, "MATCH (k:Corpus) WHERE k.key IS NULL DELETE k", nil)
	all, err := s.Corpora(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range all {
		if k.Name == "" {
			t.Errorf("a corpus without a name: %+v", k)
		}
	}
}

// TestClockAhead compares the clock of the server with clocks that are right, behind and ahead.
func TestClockAhead(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	for _, hours := range []int{0, 5, -7} {
		s, err := Open(t.Context(), Config{URI: conn.URI, Username: conn.User, Password: conn.Password, Now: func() time.Time {
			return time.Now().Add(-time.Duration(hours) * time.Hour)
		}})
		if err != nil {
			t.Fatal(err)
		}
		check, err := s.Check(t.Context(), neo4jtest.Corpus(t))
		if err != nil || check.ClockAhead.Round(time.Hour) != time.Duration(hours)*time.Hour {
			t.Errorf("%d hours: %s, %v", hours, check.ClockAhead, err)
		}
		if len(check.Members) != 1 || !check.Members[0].Writes || check.ReadOnly() || check.Members[0].Status != "online" {
			t.Errorf("members %+v", check.Members)
		}
		if err := s.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
