package resolve

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
)

// add adds spellings of a type, all in one language.
func add(f *Folder, typ string, english bool, spellings ...string) {
	for _, s := range spellings {
		f.Add([]string{s}, []string{typ}, nil, english)
	}
}

func TestFold(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		a, b, typ string
		german    bool
		want      string // name of both, "" if they stay apart
	}{
		{a: "adrenal tumors", b: "adrenal tumor", want: "adrenal tumor"},
		{a: "Adrenal Tumors", b: "adrenal tumor", want: "adrenal tumor"},
		{a: "Adrenal Tumors", b: "Adrenal Tumor", want: "adrenal tumor"},
		{a: "SSTRs", b: "SSTR", want: "sstr"},
		{a: "bodies", b: "body", want: "body"},
		{a: "movies", b: "movie", want: "movie"},
		{a: "metastases", b: "metastasis", want: "metastasis"},
		{a: "diseases", b: "disease", want: "disease"},
		{a: "biopsies", b: "biopsy", want: "biopsy"},
		{a: "women", b: "woman", typ: "person", want: "woman"},
		{a: "geese", b: "goose", want: "goose"},
		{a: "wolves", b: "wolf", want: "wolf"},
		{a: "viruses", b: "virus", want: "virus"},
		{a: "nurses", b: "nurse", typ: "person", want: "nurse"},
		{a: "e-mail", b: "email", want: "email"},
		{a: "x-ray", b: "X ray", want: "x ray"},
		{a: "T–cell", b: "t cells", want: "t–cell"},
		{a: "keys", b: "key", want: "key"},
		{a: "IL-2", b: "IL2", want: "il2"},
		{a: "Jean-Paul Marat", b: "Jean Paul Marat", typ: "person", want: "jean paul marat"},
		{a: "lung scan (LS)", b: "lung scans", want: "lung scans"},

		{a: "Mars", b: "Mar", typ: "location"},
		{a: "Mars", b: "Mar"},
		{a: "James", b: "Jame", typ: "person"},
		{a: "Peters", b: "Peter", typ: "person"},
		{a: "the Carters", b: "the Carter", typ: "person"},
		{a: "Rolling Stones", b: "Rolling Stone", typ: "organization"},
		{a: "United States", b: "United State", typ: "location"},
		{a: "US", b: "U"},
		{a: "series", b: "sery"},
		{a: "series", b: "serie"},
		{a: "glass", b: "glas"},
		{a: "virus", b: "viru"},
		{a: "analysis", b: "analysi"},
		{a: "news", b: "new"},
		{a: "physics", b: "physic"},
		{a: "glasses", b: "glass"},
		{a: "1934-35", b: "193435"},
		{a: "1934-35", b: "1934 35"},
		{a: "new port", b: "newport"},
		{a: "tumors of the lung", b: "tumor of the lung"},
		{a: "Autos", b: "Auto", german: true},
		{a: "autos", b: "auto", german: true},
		{a: "脑肿瘤s", b: "脑肿瘤", german: true},
	} {
		var f Folder
		typ := tc.typ
		if typ == "" {
			typ = "concept"
		}
		add(&f, typ, !tc.german, tc.a, tc.b)
		got := f.Fold(graph.NameDecisions{})
		a, b := got[Normalise(tc.a)], got[Normalise(tc.b)]
		if tc.want == "" && a == b || tc.want != "" && (a != tc.want || b != tc.want) {
			t.Errorf("%s is %s, %s is %s, want %q", tc.a, a, tc.b, b, tc.want)
		}
		if Class(Normalise(tc.a)) != Class(Normalise(tc.b)) && tc.want != "" {
			t.Errorf("%s and %s have classes %s and %s", tc.a, tc.b, Class(Normalise(tc.a)), Class(Normalise(tc.b)))
		}
		d := graph.NameDecisions{Split: []string{Normalise(tc.a)}}
		if got := f.Fold(d); got[Normalise(tc.a)] != Normalise(tc.a) {
			t.Errorf("%s is split, and is %s", tc.a, got[Normalise(tc.a)])
		}
		d.Merged = [][2]string{{Normalise(tc.a), Normalise(tc.b)}}
		if got := f.Fold(d); got[Normalise(tc.a)] != got[Normalise(tc.b)] {
			t.Errorf("%s and %s are merged, and are %s and %s", tc.a, tc.b, got[Normalise(tc.a)], got[Normalise(tc.b)])
		}
	}
}

