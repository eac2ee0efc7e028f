package methods_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/methods/auto"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestIntroducedNames asks a medical text in English and one in German for names that it introduces with
// abbreviations, without a model: each is shown by its full form, and found by both.
func TestIntroducedNames(t *testing.T) {
	t.Parallel()
	store := open(t)
	corpus := neo4jtest.Borrow(t, "index")
	e := indexed(t, store, index.Options{Corpus: corpus}, filepath.Join("testdata", "medical"))
	entities, err := store.MostMentioned(t.Context(), corpus, nil, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, found := range entities {
		names = append(names, strings.ToLower(found.Name))
	}
	for short, long := range map[string]string{
		"RCC": "renal cell carcinoma", "RMC": "renal medullary carcinoma", "WT": "wilms tumor", "CBC": "complete blood count",
		"NCCN": "northern cancer care network", "MRI": "magnetic resonance imaging", "NZK": "nierenzellkarzinom", "MRT": "magnetresonanztomographie",
	} {
		if !slices.Contains(names, long) || slices.Contains(names, strings.ToLower(short)) {
			t.Errorf("%s (%s): the entities are %s", long, short, strings.Join(names, "; "))
		}
	}
	for _, tt := range []struct{ question, says, because string }{
		{"What is RCC?", "Nine in ten kidney cancers of adults are renal cell carcinoma", "it asks about RCC, found in the graph"},
		{"What is renal cell carcinoma?", "renal cell carcinoma", "a sentence about renal cell carcinoma may be"},
		{"What is ALL?", "is a cancer of the blood", "a sentence about acute lymphoblastic leukemia may be"},
		{"How common is ALL?", "most common cancer of childhood", "acute lymphoblastic leukemia"},
		{"What is the NCCN?", "NCCN asks doctors", "it asks about NCCN, found in the graph"},
		{"What is NZK?", "Nierenzellkarzinom", "it asks about NZK, found in the graph"},
		{"Was ist die MRT?", "ohne Röntgenstrahlen", "MRT"},
		{"What makes kidney cancer more likely?", "high blood pressure", "it names only common words (cancer)"},
	} {
		a := ask(t, e, query.Question{Text: tt.question, Method: "auto"})
		why := traceOf[auto.Choice](a).Why
		if !strings.Contains(a.Answer, tt.says) || len(a.References) == 0 || !strings.Contains(why, tt.because) {
			t.Errorf("%s (%s)\n%s\nwant %q, since %q", tt.question, why, a.Answer, tt.says, tt.because)
		}
		if strings.Contains(a.Answer, "most often named") || strings.Contains(why, "names no entity") {
			t.Errorf("%s (%s)\n%s", tt.question, why, a.Answer)
		}
	}
}
