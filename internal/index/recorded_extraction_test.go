package index_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/testcorpora"
	"github.com/neorag/neorag/prompts"
)

// A recordedUnit is a text with the records that a real model extracted from it.
type recordedUnit struct {
	Text     string
	Entities []struct {
		Name, Type, Description string
	}
	Relationships []struct {
		Source, Target, Description string
		Weight                      float64
	}
}

func recordedUnits(t *testing.T) []recordedUnit {
	t.Helper()
	f, err := os.Open(filepath.Join(testcorpora.Dir(t), "christmas-carol", "recorded-extraction.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var all []recordedUnit
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var u recordedUnit
		if err := json.Unmarshal(lines.Bytes(), &u); err != nil {
			t.Fatal(err)
		}
		all = append(all, u)
	}
	if err := lines.Err(); err != nil || len(all) != 42 {
		t.Fatalf("%d units, %v", len(all), err)
	}
	return all
}

// tuples returns the answer of the model for a unit. Line breaks in descriptions are
// kept, because they do not end a record.
func (u recordedUnit) tuples() string {
	var out []string
	for _, e := range u.Entities {
		out = append(out, fakemodel.Tuple("entity", e.Name, e.Type, e.Description))
	}
	for _, r := range u.Relationships {
		out = append(out, fakemodel.Tuple("relationship", r.Source, r.Target, r.Description, r.Weight))
	}
	return strings.Join(out, "##\n") + "<|COMPLETE|>"
}

// joinedNames are the recorded names that are one entity although they are spelled
// differently: normalised, plural to singular.
var joinedNames = map[string]string{
	"scrooge's chambers":      "scrooge's chamber",
	"wine-merchant's cellars": "wine-merchant's cellar",
}

// expectedCounts counts the recorded data independently of the program: normalised
// names after the given ones are joined, and unordered pairs of different names.
func expectedCounts(all []recordedUnit, joined map[string]string) (entities, listed, pairs, directed int) {
	normalise := func(s string) string {
		name := resolve.Normalise(s)
		return cmp.Or(joined[name], name)
	}
	names, ends, unordered, rows := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, u := range all {
		for _, e := range u.Entities {
			names[normalise(e.Name)] = true
		}
		for _, r := range u.Relationships {
			a, b := normalise(r.Source), normalise(r.Target)
			rows[a+"\x00"+b] = true
			if a == b {
				continue
			}
			ends[a], ends[b] = true, true
			unordered[min(a, b)+"\x00"+max(a, b)] = true
		}
	}
	listed = len(names)
	for e := range ends {
		names[e] = true
	}
	return len(names), listed, len(unordered), len(rows)
}

// TestRecordedExtraction replays the recorded answers of a real model, and compares the
// counts in the graph with the expected ones.
func TestRecordedExtraction(t *testing.T) {
	t.Parallel()
	all := recordedUnits(t)
	files := map[string]string{}
	for i, u := range all {
		files[fmt.Sprintf("unit-%02d.txt", i)] = u.Text
	}
	answers := map[string]string{}
	for _, u := range all {
		answers[squeeze(u.Text)] = u.tuples()
	}
	server, with := model(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		if fakemodel.Task(r) != prompts.Extract {
			return fakemodel.Handler(r)
		}
		answer, ok := answers[squeeze(fakemodel.Material(r))]
		if !ok {
			return llmtest.Reply{Status: 400, Message: "no unit has this text"}
		}
		return llmtest.Reply{Text: answer}
	}}, "")
	store := open(t, nil)
	name := modelCorpus(t)
	o := with(index.Options{Corpus: name, WithoutReports: true})
	o.Resolve.MaxFragments = 64
	o.Chunk.Size = 1300
	o.Model.Gleanings, o.Model.Claims, o.Model.Format = -1, extract.ClaimsNone, extract.FormatTuples
	r := run(t, store, o, folder(t, files))
	if len(r.Failures) > 0 || r.Exit != 0 || len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "49 names and quotes") { // such as LONDON where the text has the City
		t.Errorf("failures: %+v, notes %q", r.Failures, r.Notes)
	}
	if asked := tasks(server); asked[prompts.Extract] != 42 || asked[prompts.GleanList]+asked[prompts.Claims] != 0 {
		t.Errorf("calls: %v, want 42 extractions", asked)
	}
	counts, err := store.Counts(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	entities, listed, pairs, directed := expectedCounts(all, nil)
	if entities != 561 || listed != 529 || pairs != 935 || directed != 978 {
		t.Errorf("recorded: %d, %d, %d, %d, want 561, 529, 935, 978", entities, listed, pairs, directed)
	}
	entities, _, pairs, _ = expectedCounts(all, joinedNames)
	if counts.Entities != entities || counts.Relationships != pairs {
		t.Errorf("the graph has %d entities and %d relationships, want %d and %d", counts.Entities, counts.Relationships, entities, pairs)
	}
	if text := dump(t, store, name, "evidence"); strings.Contains(text, "COMPLETE") {
		t.Error("an end mark is in the graph")
	}
}

// squeeze removes byte order marks and collapses white space, as reading a file does.
func squeeze(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "\uFEFF", "")), " ")
}