func TestFoldAbbreviations(t *testing.T) {
	t.Parallel()
	var f Folder
	add(&f, "concept", true, "SSTR", "somatostatin receptor", "mass spectrometry", "multiple sclerosis", "PET")
	f.Add([]string{"SSTRs"}, []string{"concept"}, []string{"somatostatin receptors\x1fsstrs"}, true)
	f.Add([]string{"somatostatin receptors"}, []string{"concept"}, []string{"somatostatin receptors\x1fsstrs"}, true)
	f.Add([]string{"MS"}, []string{"concept"}, []string{"mass spectrometry\x1fms", "multiple sclerosis\x1fms", "positron emission tomography\x1fpet"}, true)
	want := map[string]string{
		"sstr": "somatostatin receptor", "sstrs": "somatostatin receptor", "somatostatin receptor": "somatostatin receptor",
		"somatostatin receptors": "somatostatin receptor",
		"ms":                     "ms", "mass spectrometry": "mass spectrometry", "multiple sclerosis": "multiple sclerosis", // two full forms
		"pet": "pet", // no mention of the full form
	}
	if diff := cmp.Diff(want, f.Fold(graph.NameDecisions{})); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
}

func TestAbbreviations(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		text string
		want []Abbreviation
	}{
		{"They bind to somatostatin receptors (SSTRs) in vivo.", []Abbreviation{{"somatostatin receptors", "SSTRs"}}},
		{"The World Health\nOrganization (WHO) met.", []Abbreviation{{"World Health Organization", "WHO"}}},
		{"Die Magnetresonanztomographie (MRT) zeigt", []Abbreviation{{"Magnetresonanztomographie", "MRT"}}},
		{"a tumour (see FIG) and a result (p)", nil},
		{"He went home (USA).", nil},
		{"(NATO) begins", nil},
		{"magnetic. Resonance imaging (MRI)", nil},
	} {
		if diff := cmp.Diff(tc.want, Abbreviations(tc.text, "")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.text, diff)
		}
	}
}

