package resolve

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
)

// mentionsOf returns a mention for each spelling, with as many as its number.
func mentionsOf(spellings map[string]int) []EntityRecords {
	var out []EntityRecords
	for s, n := range spellings {
		for range n {
			out = append(out, EntityRecords{Names: []string{s}, Types: []string{"concept"}, Descriptions: []string{""}})
		}
	}
	return out
}

func TestShownName(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		spellings     map[string]int
		want, earlier string
	}{
		{map[string]int{"RCC": 1, "renal cell carcinoma": 1}, "renal cell carcinoma", "RCC"},
		{map[string]int{"RCC": 9, "renal cell carcinoma": 1}, "renal cell carcinoma", "RCC"},
		{map[string]int{"NASA": 50, "National Aeronautics and Space Administration": 1}, "National Aeronautics and Space Administration", "NASA"},
		{map[string]int{"MRT": 3, "Magnetresonanztomographie": 2, "MRTs": 1}, "Magnetresonanztomographie", "MRT"},
		{map[string]int{"ALL": 3, "akute lymphatische Leukämie": 1}, "akute lymphatische Leukämie", "ALL"},
		{map[string]int{"SSTRs": 4, "somatostatin receptors": 3, "somatostatin receptor": 1}, "somatostatin receptor", "SSTRs"},
		{map[string]int{"B-ALL": 2, "B-cell ALL": 2, "B-cell acute lymphoblastic leukemia": 1}, "B-cell acute lymphoblastic leukemia", "B-ALL"},
		{map[string]int{"clear cell RCC": 2, "clear cell renal cell carcinoma": 1}, "clear cell renal cell carcinoma", "clear cell RCC"},
		{map[string]int{"T lymphocytes": 3, "T-cell lymphocyte": 1}, "T-cell lymphocyte", "T lymphocytes"},
		{map[string]int{"imaging studies": 3, "imaging study": 1}, "imaging study", "imaging studies"},
		{map[string]int{"lung scan (LS)": 2, "lung scan": 1}, "lung scan", "lung scan (LS)"},
		{map[string]int{"Scrooge": 5, "Ebenezer Scrooge": 2}, "Scrooge", "Scrooge"},
		{map[string]int{"IBM": 2, "Big Blue": 1}, "IBM", "IBM"},
		{map[string]int{"Kidney cancer": 1, "kidney cancer": 2}, "kidney cancer", "kidney cancer"},
	} {
		mentions := mentionsOf(tc.spellings)
		if got := Entity(mentions, "").Name; got != tc.want {
			t.Errorf("%v: %q is shown, want %q", tc.spellings, got, tc.want)
		}
		if got := Entity(mentions, EarlierNameRules).Name; got != tc.earlier {
			t.Errorf("%v: %q is shown by the earlier rules, want %q", tc.spellings, got, tc.earlier)
		}
	}
}

// TestShownNameStays: a mention by a short form or a plural that the entity has does not change the name
// that is shown, nor does one more mention by that name.
func TestShownNameStays(t *testing.T) {
	t.Parallel()
	full := []string{"renal cell carcinoma", "Renal Cell Carcinoma"}
	reduced := []string{"RCC", "RCCs", "renal cell carcinomas", "renal cell carcinoma (RCC)"}
	rapid.Check(t, func(t *rapid.T) {
		mentions := []EntityRecords{}
		add := func(names []string, least int) {
			for _, s := range rapid.SliceOfN(rapid.SampledFrom(names), least, 6).Draw(t, "names") {
				mentions = append(mentions, mentionsOf(map[string]int{s: 1})...)
			}
		}
		add(full, 1)
		add(reduced, 0)
		before := Entity(mentions, "").Name
		if !slices.Contains(full, before) {
			t.Fatalf("%q is shown", before)
		}
		add(append(slices.Clone(reduced), before), 1)
		if after := Entity(mentions, "").Name; after != before {
			t.Fatalf("%q became %q", before, after)
		}
	})
}

// TestShownNameIsKnown: the shown name and all aliases together are all names of an entity.
func TestShownNameIsKnown(t *testing.T) {
	t.Parallel()
	spelling := rapid.SampledFrom([]string{"RCC", "RCCs", "renal cell carcinoma", "Renal cell carcinomas", "kidney cancer", "renal cancer", "rcc"})
	rapid.Check(t, func(t *rapid.T) {
		var mentions []EntityRecords
		want := map[string]bool{}
		for _, s := range rapid.SliceOfN(spelling, 1, 8).Draw(t, "spellings") {
			mentions = append(mentions, mentionsOf(map[string]int{s: 1})...)
			want[Normalise(s)] = true
		}
		name := Entity(mentions, "").Name
		got := map[string]bool{}
		for _, s := range append(Aliases(name, mentions), name) {
			got[Normalise(s)] = true
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("names (-want +got):\n%s", diff)
		}
	})
}

// foldText folds the names that a text introduces, and those that are given, all in one chunk.
func foldText(text string, names ...string) map[string]string {
	var x graph.Extraction
	for _, n := range names {
		x.Entities = append(x.Entities, graph.EntityRecord{Name: n, Type: "concept"})
	}
	m := Merge("c", graph.Chunk{Key: "c/1"}, WithoutSymbols(x))
	Introduce("c", text, "", &m)
	var f Folder
	for _, e := range m.Entities {
		f.Add(e.Names, e.Types, e.Same, true)
	}
	return f.Fold(graph.NameDecisions{})
}

