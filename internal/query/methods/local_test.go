package methods_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// A carolQuestion is a question about the sample with the stave and the words that answer it.
type carolQuestion struct {
	Question string `json:"question"`
	Stave    int    `json:"stave"`
	Answer   string `json:"answer"`
}

func carolQuestions(t *testing.T) []carolQuestion {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "carol.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var out []carolQuestion
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var q carolQuestion
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		out = append(out, q)
	}
	return out
}

// A counter is a log handler that counts the statements that were sent.
type counter struct{ sent *atomic.Int64 }

func (counter) Enabled(context.Context, slog.Level) bool { return true }
func (c counter) Handle(_ context.Context, r slog.Record) error {
	if r.Message == "statement" {
		c.sent.Add(1)
	}
	return nil
}
func (c counter) WithAttrs([]slog.Attr) slog.Handler { return c }
func (c counter) WithGroup(string) slog.Handler      { return c }

func counted(t *testing.T) (*neo4jstore.Store, *atomic.Int64) {
	t.Helper()
	var sent atomic.Int64
	conn := neo4jtest.Server(t)
	store, err := neo4jstore.Open(t.Context(), neo4jstore.Config{
		URI: conn.URI, Username: conn.User, Password: conn.Password, Logger: slog.New(counter{&sent}),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close(context.Background()) })
	return store, &sent
}

// mostStatements bounds the round trips of a question, its references included. One of them looks up how
// words are spelled that may not be in the corpus.
const mostStatements = 6

// TestLocal asks ten questions of the sample: the chunk that answers is among
// the sources, with reports and without, and no question costs more than four
// round trips.
func TestLocal(t *testing.T) {
	t.Parallel()
	store, sent := counted(t)
	files := staves(t)
	for _, without := range []bool{false, true} {
		t.Run(fmt.Sprintf("without reports %v", without), func(t *testing.T) {
			e := sampleFor(without).indexed(t, store)
			found, quoted := 0, 0
			for _, q := range carolQuestions(t) {
				before := sent.Load()
				a, err := e.Ask(t.Context(), query.Question{Text: q.Question, Method: "local"})
				if err != nil {
					t.Fatal(err)
				}
				if n := sent.Load() - before; n > mostStatements {
					t.Errorf("%q took %d statements, want at most %d", q.Question, n, mostStatements)
				}
				checkAnswer(t, a, files)
				switch answered, inSources := answers(t, store, a, q); {
				case answered:
					quoted++
					found++
				case inSources:
					found++
				default:
					t.Logf("%q is not answered by the sources of %s", q.Question, a.Answer)
				}
				checkSections(t, a, without)
			}
			t.Logf("of 10 questions, sources answer %d, quotes %d", found, quoted)
			if found < 9 || quoted < 7 {
				t.Errorf("sources answer %d of 10 questions and quotes %d, want at least 9 and 7", found, quoted)
			}
		})
	}
}

// answers reports whether a quote contains the words that answer, and whether a
// source of the context does.
func answers(t *testing.T, store *neo4jstore.Store, a query.Answer, q carolQuestion) (quoted, inSources bool) {
	t.Helper()
	for _, r := range a.References {
		if strings.HasSuffix(r.Document, fmt.Sprintf("stave-%d.txt", q.Stave)) && strings.Contains(folded(r.Quote), folded(q.Answer)) {
			quoted = true
		}
	}
	for _, s := range a.Context {
		if s.Kind != graph.KindChunk {
			continue
		}
		rows, err := store.ChunkRows(t.Context(), a.Corpus, s.Keys)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			if strings.Contains(folded(row.Text), folded(q.Answer)) {
				inSources = true
			}
		}
	}
	return quoted, inSources
}

func folded(s string) string { return strings.Join(strings.Fields(s), " ") }

// checkSections checks the kinds of the context and its budget.
func checkSections(t *testing.T, a query.Answer, without bool) {
	t.Helper()
	tokens := 0
	kinds := map[graph.Kind]int{}
	for _, s := range a.Context {
		tokens += s.Tokens
		kinds[s.Kind] = len(s.Keys)
	}
	if tokens > 8000 || tokens != a.Usage.ContextTokens {
		t.Errorf("the sections have %d tokens, the usage %d, of at most 8000", tokens, a.Usage.ContextTokens)
	}
	if kinds[graph.KindChunk] == 0 || kinds[graph.KindEntity] == 0 || kinds[graph.KindRelationship] == 0 || (kinds[graph.KindReport] > 0) == without {
		t.Errorf("the context has %v (reports left out: %v)", kinds, without)
	}
}