// TestFoldMentions: what a chunk says of several names is joined, and given back.
func TestFoldMentions(t *testing.T) {
	t.Parallel()
	chunk := graph.Chunk{Key: "c/1", Document: "c/d"}
	x := graph.Extraction{
		Alone: true,
		Entities: []graph.EntityRecord{
			{Name: "adrenal tumors", Type: "concept", Description: "Growths."}, {Name: "adrenal tumor", Type: "disease", Description: "A growth."}, {Name: "SSTRs", Type: "concept"},
		},
		Relationships: []graph.RelationshipRecord{
			{Source: "adrenal tumors", Target: "SSTRs", Strength: 200, Description: "b"},
			{Source: "SSTRs", Target: "adrenal tumor", Strength: 300, Description: "a"},
			{Source: "adrenal tumor", Target: "adrenal tumors", Strength: 100},
		},
		Claims: []graph.ClaimRecord{{Subject: "adrenal tumors", Object: "SSTRs", Description: "They show.", SourceText: "They show"}},
		Absent: []string{"adrenal tumors"},
	}
	m := Merge("c", chunk, x)
	Introduce("c", "Here are somatostatin receptors (SSTRs).", "", &m)
	stored, err := Decode(m.Encode())
	if diff := cmp.Diff(m.Entities, stored.Entities); err != nil || diff != "" {
		t.Fatalf("stored mentions: %v\n%s", err, diff)
	}
	if diff := cmp.Diff(m.Claims, stored.Claims); diff != "" {
		t.Fatalf("stored claims:\n%s", diff)
	}
	to := map[string]string{"adrenal tumors": "adrenal tumor", "sstrs": "somatostatin receptors"}
	got, changed := m.Fold("c", chunk, func(n string) string {
		if to[n] != "" {
			return to[n]
		}
		return n
	})
	if !changed || len(got.Entities) != 2 || len(got.Relationships) != 1 || len(got.Claims) != 1 {
		t.Fatalf("got %+v", got)
	}
	e := got.Entities[0]
	if diff := cmp.Diff([]string{"adrenal tumor", "adrenal tumors"}, e.Names); diff != "" || e.Key != "c/adrenal tumor" || e.Absent || e.Types[0] != "disease" {
		t.Errorf("got %+v", e)
	}
	r := got.Relationships[0]
	want := RelationshipMention{
		Key: graph.RelationshipKey("c", "c/adrenal tumor", "c/somatostatin receptors"), Source: "c/adrenal tumor", Target: "c/somatostatin receptors",
		Descriptions: []string{"a", "b"}, Keywords: r.Keywords, Strength: 500, Count: 2, Forward: 1,
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("relationship (-want +got):\n%s", diff)
	}
	if k := got.Claims[0]; k.Key != graph.SharedClaimKey("c", "c/d", "c/adrenal tumor", "c/somatostatin receptors", "They show", 0) {
		t.Errorf("the claim is %+v", k)
	}
	if again, changed := m.Fold("c", chunk, func(n string) string { return n }); changed || cmp.Diff(m, again) != "" {
		t.Error("mentions without changed names are changed")
	}
}

// TestFoldIgnoresOrder: neither the order of mentions nor that of pairs matters, and folding is
// idempotent.
func TestFoldIgnoresOrder(t *testing.T) {
	t.Parallel()
	word := rapid.SampledFrom([]string{"tumor", "tumors", "Tumor", "TU", "TUs", "x-ray", "xray", "x ray", "X-rays", "box", "boxes", "mass tumor", "mass-tumor", "masstumors"})
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(word, 1, 10).Draw(t, "names")
		same := rapid.SliceOfN(rapid.SampledFrom([]string{"tumor\x1ftu", "mass tumor\x1ftu", "tumors\x1ftus", "box\x1ftu"}), 0, 3).Draw(t, "same")
		var a, b Folder
		for i, n := range names {
			a.Add([]string{n}, []string{"concept"}, same[:min(i, len(same))], true)
		}
		for i := range names {
			i = len(names) - 1 - i
			b.Add([]string{names[i]}, []string{"concept"}, same[:min(i, len(same))], true)
		}
		d := graph.NameDecisions{Merged: [][2]string{{"box", "x ray"}}, Split: rapid.SliceOfN(rapid.SampledFrom([]string{"tumor", "xray"}), 0, 1).Draw(t, "split")}
		got := a.Fold(d)
		if diff := cmp.Diff(got, b.Fold(d)); diff != "" {
			t.Fatalf("the order matters:\n%s", diff)
		}
		for _, to := range got {
			if got[to] != to {
				t.Fatalf("%s becomes %s", to, got[to])
			}
		}
		if slices.Contains(names, "X-rays") && slices.Contains(names, "x ray") && got["x-rays"] != got["x ray"] {
			t.Fatalf("x-rays is %s", got["x-rays"])
		}
	})
}

// TestPronouns: us is a pronoun, US may be a country.
func TestPronouns(t *testing.T) {
	t.Parallel()
	m := Merge("c", graph.Chunk{Key: "c/1"}, graph.Extraction{Entities: []graph.EntityRecord{{Name: "US"}, {Name: "us"}, {Name: "who"}}})
	if len(m.Entities) != 1 || m.Entities[0].Name != "US" || m.Dropped.EmptyNames != 2 {
		t.Errorf("got %+v, dropped %+v", m.Entities, m.Dropped)
	}
}