func TestFoldLongerNames(t *testing.T) {
	t.Parallel()
	const leukemia = "Acute lymphoblastic leukemia (ALL) is rare. "
	for _, tc := range []struct {
		text, a, b string
		want       string // name of both, "" if they stay apart
	}{
		{text: "B-cell ALL (B-ALL) is the most common type.", a: "B-cell ALL", b: "B-ALL", want: "b-cell all"},
		{text: leukemia, a: "B-cell ALL", b: "B-cell acute lymphoblastic leukemia", want: "b-cell acute lymphoblastic leukemia"},
		{text: leukemia + "B-cell ALL (B-ALL) differs.", a: "B-ALL", b: "B-cell acute lymphoblastic leukemia", want: "b-cell acute lymphoblastic leukemia"},
		{text: "Most are renal cell carcinoma (RCC).", a: "non-clear cell RCC", b: "non-clear cell renal cell carcinoma", want: "non-clear cell renal cell carcinoma"},
		{text: "T-cell lymphocytes (T lymphocytes) attack cells.", a: "T-cell lymphocyte", b: "T lymphocyte", want: "t-cell lymphocyte"},
		{text: "T-cell lymphocytes (T lymphocytes) attack cells.", a: "T-cell lymphocytes", b: "T lymphocytes", want: "t-cell lymphocytes"},
		{text: "The National Comprehensive Cancer Network® (NCCN®) writes.", a: "NCCN®", b: "National Comprehensive Cancer Network", want: "national comprehensive cancer network"},
		{text: "", a: "NCCN®", b: "NCCN", want: "nccn"},
		{text: "", a: "Tylenol™", b: "Tylenol", want: "tylenol"},
		{text: "RCC (renal cell carcinoma) is common.", a: "RCC", b: "renal cell carcinoma", want: "renal cell carcinoma"},
		{text: "", a: "imaging studies", b: "imaging study", want: "imaging study"},
		{text: leukemia + "B-cell ALL (B-ALL) and T-cell ALL (T-ALL) differ.", a: "B-ALL", b: "T-ALL"},
		{text: leukemia + "B-cell ALL (B-ALL) and T-cell ALL (T-ALL) differ.", a: "B-cell ALL", b: "T-cell ALL"},
		{text: "B-cell lymphocytes (B lymphocytes) and T-cell lymphocytes (T lymphocytes) differ.", a: "B lymphocytes", b: "T lymphocytes"},
		{text: "It is called type 1 diabetes (type 2 diabetes is another).", a: "type 1 diabetes", b: "type 2 diabetes"},
		{text: "As type 1 diabetes (type diabetes) shows.", a: "type 1 diabetes", b: "type diabetes"},
		{text: "See Section 3.1 (Section 3.2).", a: "Section 3.1", b: "Section 3.2"},
		{text: "", a: "imaging study", b: "imaging test"},
		{text: "Most are renal cell carcinoma (RCC).", a: "clear cell RCC", b: "papillary renal cell carcinoma"},
		{text: "She lives in London (England).", a: "London", b: "England"},
		{text: "The chronic form (acute form) is rare.", a: "chronic form", b: "acute form"},
	} {
		got := foldText(tc.text, tc.a, tc.b)
		a, b := got[Normalise(withoutSymbols(tc.a))], got[Normalise(withoutSymbols(tc.b))]
		if tc.want == "" && a == b || tc.want != "" && (a != tc.want || b != tc.want) {
			t.Errorf("%q: %s is %q, %s is %q, want %q", tc.text, tc.a, a, tc.b, b, tc.want)
		}
	}
}

// TestShortened: the names that a longer name has by abbreviations of names in it.
func TestShortened(t *testing.T) {
	t.Parallel()
	long := LongForms{}
	long.Add("renal cell carcinoma", "RCC", "kidney cancer", "renal cell carcinomas")
	long.Add("computed tomography", "CT")
	for name, want := range map[string]string{
		"clear cell renal cell carcinoma": "clear cell rcc",
		"renal cell carcinoma":            "",
		"adrenal cell carcinoma":          "",
		"computed tomography scan":        "ct scan",
		"renal clinic":                    "",
	} {
		if got := strings.Join(long.Shortened(name), ","); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestEarlierIntroductions: the earlier rules find what they found.
func TestEarlierIntroductions(t *testing.T) {
	t.Parallel()
	text := "T-cell lymphocytes (T lymphocytes), RCC (renal cell carcinoma), the Cancer Network (CN®) and acute lymphoblastic leukemia (ALL)"
	want := []Abbreviation{{"acute lymphoblastic leukemia", "ALL"}}
	if diff := cmp.Diff(want, Abbreviations(text, EarlierNameRules)); diff != "" {
		t.Errorf("earlier rules (-want +got):\n%s", diff)
	}
	want = []Abbreviation{
		{"T-cell lymphocytes", "T lymphocytes"}, {"renal cell carcinoma", "RCC"}, {"Cancer Network", "CN"}, {"acute lymphoblastic leukemia", "ALL"},
	}
	if diff := cmp.Diff(want, Abbreviations(text, "")); diff != "" {
		t.Errorf("current rules (-want +got):\n%s", diff)
	}
}
