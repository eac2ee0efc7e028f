package cite

import (
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A readersFile holds answers that readers wrote in the place of a model, as the prompts of four
// methods asked them to, with everything that their citations lead to, and the verdicts of other
// readers on the quotes: 2 if a quote supports the whole statement, 1 a part of it, 0 nothing, E
// if it is empty; together is the verdict on all quotes of a statement. A judge "author" wrote the
// rule that chose the quote. There are four rounds of questions; quotes were chosen by what failed in
// the first, and claims are followed because of what failed in the second and third. The graph of the
// fourth was made again from its calls. The calls with all prompts and answers are in
// readers-calls.jsonl.gz.
type readersFile struct {
	Evidence []struct {
		neo4jstore.Evidence

		OfStave bool // its text is that of the stave at its offsets
	}
	Answers []struct {
		Round                  int
		Method, Question, Text string
		Records                []Record
		Judged                 []judged
	}
}

// stave returns the first stave of the sample.
func stave(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "..", "examples", "christmas-carol", "stave-1.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
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

func (evidenceMap) ChunkPlaces(context.Context, []string) ([]neo4jstore.PlacedChunk, error) {
	return nil, nil
}

// TestReaders resolves the answers again. A quote is covered if it supports its statement alone,
// or a part of one that its quotes support together. A quote that nobody judged counts as one
// that supports nothing, so that a change of quotes has to be judged. Then it has the approximate
// quotes checked by three more readers, who saw the prompt check-quotes and no verdict; quotes that
// were chosen since then were checked by the author.
func TestReaders(t *testing.T) {
	t.Parallel()
	tallies, checked := map[string]*readersTally{}, map[string]*readersTally{}
	check := readersChecks(t)
	for _, name := range []string{"readers.json", "readers-3.json", "readers-4-again.json"} {
		raw, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		var file readersFile
		if err := json.Unmarshal(raw, &file); err != nil {
			t.Fatal(err)
		}
		file.tally(t, stave(t), nil, tallies)
		file.tally(t, stave(t), check, checked)
	}
	for name, least := range map[string]float64{
		"1 basic": .95, "1 local": .9, "1 global": .8, "1 drift": .85,
		"2 basic": .85, "2 local": .95, "2 global": .75, "2 drift": .85,
		"3 basic": .9, "3 local": .9, "3 global": .85, "3 drift": .85,
		"4 global": .85,
	} {
		s := cmp.Or(tallies[name], &readersTally{})
		t.Logf("round %s: %d quotes, %.2f covered, %d support nothing, %d empty, %d not judged", name, s.quotes, float64(s.covered)/float64(max(1, s.quotes)), s.wrong, s.empty, s.unjudged)
		if float64(s.covered) < least*float64(s.quotes) || s.quotes < 13 || s.wrong > s.quotes/25 || s.empty > 0 {
			t.Errorf("round %s: %+v, want a share of %v covered", name, *s, least)
		}
		c := cmp.Or(checked[name], &readersTally{})
		t.Logf("round %s, checked: %d quotes, %.2f covered, %d support nothing, %d not checked", name, c.quotes, float64(c.covered)/float64(max(1, c.quotes)), c.wrong, c.unchecked)
		if float64(c.covered) < least*float64(c.quotes) || c.covered < s.covered-1 || c.wrong > 2 || c.unchecked > 0 {
			t.Errorf("round %s, checked: %+v, was %+v", name, *c, *s)
		}
	}
}

// readersChecks returns a Checker that answers as the readers did who checked approximate quotes.
func readersChecks(t *testing.T) Checker {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "readers-checks.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	plain, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[[2]string]Verdict{}
	for d := json.NewDecoder(plain); d.More(); {
		var c struct {
			Statement, Quote string
			Supports         Verdict
		}
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		verdicts[[2]string{c.Statement, c.Quote}] = c.Supports
	}
	return func(_ context.Context, statements []QuotedStatement) (out [][]Verdict, err error) {
		for _, s := range statements {
			var of []Verdict
			for _, quote := range s.Doubtful {
				of = append(of, verdicts[[2]string{s.Text, quote}])
			}
			out = append(out, of)
		}
		return out, nil
	}
}

// A readersTally counts quotes.
type readersTally struct{ quotes, covered, wrong, empty, unjudged, unchecked int }

// tally resolves the answers of a file and adds their quotes to the tallies by round and method.
func (file readersFile) tally(t *testing.T, stave string, check Checker, tallies map[string]*readersTally) {
	t.Helper()
	found := evidenceMap{}
	for _, e := range file.Evidence {
		if e.OfStave {
			e.ChunkText = stave[e.Start:e.End]
			if e.Kind == graph.KindChunk {
				e.Text = e.ChunkText
			}
		}
		found[graph.Reference{Kind: e.Kind, Key: e.Key}] = e.Evidence
	}
	for _, a := range file.Answers {
		got, err := Resolver{Evidence: found}.Generated(t.Context(), a.Text, a.Records, nil, check)
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("%d %s", a.Round, a.Method)
		if tallies[name] == nil {
			tallies[name] = &readersTally{}
		}
		sum := tallies[name]
		sum.unchecked += got.Unchecked
		if got.Dangling > 0 {
			t.Errorf("%s: %d references lead nowhere", a.Question, got.Dangling)
		}
		for _, c := range got.Citations {
			if c.Quote != "" && stave[c.Start:c.End] != c.Quote {
				t.Errorf("%s: bytes %d to %d are not %q", a.Question, c.Start, c.End, c.Quote)
			}
			sum.add(t, name, a.Judged, c)
		}
	}
}

func (s *readersTally) add(t *testing.T, name string, all []judged, c Citation) {
	t.Helper()
	verdict, together := verdictOn(all, c)
	if together == "X" { // no statement about the text
		return
	}
	if c.Quote != "" && verdict == "" {
		t.Logf("round %s: nobody judged %q for %q", name, c.Quote, c.Statement)
	}
	s.count(c.Quote, verdict, together)
}

// count adds a quote with the verdict on it, and that on all quotes of its statement.
func (s *readersTally) count(quote, verdict, together string) {
	s.quotes++
	switch {
	case quote == "":
		s.empty++
	case verdict == "":
		s.unjudged++
	case verdict == "2", verdict == "1" && together == "2":
		s.covered++
	case verdict == "0":
		s.wrong++
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

// TestReadersOfGlobal counts the verdicts on the quotes of a fourth round: four questions for
// `global`, asked after all rules for quotes were chosen. The answers are as they were printed.
func TestReadersOfGlobal(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join("testdata", "readers-4.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Answers []struct {
			Statements []struct {
				Together  string
				Citations []struct{ Quote, Verdict string }
			}
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	var s readersTally
	for _, a := range file.Answers {
		for _, statement := range a.Statements {
			for _, c := range statement.Citations {
				s.count(c.Quote, c.Verdict, statement.Together)
			}
		}
	}
	t.Logf("round 4: %d quotes, %.2f covered, %d support nothing, %d empty", s.quotes, float64(s.covered)/float64(max(1, s.quotes)), s.wrong, s.empty)
	if len(file.Answers) != 4 || s.unjudged > 0 {
		t.Errorf("%d answers, %+v", len(file.Answers), s)
	}
}
