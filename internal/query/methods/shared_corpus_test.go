package methods_test

import (
	"sync"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// A sharedCorpus is indexed by the first test that needs it. Tests only read it.
type sharedCorpus struct {
	use     string // of neo4jtest.Keep
	options func(corpus string) index.Options
	path    func(t *testing.T) string

	once     sync.Once
	corpus   string
	complete bool
}

// The corpora that tests share.
var (
	sampleOffline = sharedCorpus{use: "index", options: offline, path: sampleFolder}
	sampleBare    = sharedCorpus{use: "index", options: bare, path: sampleFolder}
	sampleQueries = sharedCorpus{use: "queries", options: withQueries, path: sampleFolder}
	sampleWhole   = sharedCorpus{use: "artifacts", options: contractOptions, path: sampleFolder}
	townWhole     = sharedCorpus{use: "artifacts", options: contractOptions, path: townDocuments}
)

func offline(corpus string) index.Options { return index.Options{Corpus: corpus} }

// bare are the options of a corpus without reports.
func bare(corpus string) index.Options { return index.Options{Corpus: corpus, WithoutReports: true} }

// withQueries are the options of a corpus with question-answer pairs and without reports.
func withQueries(corpus string) index.Options {
	return index.Options{Corpus: corpus, WithoutReports: true, With: []string{"queries"}}
}

func sampleFolder(*testing.T) string { return sample }

// sampleFor returns the sample indexed without a model, with reports or without.
func sampleFor(withoutReports bool) *sharedCorpus {
	if withoutReports {
		return &sampleBare
	}
	return &sampleOffline
}

// indexed returns an engine for the corpus without a model. If a test fails to index it, the
// others fail too.
func (c *sharedCorpus) indexed(t *testing.T, store *neo4jstore.Store) *query.Engine {
	t.Helper()
	c.once.Do(func() {
		c.corpus = neo4jtest.Keep(t, c.use)
		indexed(t, store, c.options(c.corpus), c.path(t))
		c.complete = true
	})
	if !c.complete {
		t.Fatalf("another test could not index %s", c.corpus)
	}
	return engine(t, store, c.corpus)
}

// traceOf returns the trace of a type that an answer has, or an empty one.
func traceOf[T query.Trace](a query.Answer) (trace T) {
	for _, t := range a.Traces {
		if own, ok := t.(T); ok {
			return own
		}
	}
	return trace
}
