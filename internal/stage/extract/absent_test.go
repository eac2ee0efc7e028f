package extract

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
)

func TestAbsent(t *testing.T) {
	t.Parallel()
	const passage = "“The adre-\nnal tumors of Dr. Clara  Hale’s patients,” said the Well-Known\nTobias Reed, “were benign. They grew slowly. Nobody operated.” Straße und Häuser."
	for _, tt := range []struct {
		name, quote bool
		text        string
		occurs      bool
	}{
		{true, false, "Clara Hale", true},
		{true, false, "CLARA HALE", true},
		{true, false, "“Clara Hale”", true},
		{true, false, "adrenal tumor", true},
		{true, false, "adrenal tumors", true},
		{true, false, "Adrenal-Tumor", true},
		{true, false, "well known Tobias Reed", true},
		{true, false, "patient", true},
		{true, false, "Ebenezer Scrooge", false},
		{true, false, "Clara Scrooge", false},
		{true, false, "Reed Company", false},
		{true, false, "Tobi", false},
		{true, false, "NONE", true},
		{true, false, "", true},
		{false, true, "The adrenal tumors of Dr. Clara Hale's patients", true},
		{false, true, "\"were benign.\nThey grew slowly.\"", true},
		{false, true, "the well-known Tobias Reed", true},
		{false, true, "They grew ... operated", true},
		{false, true, "Nobody operated […] They grew", false},
		{false, true, "They grew quickly", false},
		{false, true, "", true},
		{false, true, "…", true},
	} {
		var x graph.Extraction
		if tt.name {
			x.Entities = []graph.EntityRecord{{Name: tt.text}}
			x.Relationships = []graph.RelationshipRecord{{Source: tt.text, Target: tt.text}}
			x.Claims = []graph.ClaimRecord{{Subject: tt.text, Object: tt.text}}
		} else {
			x.Claims = []graph.ClaimRecord{{Subject: "Clara Hale", SourceText: tt.text}}
		}
		var want []string
		if !tt.occurs {
			want = []string{tt.text}
		}
		checkWords(&x, passage)
		if diff := cmp.Diff(want, x.Absent); diff != "" {
			t.Errorf("%q occurs: %t (-want +got):\n%s", tt.text, tt.occurs, diff)
		}
	}
}

// TestAbsentInScriptsWithoutSpaces looks for names in Chinese.
func TestAbsentInScriptsWithoutSpaces(t *testing.T) {
	t.Parallel()
	x := graph.Extraction{
		Entities: []graph.EntityRecord{{Name: "玄德"}, {Name: "关公"}, {Name: "曹操"}},
		Claims:   []graph.ClaimRecord{{Subject: "董卓", SourceText: "董卓字仲颖，陇西临洮人也"}, {Subject: "董卓", SourceText: "董卓字孟德"}},
	}
	checkWords(&x, "且说董卓字仲颖，陇西临洮人也，官拜河东太守，自来骄傲。玄德与关公急止之。")
	if diff := cmp.Diff([]string{"曹操", "董卓字孟德"}, x.Absent); diff != "" {
		t.Errorf("absent (-want +got):\n%s", diff)
	}
}

// TestQuotesAreVerbatim: a quote that a model tidied up becomes that of the passage.
func TestQuotesAreVerbatim(t *testing.T) {
	t.Parallel()
	const passage = "“The adre-\nnal tumors of Dr. Clara  Hale’s patients,” said Tobias Reed – “were benign. They grew slowly.” Straße!"
	for quote, want := range map[string]string{
		"the adrenal tumors of Dr. Clara Hale's patients": "The adre-\nnal tumors of Dr. Clara  Hale’s patients",
		"\"were benign. They grew slowly.\"":              "were benign. They grew slowly",
		"Tobias Reed ... They grew":                       "Tobias Reed – “were benign. They grew",
		"STRASSE":                                         "STRASSE", // absent
		"STRAßE!":                                         "Straße",
		"":                                                "",
	} {
		x := graph.Extraction{Claims: []graph.ClaimRecord{{Subject: "Clara Hale", SourceText: quote}}}
		checkWords(&x, passage)
		if got := x.Claims[0].SourceText; got != want {
			t.Errorf("%q became %q, want %q", quote, got, want)
		}
	}
}

// FuzzQuoted checks that words of the passage are found in it, however they are folded, and that
// what is found is in the passage letter by letter.
func FuzzQuoted(f *testing.F) {
	f.Add("The adre-\nnal tumors – “were” benign… İ\xff", 2, 9)
	f.Fuzz(func(t *testing.T, passage string, from, to int) {
		from, to = min(max(from, 0), len(passage)), min(max(to, 0), len(passage))
		p := newPassage(passage)
		words, ok := p.quoted(passage[min(from, to):max(from, to)])
		if ok && !strings.Contains(passage, words) && strings.Trim(foldText(words), " .,;:!?'") != "" && omission.FindString(words) == "" {
			t.Errorf("%q is not in %q", words, passage)
		}
	})
}
