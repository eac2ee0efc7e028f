package neo4jstore_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// The server evaluates a literal to its value.
func TestLiteralsAreEvaluated(t *testing.T) {
	texts := []any{
		"", "'", `\`, `\'`, `\\'`, `\u0027`, `\\u0027 OR 1=1 //`, "a\nb\r\nc\td", "\x00\x01\x7f\u0085\u2028\u2029", "` // ' /* */ ; $corpus __corpus__", "名前 🙂 é", "\ufeff",
		int64(0), int64(-5), int64(9007199254740993), 0.0, -2.5, 1e21, 1e-7,
	}
	for range 60 {
		texts = append(texts, rapid.String().Example(len(texts)))
	}
	literals := make([]string, len(texts))
	for i, value := range texts {
		literals[i] = cypher.Literal(value)
	}
	got := query(t, "RETURN ["+strings.Join(literals, ", ")+"] AS all", nil)[0]["all"]
	if diff := cmp.Diff(any(texts), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Defaults are values of the corpus; an empty corpus has none.
func TestSavedQueryDefaults(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, dimension)
	queries, err := cypher.SavedQueries()
	if err != nil {
		t.Fatal(err)
	}
	empty, err := s.SavedQueryDefaults(t.Context(), corpus, queries...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := indexWorld(t, s, corpus, worlds[0].world); err != nil {
		t.Fatal(err)
	}
	full, err := s.SavedQueryDefaults(t.Context(), corpus, queries...)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range queries {
		for _, p := range q.Params {
			value, known := full[i][p.Name]
			if _, before := empty[i][p.Name]; before != (p.From == "") {
				t.Errorf("%s: %s of an empty corpus is %v", q.Name, p.Name, empty[i][p.Name])
			}
			if !known && p.From != cypher.ReadDefaultRun { // the world is indexed without a record of the run
				t.Errorf("%s: no %s", q.Name, p.Name)
			}
			if text, ok := value.(string); p.Type == cypher.TypeText && known && (!ok || text == "" && p.From != "") {
				t.Errorf("%s: %s is %v", q.Name, p.Name, value)
			}
		}
	}
	card, ok := cypher.FindSavedQuery("entities/card")
	if !ok {
		t.Fatal("there is no query entities/card")
	}
	values, err := s.SavedQueryDefaults(t.Context(), corpus, card)
	if err != nil {
		t.Fatal(err)
	}
	text, err := card.Literal(corpus, values[0])
	if err != nil {
		t.Fatal(err)
	}
	rows := query(t, text, nil)
	most := number(t, "MATCH (e:Entity {corpus: $corpus}) RETURN max(e.degree) AS n", map[string]any{"corpus": corpus})
	if len(rows) != 1 || rows[0]["relationships"] != most {
		t.Errorf("the card is %v, want one with %d relationships", rows, most)
	}
	if _, err := s.SavedQueryDefaults(t.Context(), "no corpus", card); err == nil || graph.CheckCorpus("no corpus") == nil {
		t.Error("a corpus with an invalid name was read")
	}
}
