package query_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/neo4jtest"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/testcorpora"
)

// TestRetrieval measures the search of basic on the server: evidence recall at
// 5 and mean reciprocal rank by document, on the chat logs of LiHuaWorld.
func TestRetrieval(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(testcorpora.Dir(t), "lihuaworld")
	store := open(t)
	corpus := neo4jtest.Borrow(t, "index")
	e := indexed(t, store, index.Options{Corpus: corpus, WithoutReports: true}, filepath.Join(folder, "docs"))
	var recall, mrr float64
	asked := 0
	start, waited := time.Now(), store.Waited()
	for _, q := range questions(t, filepath.Join(folder, "questions.jsonl")) {
		if len(q.Evidence) == 0 {
			continue
		}
		found, err := e.Retrieve(t.Context(), query.Question{Text: q.Question, Method: "basic"})
		if err != nil {
			t.Fatal(err)
		}
		asked++
		hits := 0
		for rank, d := range found.Documents {
			name := strings.TrimSuffix(filepath.Base(graph.Local(d.Key)), ".txt")
			if !slices.Contains(q.Evidence, name) {
				continue
			}
			if hits == 0 {
				mrr += 1 / float64(rank+1)
			}
			hits++
			if rank < 5 {
				recall += 1 / float64(len(q.Evidence))
			}
		}
	}
	recall /= float64(asked)
	mrr /= float64(asked)
	waited = store.Waited() - waited
	own := time.Since(start) - waited
	ms := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(asked) }
	t.Logf("%d questions: recall@5 %.3f, MRR %.3f; %.1f ms a question in Neo4j, %.1f ms in Go", asked, recall, mrr, ms(waited), ms(own))
	if asked != 350 || recall < .93 || mrr < .86 {
		t.Errorf("got recall@5 %.3f and MRR %.3f of %d questions, want at least .93 and .86 of 350", recall, mrr, asked)
	}
}

type question struct {
	Question string   `json:"question"`
	Evidence []string `json:"evidence"`
}

func questions(t *testing.T, path string) []question {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var out []question
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		out = append(out, q)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
