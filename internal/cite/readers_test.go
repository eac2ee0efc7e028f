package cite

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// A readersFile holds twelve answers that readers wrote in the place of a model, as the prompts
// of four methods asked them to, with everything that their citations lead to, and the verdicts
// of another reader on the quotes: 2 if a quote supports the whole statement, 1 a part of it,
// 0 nothing, E if it is empty; together is the verdict on all quotes of a statement. The calls
// with all prompts and answers are in readers-calls.jsonl.gz.
type readersFile struct {
	Evidence []struct {
		neo4jstore.Evidence

		OfStave bool // its text is that of the stave at its offsets
	}
	Answers []struct {
		Method, Question, Text string
		Records                []Record
		Judged                 []judged
	}
}

type judged struct {
	Statement, Together string
	Quotes              []struct{ Quote, Verdict string }
}

// evidenceMap is evidence by key.
type evidenceMap map[graph.Reference]neo4jstore.Evidence

func (m evidenceMap) Evidence(_ context.Context, refs []graph.Reference) ([]neo4jstore.Evidence, error) {
	var out []neo4jstore.Evidence
	for _, ref := range refs {
		if ev, ok := m[graph.Reference{Kind: ref.Kind, Key: ref.Key}]; ok {
			out = append(out, ev)
		}
	}
	return out, nil
}

// TestReaders resolves the answers again. A quote is covered if it supports its statement alone,
// or a part of one that its quotes support together. A quote that nobody judged counts as one
// that supports nothing, so that a change of quotes has to be judged.
func TestReaders(t *testing.T) {
	t.Parallel()
	stave, err := os.ReadFile(filepath.Join("..", "..", "examples", "christmas-carol", "stave-1.txt"))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join("testdata", "readers.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file readersFile
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	found := evidenceMap{}
	for _, e := range file.Evidence {
		if e.OfStave {
			e.ChunkText = string(stave[e.Start:e.End])
			if e.Kind == graph.KindChunk {
				e.Text = e.ChunkText
			}
		}
		found[graph.Reference{Kind: e.Kind, Key: e.Key}] = e.Evidence
	}
	type tally struct{ quotes, covered, wrong, empty, unjudged int }
	tallies := map[string]*tally{}
	for _, a := range file.Answers {
		got, err := Resolver{Evidence: found}.Generated(t.Context(), a.Text, a.Records, nil)
		if err != nil {
			t.Fatal(err)
		}
		if tallies[a.Method] == nil {
			tallies[a.Method] = &tally{}
		}
		sum := tallies[a.Method]
		if got.Dangling > 0 {
			t.Errorf("%s: %d references lead nowhere", a.Question, got.Dangling)
		}
		for _, c := range got.Citations {
			if c.Quote != "" && string(stave[c.Start:c.End]) != c.Quote {
				t.Errorf("%s: bytes %d to %d are not %q", a.Question, c.Start, c.End, c.Quote)
			}
			verdict, together := verdictOn(a.Judged, c)
			if together == "X" { // no statement about the text
				continue
			}
			sum.quotes++
			switch {
			case c.Quote == "":
				sum.empty++
			case verdict == "":
				sum.unjudged++
				t.Logf("%s: nobody judged %q for %q", a.Method, c.Quote, c.Statement)
			case verdict == "2", verdict == "1" && together == "2":
				sum.covered++
			case verdict == "0":
				sum.wrong++
			}
		}
	}
	for method, least := range map[string]float64{"basic": .95, "local": .85, "global": .6, "drift": .65} {
		s := cmp.Or(tallies[method], &tally{})
		t.Logf("%s: %d quotes, %d covered, %d support nothing, %d empty, %d not judged", method, s.quotes, s.covered, s.wrong, s.empty, s.unjudged)
		if float64(s.covered) < least*float64(s.quotes) || s.quotes < 20 || s.wrong > 3 || s.empty > s.quotes/10 {
			t.Errorf("%s: %+v, want a share of %v covered", method, *s, least)
		}
	}
}

// verdictOn returns the verdict on the quote of a citation, and that on all of its statement.
func verdictOn(all []judged, c Citation) (verdict, together string) {
	at := slices.IndexFunc(all, func(j judged) bool { return j.Statement == c.Statement })
	if at < 0 {
		return "", ""
	}
	for _, q := range all[at].Quotes {
		if q.Quote == c.Quote {
			return q.Verdict, all[at].Together
		}
	}
	return "", all[at].Together
}
