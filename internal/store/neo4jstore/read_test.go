package neo4jstore

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// readerStore connects to the test server.
func readerStore(tb testing.TB) *Store {
	tb.Helper()
	return openReader(tb, neo4jtest.Server(tb).URI)
}

// openReader connects to the test server at an address.
func openReader(tb testing.TB, uri string) *Store {
	tb.Helper()
	conn := neo4jtest.Server(tb)
	s, err := Open(tb.Context(), Config{URI: uri, Username: conn.User, Password: conn.Password})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = s.Close(context.Background()) })
	return s
}

// readerCorpus creates a corpus with its indexes and the graph of
// testdata/reader.cypher.
func readerCorpus(tb testing.TB) (*Store, string) {
	tb.Helper()
	s, corpus := readerStore(tb), neo4jtest.Borrow(tb, "4")
	seedReader(tb, s, corpus)
	return s, corpus
}

func seedReader(tb testing.TB, s *Store, corpus string) {
	tb.Helper()
	ctx := tb.Context()
	if err := s.EnsureSchema(ctx); err != nil {
		tb.Fatal(err)
	}
	if err := s.EnsureCorpus(ctx, corpus, 4); err != nil {
		tb.Fatal(err)
	}
	text, err := os.ReadFile("testdata/reader.cypher")
	if err != nil {
		tb.Fatal(err)
	}
	runText(tb, s, strings.ReplaceAll(string(text), "__corpus__", corpus), map[string]any{
		"corpus": corpus, "vectors": [][]float64{{1, 0, 0, 0}, {0, 1, 0, 0}, {0.6, 0.8, 0, 0}},
	})
}

// runText runs a statement of a test.
func runText(tb testing.TB, s *Store, text string, params map[string]any) {
	tb.Helper()
	err := s.writeTx(tb.Context(), func(tx *transaction) error {
		result, err := tx.send(tb.Context(), text, params)
		if err == nil {
			_, err = result.Consume(tb.Context())
		}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
}

// TestReader runs all tests that only read one graph.
func TestReader(t *testing.T) {
	t.Parallel()
	s, corpus := readerCorpus(t)
	tests := map[string]func(*testing.T, *Store, string){
		"SearchAsksAllViews":                   testSearchReadsAllViews,
		"SearchOfOneViewAgreesWithAll":         testSearchOfOneViewAgreesWithAll,
		"SearchWithNothingToAsk":               testSearchWithoutQuestion,
		"SearchTermsKeepsToKindsAndGeneration": testSearchTermsKeepsToKindsAndGeneration,
		"SearchVectorScoresByCosine":           testSearchVectorScoresByCosine,
		"StatusCountsTheVisibleGeneration":     testStatusCountsTheVisibleGeneration,
		"StatusShowsMarksAndFailures":          testStatusShowsMarksAndFailures,
		"HybridNamesHaveTypes":                 testHybridNamesHaveTypes,
		"ReportsOfAView":                       testReportsOfAView,
		"ReportList":                           testReportList,
		"ChunkRows":                            testChunkRows,
		"EvidenceGoesDownToTheText":            testEvidenceLeadsToTheText,
		"EvidenceStaysInItsCorpus":             testEvidenceStaysInItsCorpus,
		"Find":                                 testFind,
		"DumpIsCanonical":                      testDumpIsCanonical,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(t, s, corpus) })
	}
}
